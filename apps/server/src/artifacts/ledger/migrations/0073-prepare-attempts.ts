import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** How often a source map was begun is known after a restart as well: one that ends its process is given up. */
export const prepareAttempts = (dialect: LedgerDialect): readonly string[] => [
  `ALTER TABLE artifact_files ADD COLUMN prepare_attempts ${columnTypes(dialect).int} NOT NULL DEFAULT 0`,
]
