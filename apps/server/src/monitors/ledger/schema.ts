import type { Generated } from 'kysely'
import type { Flag, Instant, JsonText } from '../../storage/ledger/schema.ts'

export interface MonitorTable {
  id: Generated<number>
  /** A UUID, by which Sentry's clients know it. */
  guid: string
  organization_id: number
  project_id: number
  slug: string
  name: string
  /** As `MonitorConfig`. */
  config: JsonText
  /** Why the configuration that was sent last was not taken, in a sentence; '' when it was. */
  config_error: string
  is_disabled: Flag
  is_muted: Flag
  /** When a mute ends by itself; null for never. */
  muted_until: Instant | null
  /** Times of the day at which it is muted, as `MuteWindow[]`. */
  mute_windows: JsonText
  owner_user_id: number | null
  owner_team_id: number | null
  /** Who made it: `sdk`, `url` or `person`. */
  source: string
  created_at: Instant
  /** It is gone, and can be brought back for a short while. */
  deleted_at: Instant | null
}

/** A configuration of a monitor that was replaced. */
export interface MonitorPastConfigTable {
  monitor_id: number
  /** When it was. */
  until_at: Instant
  /** As `MonitorConfig`. */
  config: JsonText
}

export interface MonitorEnvironmentTable {
  id: Generated<number>
  monitor_id: number
  organization_id: number
  project_id: number
  /** E.g. `production`. */
  name: string
  /** `active` before its first result, then `ok` or `error`. */
  status: string
  is_muted: Flag
  /** When it has to run next; null before the first run, and while the monitor is off. */
  next_due_at: Instant | null
  /** When that run is missed. */
  next_deadline_at: Instant | null
  /** When the run was due that was missed last, as long as none came since. */
  missed_due_at: Instant | null
  failures_in_row: number
  oks_in_row: number
  /** Runs in a row that were missed. */
  silent_periods: number
  /** When the first result came of those that made it fail; null while it does not. */
  incident_since: Instant | null
  /** An issue was opened, which is over when it runs again. */
  has_issue: Flag
  /** The day (of UTC) of its last incident that was told, in days since 1970, */
  incident_day: Generated<number>
  /** and how many there were on it. */
  incident_count: Generated<number>
  last_run_at: Instant | null
  /** Minute of the last check-in, and how many came in it. */
  minute: number
  minute_count: number
  created_at: Instant
}

/** A run of something that is monitored, also one that never came. */
export interface MonitorRunTable {
  id: Generated<number>
  environment_id: number
  /** 32 hex characters. */
  check_in_id: string
  /** `in_progress`, `ok`, `error`, `missed`, `timeout` or `unknown`. */
  status: string
  /** When its first check-in was received; for one that never came, when it was due. */
  started_at: Instant
  ended_at: Instant | null
  duration_ms: number | null
  /** The time of the schedule that it is for. */
  due_at: Instant | null
  /** It came after that was missed. */
  is_late: Flag
  /** When it times out; null when it is over. */
  timeout_at: Instant | null
  exit_code: number | null
  release: string
  /** 32 hex characters. */
  trace_id: string | null
}

/** What a run wrote, compressed (zstd). */
export interface MonitorLogTable {
  run_id: number
  environment_id: number
  project_id: number
  bytes: Uint8Array
  size: number
  created_at: Instant
}

/** How the runs of a day (of UTC) ended; it is kept when they go. */
export interface MonitorDayTable {
  environment_id: number
  /** Days since 1970. */
  day: number
  ok: number
  failed: number
  missed: number
  timed_out: number
  unknown: number
}

/** What is still to be told: an event of an issue, or that it is over. */
export interface MonitorEventTable {
  id: Generated<number>
  environment_id: number
  /** `failed` or `recovered`. */
  kind: string
  run_id: number
  at: Instant
  /** When its event was sent on its way; it stays until that was digested. */
  sent_at: Instant | null
}

/** How a run ended, until telemetry has it. */
export interface MonitorResultTable {
  id: Generated<number>
  environment_id: number
  /** `ok`, `error`, `missed`, `timeout` or `unknown`. */
  status: string
  /** When that was known: of a run that never came, later than it was due. */
  decided_at: Instant
  is_late: Flag
  duration_ms: number | null
  release: string
}

/** Check-ins of the batch under way that were not taken: a repeated batch answers the same. */
export interface CheckInRefusalTable {
  batch: number
  /** Of the item. */
  id: string
  reason: string
}

/** When this server was last known to be there. */
export interface ServerPresenceTable {
  /** Of what was there, e.g. `door`. */
  name: string
  at: Instant
}

/** Times of which nobody knows what would have come. */
export interface ServerAbsenceTable {
  id: Generated<number>
  from_at: Instant
  until_at: Instant
}

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    monitors: MonitorTable
    monitor_past_configs: MonitorPastConfigTable
    monitor_environments: MonitorEnvironmentTable
    monitor_runs: MonitorRunTable
    monitor_logs: MonitorLogTable
    monitor_days: MonitorDayTable
    monitor_events: MonitorEventTable
    monitor_results: MonitorResultTable
    check_in_refusals: CheckInRefusalTable
    server_presence: ServerPresenceTable
    server_absences: ServerAbsenceTable
  }
}
