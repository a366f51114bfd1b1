import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** How often a deletion of a person failed in a row, why, and when it is tried again. */
export const erasuresThatFail = (dialect: LedgerDialect): readonly string[] => {
  const { int } = columnTypes(dialect)
  return [
    `ALTER TABLE erasures ADD COLUMN attempts ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE erasures ADD COLUMN last_error text`,
    `ALTER TABLE erasures ADD COLUMN retry_at ${int}`,
  ]
}
