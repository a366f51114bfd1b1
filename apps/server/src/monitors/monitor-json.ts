import type { Actor, CheckIn, Monitor, MonitorEnvironment } from '@firsthand/contract'
import { toDate } from '../lib/instant-text.ts'
import type { MonitorConfig } from './config.ts'
import { termsOf, type EnvironmentRow } from './ledger/records.ts'
import type { MonitorRow } from './ledger/monitor-rows.ts'
import type { ShownRun } from './ledger/runs-view.ts'
import { LIMITS } from './limits.ts'
import { isMutedAt } from './mute.ts'
import { headingOf, reasonOf, reasonParts } from './sentence.ts'

/** Monitors and their runs in Sentry's shape. */

const dateOrNull = (at: number | null): string | null => (at === null ? null : toDate(at))

const configJson = ({ schedule, ...config }: MonitorConfig): Monitor['config'] => ({
  ...config,
  schedule: typeof schedule === 'string' ? schedule : [...schedule],
})

export interface ShownEnvironment {
  readonly row: EnvironmentRow
  readonly runningSince: number | null
  readonly typicalDuration: number | null
  /** When the first run was due that was missed since the last one. */
  readonly lateSince: number | null
}

export const monitorJson = (
  row: MonitorRow,
  environments: readonly ShownEnvironment[],
  { isFull, now, owner }: { readonly owner: Actor | null; readonly isFull: boolean; readonly now: number },
): Monitor => {
  const { config, muting } = termsOf(row)
  return {
    id: row.guid,
    slug: row.slug,
    name: row.name,
    status: row.is_disabled === 1 ? 'disabled' : 'active',
    isMuted: row.is_muted === 1 && (row.muted_until === null || row.muted_until > now),
    isUpserting: row.source === 'sdk',
    type: 'cron_job',
    config: configJson(config),
    dateCreated: toDate(row.created_at),
    project: {
      id: String(row.project_id),
      slug: row.project_slug,
      name: row.project_name,
      platform: row.project_platform,
    },
    owner,
    environments: environments.map((environment) => environmentJson(environment, row.is_disabled === 1, now)),
    alertRule: null,
    configError: row.config_error === '' ? null : row.config_error,
    isFull,
    mutedUntil: dateOrNull(row.is_muted === 1 ? row.muted_until : null),
    muteWindows: muting.muteWindows.map((window) => ({ ...window })),
    isSilent: isMutedAt(muting, now),
  }
}

const environmentJson = (
  { lateSince, row, runningSince, typicalDuration }: ShownEnvironment,
  isDisabled: boolean,
  now: number,
): MonitorEnvironment => ({
  name: row.name,
  status: isDisabled ? 'disabled' : (row.status as MonitorEnvironment['status']),
  isMuted: row.is_muted === 1,
  dateCreated: toDate(row.created_at),
  lastCheckIn: dateOrNull(row.last_run_at),
  nextCheckIn: dateOrNull(row.next_due_at),
  nextCheckInLatest: dateOrNull(row.next_deadline_at),
  activeIncident:
    row.status === 'error' && row.incident_since !== null
      ? { startingTimestamp: toDate(row.incident_since), resolvingTimestamp: null }
      : null,
  isLate: lateSince !== null || (row.next_due_at !== null && row.next_due_at < now),
  lateSince: dateOrNull(lateSince),
  runningSince: dateOrNull(runningSince),
  typicalDuration,
  isForgotten:
    row.silent_periods >= LIMITS.MONITOR_SILENT_PERIODS &&
    now - (row.last_run_at ?? row.created_at) >= LIMITS.MONITOR_SILENT_MS,
})

/** @param config of the time of the run */
export const checkInJson = (run: ShownRun, config: MonitorConfig): CheckIn => {
  const told = {
    status: run.status,
    startedAt: run.started_at,
    endedAt: run.ended_at,
    durationMs: run.duration_ms,
    dueAt: run.due_at,
    isLate: run.is_late === 1,
    exitCode: run.exit_code,
  }
  return {
    id: run.check_in_id,
    environment: run.environment,
    status: run.status as CheckIn['status'],
    duration: run.duration_ms,
    dateCreated: toDate(run.started_at),
    dateAdded: toDate(run.started_at),
    dateUpdated: toDate(run.ended_at ?? run.started_at),
    dateInProgress: run.status === 'missed' ? null : toDate(run.started_at),
    dateClock: toDate(run.started_at),
    expectedTime: dateOrNull(run.due_at),
    monitorConfig: configJson(config),
    isLate: told.isLate,
    exitCode: run.exit_code,
    release: run.release === '' ? null : run.release,
    traceId: run.trace_id,
    hasLog: run.has_log === 1,
    heading: headingOf(told),
    reason: reasonOf(told, config),
    reasonParts: reasonParts(told, config).map((part) => (typeof part === 'string' ? part : { time: toDate(part.at) })),
  }
}
