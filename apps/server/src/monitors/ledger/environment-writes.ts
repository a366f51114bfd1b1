import { hash } from 'node:crypto'
import type { LedgerTransaction } from '../../storage/ledger/ledger.ts'
import { createIncidentCap, type DayCount } from '../../lib/incident-cap.ts'
import {
  count,
  goneUntil,
  type Absence,
  type Change,
  type EnvironmentState,
  type RunResult,
} from '../environment-state.ts'
import { LIMITS } from '../limits.ts'
import { isMutedAt } from '../mute.ts'
import { columnsOf, type Terms } from './records.ts'
import { countDay, insertRun, type RunRow } from './runs.ts'

/** A monitor in one environment while its check-ins are applied: its state is written when all of them are. */
export interface OpenEnvironment {
  readonly id: number
  readonly projectId: number
  readonly terms: Terms
  readonly isMuted: boolean
  state: EnvironmentState
  hasIssue: boolean
  /** Of which was told. */
  incidents: DayCount
  lastRunAt: number | null
  minute: number
  minuteCount: number
}

/** Counts how a run ended, and notes what is to be told of it. */
export const addResult = async (
  transaction: LedgerTransaction,
  environment: OpenEnvironment,
  {
    at,
    decidedAt = at,
    durationMs = null,
    result,
    run,
  }: {
    readonly run: Pick<RunRow, 'id' | 'started_at' | 'is_late' | 'release'>
    readonly result: RunResult
    readonly at: number
    /** When it was known; without it, when it was so. */
    readonly decidedAt?: number
    readonly durationMs?: number | null
  },
): Promise<void> => {
  const { terms } = environment
  const { change, state } = count(environment.state, result, run.started_at, terms.config)
  environment.state = state
  await countDay(transaction, environment.id, result, run.started_at)
  await transaction
    .insertInto('monitor_results')
    .values({
      environment_id: environment.id,
      status: result,
      decided_at: decidedAt,
      is_late: run.is_late,
      duration_ms: durationMs,
      release: run.release,
    })
    .execute()
  const kind = toTell(environment, { change, result, at })
  if (kind === null) return
  environment.incidents = incidentsAfter(environment, { kind, change, at })
  environment.hasIssue = kind === 'failed'
  await transaction
    .insertInto('monitor_events')
    .values({ environment_id: environment.id, kind, run_id: run.id, at })
    .execute()
}

type Told = 'failed' | 'recovered'

/**
 * What is told of a result. Muted ones are silent, but what was told before is taken back when it is over. What flaps is told
 * of so often a day, and then when it fails for long.
 */
export const toTell = (
  {
    hasIssue,
    incidents,
    isMuted,
    state,
    terms,
  }: Pick<OpenEnvironment, 'hasIssue' | 'incidents' | 'isMuted' | 'state' | 'terms'>,
  { at, change, result }: { readonly change: Change; readonly result: RunResult; readonly at: number },
): Told | null => {
  if (result === 'ok') return hasIssue && state.status === 'ok' ? 'recovered' : null
  if (change === null || isMuted || isMutedAt(terms.muting, at)) return null
  if (hasIssue) return isWorthAnEvent(state.failuresInRow) ? 'failed' : null
  const since = state.failuresInRow > 1 ? state.incidentSince : null
  return INCIDENTS.mayTell(incidents, at, since) ? 'failed' : null
}

/** So many a day, and those that last. */
export const INCIDENTS = createIncidentCap(LIMITS.MONITOR_INCIDENTS_PER_DAY, LIMITS.MONITOR_LASTING_MS)

/** Failures that go on are of the incident that they began with. */
export const incidentsAfter = (
  { hasIssue, incidents }: Pick<OpenEnvironment, 'hasIssue' | 'incidents'>,
  { at, change, kind }: { readonly kind: Told; readonly change: Change; readonly at: number },
): DayCount => (kind === 'failed' && (change === 'failed' || !hasIssue) ? INCIDENTS.after(incidents, at) : incidents)

/**
 * Of failures that go on, the first ones are worth an event each, and later ones the fewer the longer it lasts: what fails
 * each minute for a day says nothing new 1440 times.
 */
const isWorthAnEvent = (failures: number): boolean =>
  failures <= LIMITS.MONITOR_FAILURES_TOLD || Number.isInteger(Math.log2(failures))

/** The id of a run that never came: the same whenever it is decided. */
export const idOfGone = (environmentId: number, dueAt: number): string => hash('md5', `${environmentId} ${dueAt}`)

/** Up to when it is decided what did not come, and when that is known. */
export interface Deciding {
  readonly until: number
  /** Never within a minute that is over by then: alerts have counted that one. */
  readonly decidedAt: number
}

/** A check-in decides what was over before it; what is due in the very moment in which it came is its own. */
export const beforeCheckIn = (receivedAt: number): Deciding => ({ until: receivedAt - 1, decidedAt: receivedAt })

/** Decides what was due, and did not come, before an instant. */
export const decideGone = async (
  transaction: LedgerTransaction,
  environment: OpenEnvironment,
  { decidedAt, until }: Deciding,
  absences: readonly Absence[],
): Promise<void> => {
  const { gone, state } = goneUntil(environment.state, until, { ...environment.terms, absences })
  environment.state = state
  for (const { dueAt, result } of gone) {
    const id = await insertRun(transaction, {
      ...EMPTY_RUN,
      environment_id: environment.id,
      check_in_id: idOfGone(environment.id, dueAt),
      status: result,
      started_at: dueAt,
      ended_at: dueAt,
      due_at: dueAt,
    })
    const run = { ...EMPTY_RUN, id, started_at: dueAt }
    await addResult(transaction, environment, { run, result, at: until, decidedAt })
  }
}

export const EMPTY_RUN = {
  duration_ms: null,
  is_late: 0,
  timeout_at: null,
  exit_code: null,
  release: '',
  trace_id: null,
} as const

export const saveEnvironment = async (
  transaction: LedgerTransaction,
  { hasIssue, id, incidents, lastRunAt, minute, minuteCount, state }: OpenEnvironment,
): Promise<void> => {
  await transaction
    .updateTable('monitor_environments')
    .set({
      ...columnsOf(state),
      has_issue: hasIssue ? 1 : 0,
      incident_day: incidents.day,
      incident_count: incidents.count,
      last_run_at: lastRunAt,
      minute,
      minute_count: minuteCount,
    })
    .where('id', '=', id)
    .execute()
}
