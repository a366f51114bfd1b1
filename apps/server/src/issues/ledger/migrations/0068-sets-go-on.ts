import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** A change of many issues that was interrupted goes on where it stopped: what was wanted, and up to which issue it is made. */
export const setsGoOn = (dialect: LedgerDialect): readonly string[] => [
  `ALTER TABLE issue_sets ADD COLUMN wish text`,
  `ALTER TABLE issue_sets ADD COLUMN reached ${columnTypes(dialect).int} NOT NULL DEFAULT 0`,
]
