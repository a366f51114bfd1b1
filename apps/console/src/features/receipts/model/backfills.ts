import type { Backfill } from '@firsthand/contract'
import { formatCount } from '../../../lib/format.ts'

/** Items of one type that were received before the upgrade that can read them. */
export interface BackfillLine {
  readonly itemType: string
  readonly state: Backfill['state']
  /** A sentence: how far they are read. */
  readonly text: string
}

const WORDS: Readonly<Record<string, string>> = {
  transaction: 'Transactions',
  span: 'Spans',
  otel_span: 'OpenTelemetry spans',
  otel_traces_data: 'OpenTelemetry traces',
  log: 'Logs',
  otel_log: 'OpenTelemetry logs',
  trace_metric: 'Metrics',
  session: 'Sessions',
  sessions: 'Session counts',
  check_in: 'Check-ins',
  replay_event: 'Replays',
  replay_recording: 'Replay recordings',
  replay_video: 'Replay videos',
  form_data: 'Form data',
  security: 'Security reports',
  unreal_report: 'Unreal Engine reports',
  profile: 'Profiles',
  profile_chunk: 'Profile chunks',
}

/** Of several projects, that state is told which most needs to be known. */
const MOST_NEEDED: readonly Backfill['state'][] = ['failed', 'waiting', 'running']

function stateOf(states: ReadonlySet<Backfill['state']>): Backfill['state'] {
  const needed = MOST_NEEDED.find((state) => states.has(state))
  if (needed !== undefined) return needed
  if (!states.has('queued')) return 'done'
  // Some projects are finished and others have not begun.
  return states.has('done') ? 'running' : 'queued'
}

/** Whether it goes on while one looks. */
export const isUnderWay = ({ state }: Pick<Backfill, 'state'>): boolean => state !== 'done' && state !== 'failed'

/** One line for each type of item, over the projects that are shown. */
export function backfillLines(backfills: readonly Backfill[], project: string | undefined): readonly BackfillLine[] {
  const shown = backfills.filter(({ projectId }) => project === undefined || projectId === project)
  return [...Map.groupBy(shown, ({ itemTypes: [leading = ''] }) => leading)].map(([itemType, rows]) => {
    return lineOf(itemType, stateOf(new Set(rows.map(({ state }) => state))), rows)
  })
}

function lineOf(itemType: string, state: Backfill['state'], rows: readonly Backfill[]): BackfillLine {
  const sum = (key: 'items' | 'ended'): string => formatCount(rows.reduce((total, row) => total + row[key], 0))
  const name = WORDS[itemType] ?? `Items of type ${itemType}`
  return { itemType, state, text: sentence(name, state, sum('ended'), sum('items')) }
}

function sentence(name: string, state: Backfill['state'], ended: string, items: string): string {
  const before = 'received before the upgrade'
  switch (state) {
    case 'queued':
      return `${name} ${before} will be read soon: ${items}.`
    case 'running':
      return `${name} ${before} are being read: ${ended} of ${items}.`
    case 'waiting':
      return `${name} ${before}: ${ended} of ${items} are read. The rest waits because a database does not answer, and goes on by itself.`
    case 'done':
      return `${name} ${before} have been read: ${ended}.`
    case 'failed':
      return `${name} ${before} could not all be read: ${ended} of ${items}. The server’s log says why; the rest is tried again when the server is restarted.`
  }
}
