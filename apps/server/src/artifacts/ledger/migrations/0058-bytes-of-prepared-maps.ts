import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/**
 * What prepared maps take counts in what an organisation keeps. Each is held by its map: before, it took the place of the
 * files of its bundle among what that holds, so that these were released; they are held again, and all maps prepared anew.
 */
export const bytesOfPreparedMaps = (dialect: LedgerDialect): readonly string[] => {
  const { int } = columnTypes(dialect)
  return [
    `ALTER TABLE artifact_bundles ADD COLUMN prepared_bytes ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE artifact_files ADD COLUMN prepared_bytes ${int} NOT NULL DEFAULT 0`,
    `UPDATE artifact_files SET prepared_bytes = bytes WHERE kind = 'source_map'`,
    `UPDATE artifact_bundles SET prepared_bytes = (
      SELECT coalesce(sum(prepared_bytes), 0) FROM artifact_files WHERE bundle_id = artifact_bundles.id
    )`,
    `INSERT INTO blob_releases (key) SELECT DISTINCT prepared_key FROM artifact_files WHERE prepared_key IS NOT NULL
      ON CONFLICT DO NOTHING`,
    `DELETE FROM blob_holders WHERE key IN (SELECT prepared_key FROM artifact_files WHERE prepared_key IS NOT NULL)
      AND holder LIKE 'artifact-bundle/%'`,
    `INSERT INTO blob_holders (holder, key)
      SELECT DISTINCT 'artifact-bundle/' || bundle_id, blob_key FROM artifact_files WHERE true
      ON CONFLICT DO NOTHING`,
    `UPDATE artifact_files SET prepared_key = NULL, prepared_form = NULL, map_error = NULL WHERE kind = 'source_map'`,
  ]
}
