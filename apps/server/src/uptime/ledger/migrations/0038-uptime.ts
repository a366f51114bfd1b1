import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Addresses that the server asks, and what they answered. */
export const uptimeTables = (dialect: LedgerDialect): readonly string[] => {
  const { id, int, flag, clustered } = columnTypes(dialect)
  return [
    `CREATE TABLE uptime_checks (
      id ${id},
      guid text NOT NULL UNIQUE,
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      name text NOT NULL,
      environment text NOT NULL,
      asked text NOT NULL,
      interval_seconds ${int} NOT NULL,
      failures_needed ${int} NOT NULL,
      oks_needed ${int} NOT NULL,
      is_disabled ${flag} NOT NULL,
      is_muted ${flag} NOT NULL,
      status text NOT NULL,
      failures_in_row ${int} NOT NULL,
      oks_in_row ${int} NOT NULL,
      incident_since ${int},
      has_issue ${flag} NOT NULL,
      last_failure text NOT NULL,
      last_asked_at ${int},
      next_at ${int},
      certificate_ends_at ${int},
      certificate_step ${int},
      created_at ${int} NOT NULL,
      deleted_at ${int}
    )`,
    `CREATE INDEX uptime_checks_by_organization ON uptime_checks (organization_id, name)`,
    `CREATE INDEX uptime_checks_by_time ON uptime_checks (next_at) WHERE next_at IS NOT NULL`,
    `CREATE TABLE uptime_results (
      id ${id},
      check_id ${int} NOT NULL REFERENCES uptime_checks (id) ON DELETE CASCADE,
      at ${int} NOT NULL,
      result text NOT NULL,
      failure_kind text NOT NULL,
      reason text NOT NULL,
      http_status ${int},
      dns_ms ${int},
      connect_ms ${int},
      tls_ms ${int},
      first_byte_ms ${int},
      total_ms ${int}
    )`,
    `CREATE INDEX uptime_results_by_time ON uptime_results (check_id, at)`,
    `CREATE TABLE uptime_days (
      check_id ${int} NOT NULL REFERENCES uptime_checks (id) ON DELETE CASCADE,
      day ${int} NOT NULL,
      up ${int} NOT NULL,
      down ${int} NOT NULL,
      unknown ${int} NOT NULL,
      PRIMARY KEY (check_id, day)
    )${clustered}`,
    `CREATE TABLE uptime_events (
      id ${id},
      check_id ${int} NOT NULL REFERENCES uptime_checks (id) ON DELETE CASCADE,
      kind text NOT NULL,
      about text NOT NULL,
      title text NOT NULL,
      reason text NOT NULL,
      at ${int} NOT NULL,
      sent_at ${int}
    )`,
    `CREATE INDEX uptime_events_by_check ON uptime_events (check_id, id)`,
  ]
}
