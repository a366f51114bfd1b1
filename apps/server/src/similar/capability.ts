import type { Capability } from '../capability.ts'
import { similarTables } from './ledger/migrations/0041-similar.ts'
import { LIMITS } from './limits.ts'

/** Issues that may be the same problem. */
export const similar: Capability = {
  name: 'similar',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [{ number: 41, name: 'similar issues', statements: similarTables(dialect) }],
  serve: async (parts) => (await import('./serve.ts')).serveSimilar(parts),
}
