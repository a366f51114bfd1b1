import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Whether the sites of a project are asked for source maps, and for which files they are. */
export const siteMaps = (dialect: LedgerDialect): readonly string[] => {
  const { flag, id, int } = columnTypes(dialect)
  return [
    `ALTER TABLE artifact_bundles ADD COLUMN from_site ${flag} NOT NULL DEFAULT 0`,
    `CREATE TABLE site_map_settings (
      project_id ${int} NOT NULL PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
      is_on ${flag} NOT NULL,
      hosts text NOT NULL
    )`,
    `CREATE TABLE site_files (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      file_key text NOT NULL,
      release_version text NOT NULL,
      dist text NOT NULL,
      address text NOT NULL,
      debug_id text,
      state text NOT NULL,
      failure text,
      due_at ${int} NOT NULL,
      UNIQUE (project_id, file_key)
    )`,
    `CREATE INDEX site_files_waiting ON site_files (project_id, id) WHERE state = 'waiting'`,
    `CREATE INDEX site_files_due ON site_files (due_at) WHERE state <> 'waiting'`,
  ]
}
