import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** How projects want their findings, and how often each problem was seen. */
export const findingTables = (dialect: LedgerDialect): readonly string[] => {
  const { int, flag, clustered } = columnTypes(dialect)
  return [
    `CREATE TABLE finding_settings (
      project_id ${int} PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
      settings text NOT NULL,
      changed_at ${int} NOT NULL
    )`,
    `CREATE TABLE finding_sightings (
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      fingerprint text NOT NULL,
      detector text NOT NULL,
      times_seen ${int} NOT NULL,
      first_at ${int} NOT NULL,
      last_at ${int} NOT NULL,
      is_issue ${flag} NOT NULL,
      PRIMARY KEY (project_id, fingerprint)
    )${clustered}`,
    `CREATE INDEX finding_sightings_by_age ON finding_sightings (last_at)`,
  ]
}
