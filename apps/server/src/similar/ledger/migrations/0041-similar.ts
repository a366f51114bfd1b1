import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** What issues are known by, to find those that are alike. */
export const similarTables = (dialect: LedgerDialect): readonly string[] => {
  const { int, clustered } = columnTypes(dialect)
  return [
    `CREATE TABLE issue_signatures (
      issue_id ${int} PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
      project_id ${int} NOT NULL,
      features text NOT NULL,
      made_at ${int} NOT NULL
    )`,
    `CREATE TABLE issue_bands (
      project_id ${int} NOT NULL,
      band ${int} NOT NULL,
      issue_id ${int} NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
      PRIMARY KEY (project_id, band, issue_id)
    )${clustered}`,
    `CREATE INDEX issue_bands_of_issue ON issue_bands (issue_id)`,
  ]
}
