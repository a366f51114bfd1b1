import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** When the tracker of a ticket was asked for it last. */
export const looksAtTickets = (dialect: LedgerDialect): readonly string[] => [
  `ALTER TABLE tickets ADD COLUMN looked_at ${columnTypes(dialect).int} NOT NULL DEFAULT 0`,
]
