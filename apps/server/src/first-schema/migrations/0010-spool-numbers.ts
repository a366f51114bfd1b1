import { columnTypes } from '../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../storage/ledger/dialect.ts'

/** Each spool gets a number, so that no two batches of different spools have the same. */
export const spoolNumbers = (dialect: LedgerDialect): readonly string[] => [
  `ALTER TABLE digest_progress ADD COLUMN number ${columnTypes(dialect).int}`,
  `CREATE UNIQUE INDEX digest_progress_number ON digest_progress (number)`,
]
