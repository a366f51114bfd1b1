import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Monitors, their environments and runs, and when this server was away. */
// long: one table after the other
export const monitorTables = (dialect: LedgerDialect): readonly string[] => {
  const { id, int, flag, bytes, clustered } = columnTypes(dialect)
  return [
    `CREATE TABLE monitors (
      id ${id},
      guid text NOT NULL UNIQUE,
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      slug text NOT NULL,
      name text NOT NULL,
      config text NOT NULL,
      config_error text NOT NULL,
      is_disabled ${flag} NOT NULL,
      is_muted ${flag} NOT NULL,
      muted_until ${int},
      mute_windows text NOT NULL,
      owner_user_id ${int},
      owner_team_id ${int},
      source text NOT NULL,
      created_at ${int} NOT NULL,
      deleted_at ${int},
      UNIQUE (project_id, slug)
    )`,
    `CREATE INDEX monitors_by_organization ON monitors (organization_id, slug)`,
    `CREATE TABLE monitor_environments (
      id ${id},
      monitor_id ${int} NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
      organization_id ${int} NOT NULL,
      project_id ${int} NOT NULL,
      name text NOT NULL,
      status text NOT NULL,
      is_muted ${flag} NOT NULL,
      next_due_at ${int},
      next_deadline_at ${int},
      missed_due_at ${int},
      failures_in_row ${int} NOT NULL,
      oks_in_row ${int} NOT NULL,
      silent_periods ${int} NOT NULL,
      incident_since ${int},
      has_issue ${flag} NOT NULL,
      last_run_at ${int},
      minute ${int} NOT NULL,
      minute_count ${int} NOT NULL,
      created_at ${int} NOT NULL,
      UNIQUE (monitor_id, name)
    )`,
    `CREATE INDEX monitor_environments_by_deadline ON monitor_environments (next_deadline_at)
      WHERE next_deadline_at IS NOT NULL`,
    `CREATE TABLE monitor_runs (
      id ${id},
      environment_id ${int} NOT NULL REFERENCES monitor_environments (id) ON DELETE CASCADE,
      check_in_id text NOT NULL,
      status text NOT NULL,
      started_at ${int} NOT NULL,
      ended_at ${int},
      duration_ms ${int},
      due_at ${int},
      is_late ${flag} NOT NULL,
      timeout_at ${int},
      exit_code ${int},
      release text NOT NULL,
      trace_id text,
      UNIQUE (environment_id, check_in_id)
    )`,
    `CREATE INDEX monitor_runs_by_start ON monitor_runs (environment_id, started_at)`,
    `CREATE INDEX monitor_runs_by_timeout ON monitor_runs (timeout_at) WHERE timeout_at IS NOT NULL`,
    `CREATE TABLE monitor_logs (
      run_id ${int} PRIMARY KEY REFERENCES monitor_runs (id) ON DELETE CASCADE,
      environment_id ${int} NOT NULL,
      project_id ${int} NOT NULL,
      bytes ${bytes} NOT NULL,
      size ${int} NOT NULL,
      created_at ${int} NOT NULL
    )`,
    `CREATE INDEX monitor_logs_by_environment ON monitor_logs (environment_id, created_at)`,
    `CREATE INDEX monitor_logs_by_project ON monitor_logs (project_id, created_at, size)`,
    `CREATE TABLE monitor_days (
      environment_id ${int} NOT NULL REFERENCES monitor_environments (id) ON DELETE CASCADE,
      day ${int} NOT NULL,
      ok ${int} NOT NULL,
      failed ${int} NOT NULL,
      missed ${int} NOT NULL,
      timed_out ${int} NOT NULL,
      unknown ${int} NOT NULL,
      PRIMARY KEY (environment_id, day)
    )${clustered}`,
    `CREATE TABLE monitor_events (
      id ${id},
      environment_id ${int} NOT NULL REFERENCES monitor_environments (id) ON DELETE CASCADE,
      kind text NOT NULL,
      run_id ${int} NOT NULL,
      at ${int} NOT NULL,
      sent_at ${int}
    )`,
    `CREATE INDEX monitor_events_by_environment ON monitor_events (environment_id, id)`,
    `CREATE TABLE check_in_refusals (
      batch ${int} NOT NULL,
      id text NOT NULL,
      reason text NOT NULL,
      PRIMARY KEY (batch, id)
    )${clustered}`,
    `CREATE TABLE server_presence (
      name text PRIMARY KEY,
      at ${int} NOT NULL
    )`,
    `CREATE TABLE server_absences (
      id ${id},
      from_at ${int} NOT NULL,
      until_at ${int} NOT NULL
    )`,
    `CREATE INDEX server_absences_by_end ON server_absences (until_at)`,
  ]
}
