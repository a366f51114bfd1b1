import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Uploads of artifacts whose earlier events are still to be looked at, and how far that is. */
export const lateMaps = (dialect: LedgerDialect): readonly string[] => {
  const { id, int } = columnTypes(dialect)
  return [
    `CREATE TABLE late_maps (
      id ${id},
      organization_id ${int} NOT NULL,
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      bundle_id ${int} NOT NULL,
      release_version text NOT NULL,
      after_issue_id ${int} NOT NULL,
      created_at ${int} NOT NULL
    )`,
    `CREATE INDEX late_maps_project ON late_maps (project_id)`,
  ]
}
