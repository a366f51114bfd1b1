import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Of firings that wait to be told together, which of them pass somebody's quiet hours. */
export const highWhileGathered = (dialect: LedgerDialect): readonly string[] => [
  `ALTER TABLE alert_gathered ADD COLUMN is_high ${columnTypes(dialect).flag} NOT NULL DEFAULT 0`,
]
