import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Of firings that wait, what they speak of, and which only say again what another alert says. */
export const saidByAnother = (dialect: LedgerDialect): readonly string[] => [
  `ALTER TABLE alert_gathered ADD COLUMN occasion text NOT NULL DEFAULT ''`,
  `ALTER TABLE alert_gathered ADD COLUMN is_again ${columnTypes(dialect).flag} NOT NULL DEFAULT 0`,
]
