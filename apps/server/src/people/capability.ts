import type { Capability } from '../capability.ts'
import { erasureTable } from './ledger/migrations/0064-erasures.ts'
import { erasuresThatFail } from './ledger/migrations/0066-erasures-that-fail.ts'
import { tellingTables } from './ledger/migrations/0035-tellings.ts'
import { LIMITS } from './limits.ts'
import { statements as personIndexes } from './telemetry/migrations/0016-people.ts'

/** What people said about issues, who of them is told of repairs, all that one of them ran into, and how that is erased. */
export const people: Capability = {
  name: 'people',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [
    { number: 35, name: 'tellings', statements: tellingTables(dialect) },
    { number: 64, name: 'erasures', statements: erasureTable(dialect) },
    { number: 66, name: 'erasures that fail', statements: erasuresThatFail(dialect) },
  ],
  telemetryMigrations: [{ number: 16, name: 'people', statements: personIndexes }],
  serve: async (parts) => (await import('./serve.ts')).servePeople(parts),
}
