import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Which addresses replays have no room for, and what is kept of the others takes. */
export const leftOutAssets = (dialect: LedgerDialect): readonly string[] => {
  const { int, clustered } = columnTypes(dialect)
  return [
    `ALTER TABLE replay_assets ADD COLUMN left_out ${int} NOT NULL DEFAULT 0`,
    `CREATE INDEX replay_assets_sizes ON replay_assets (project_id, blob_key, bytes) WHERE blob_key IS NOT NULL`,
    `CREATE TABLE replay_assets_left_out (
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      replay_id text NOT NULL,
      url_hash text NOT NULL,
      noted_at ${int} NOT NULL,
      PRIMARY KEY (project_id, replay_id, url_hash)
    )${clustered}`,
  ]
}
