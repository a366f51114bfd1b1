import { columnTypes } from '../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../storage/ledger/dialect.ts'

/** For what blobs were freed, and how many bytes that gave back: known also by the process after one that was killed. */
export const freedBlobs = (dialect: LedgerDialect): readonly string[] => {
  const { clustered, flag, int } = columnTypes(dialect)
  return [
    `ALTER TABLE blob_releases ADD COLUMN freed_for text`,
    `ALTER TABLE blob_releases ADD COLUMN stored_bytes ${int}`,
    `CREATE TABLE blob_freed (
      freed_for text NOT NULL PRIMARY KEY,
      bytes ${int} NOT NULL,
      is_under_way ${flag} NOT NULL
    )${clustered}`,
  ]
}
