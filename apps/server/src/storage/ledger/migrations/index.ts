import type { Migration } from '../../migration.ts'
import type { LedgerDialect } from '../dialect.ts'
import { initial } from './0001-initial.ts'

/** In order; a released one is never changed. */
export const ledgerMigrations = (dialect: LedgerDialect): readonly Migration[] => [
  { number: 1, name: 'initial', statements: initial(dialect) },
]
