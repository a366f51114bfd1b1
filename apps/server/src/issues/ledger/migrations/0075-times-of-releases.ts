import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Events without a release are of the times of an issue too: when those were that name its first and last release is kept. */
export const timesOfReleases = (dialect: LedgerDialect): readonly string[] => [
  `ALTER TABLE issues ADD COLUMN first_release_at ${columnTypes(dialect).int}`,
  `ALTER TABLE issues ADD COLUMN last_release_at ${columnTypes(dialect).int}`,
]
