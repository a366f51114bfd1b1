import { columnTypes } from '../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../storage/ledger/dialect.ts'

/** Blobs that something needs no longer, and what in the ledger names which ones. */
export const releasedBlobs = (dialect: LedgerDialect): readonly string[] => {
  const { clustered } = columnTypes(dialect)
  return [
    `CREATE TABLE blob_releases (key text NOT NULL PRIMARY KEY)${clustered}`,
    `CREATE TABLE blob_holders (
      holder text NOT NULL,
      key text NOT NULL,
      PRIMARY KEY (holder, key)
    )${clustered}`,
    `CREATE INDEX blob_holders_by_key ON blob_holders (key)`,
  ]
}
