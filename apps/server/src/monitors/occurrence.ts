import { hash } from 'node:crypto'
import type { JsonObject, Occurrence } from '../event/event.ts'
import type { Submission } from '../ingest/index.ts'
import type { MonitorConfig } from './config.ts'
import { headingOf, reasonOf, type ToldRun } from './sentence.ts'

/** Sentry's word and number of what check-ins find. */
const TYPE = 'monitor_check_in_failure'
const TYPE_ID = 4001

/** A monitor in one environment, as its issue names it. */
export interface ToldMonitor {
  readonly organizationId: number
  readonly projectId: number
  readonly guid: string
  readonly slug: string
  readonly name: string
  readonly environment: string
  readonly config: MonitorConfig
  readonly failuresInRow: number
  /** What else is to be said of it; '' for nothing. */
  readonly note: string
}

export interface FailedRun extends ToldRun {
  /** Of what is told: the same whenever it is sent. */
  readonly eventId: string
  readonly at: number
  readonly release: string
  readonly traceId: string | null
  /** The end of what it wrote; '' for nothing. */
  readonly log: string
}

/** One issue for each monitor in each environment. */
export const fingerprintOf = ({ environment, guid }: Pick<ToldMonitor, 'environment' | 'guid'>): readonly string[] => [
  guid,
  environment,
]

export const ISSUE_TYPE = TYPE

/** The event of an issue that a run makes that failed, or never came. */
export const submissionOf = (monitor: ToldMonitor, run: FailedRun): Submission => ({
  organizationId: monitor.organizationId,
  projectId: monitor.projectId,
  eventId: run.eventId,
  itemType: 'occurrence',
  payload: {
    event_id: run.eventId,
    timestamp: run.at / 1000,
    platform: 'other',
    level: 'error',
    transaction: monitor.slug,
    environment: monitor.environment,
    ...(run.release === '' ? {} : { release: run.release }),
    tags: { 'monitor.id': monitor.guid, 'monitor.slug': monitor.slug },
    contexts: {
      monitor: contextOf(monitor, run),
      ...(run.traceId === null
        ? {}
        : { trace: { trace_id: run.traceId, span_id: run.traceId.slice(0, 16), op: 'cron' } }),
    },
    occurrence: occurrenceOf(monitor, run),
  },
})

export const eventIdOf = (id: number, guid: string): string => hash('md5', `monitor event ${id} ${guid}`)

const contextOf = (monitor: ToldMonitor, run: FailedRun): JsonObject => ({
  id: monitor.guid,
  slug: monitor.slug,
  name: monitor.name,
  status: run.status,
  config: { ...monitor.config, schedule: scheduleText(monitor.config) },
})

const scheduleText = ({ schedule }: MonitorConfig): string =>
  typeof schedule === 'string' ? schedule : `every ${schedule[0]} ${schedule[1]}`

const occurrenceOf = (monitor: ToldMonitor, run: FailedRun): Occurrence => {
  const reason = reasonOf(run, monitor.config)
  return {
    type: TYPE,
    typeId: TYPE_ID,
    category: 'cron',
    title: `${headingOf(run)}: ${monitor.name}`,
    subtitle: reason,
    fingerprint: fingerprintOf(monitor),
    evidence: {
      monitorId: monitor.guid,
      monitorSlug: monitor.slug,
      environment: monitor.environment,
      status: run.status,
      failuresInRow: monitor.failuresInRow,
    },
    evidenceDisplay: [
      { name: headingOf(run), value: reason, important: true },
      { name: 'Environment', value: monitor.environment, important: true },
      { name: 'Schedule', value: `${scheduleText(monitor.config)}, ${monitor.config.timezone}`, important: false },
      { name: 'Failed in a row', value: String(monitor.failuresInRow), important: false },
      ...(monitor.note === '' ? [] : [{ name: 'From now on', value: monitor.note, important: true }]),
      ...(run.log === '' ? [] : [{ name: 'Last lines', value: run.log, important: false }]),
    ],
  }
}
