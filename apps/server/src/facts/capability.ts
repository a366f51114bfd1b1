import type { Capability } from '../capability.ts'
import { factTables } from './ledger/migrations/0032-facts.ts'
import { LIMITS } from './limits.ts'

/** What happened, for those who tell people of it. */
export const facts: Capability = {
  name: 'facts',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [{ number: 32, name: 'facts', statements: factTables(dialect) }],
  serve: async (parts) => (await import('./serve.ts')).serveFacts(parts),
}
