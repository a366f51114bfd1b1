import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Until when a tracker is left alone, and of which version a connection is. */
export const restsOfTrackers = (dialect: LedgerDialect): readonly string[] => {
  const { int } = columnTypes(dialect)
  return [
    `ALTER TABLE trackers ADD COLUMN version ${int} NOT NULL DEFAULT 1`,
    `ALTER TABLE trackers ADD COLUMN quiet_until ${int}`,
    `ALTER TABLE trackers ADD COLUMN failures ${int} NOT NULL DEFAULT 0`,
  ]
}
