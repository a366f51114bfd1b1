import type { Capability } from '../capability.ts'
import { ownershipTables } from './ledger/migrations/0040-ownership.ts'
import { LIMITS } from './limits.ts'

/** Whose what is: rules, CODEOWNERS, and the assignment of new issues. */
export const ownership: Capability = {
  name: 'ownership',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [{ number: 40, name: 'ownership', statements: ownershipTables(dialect) }],
  serve: async (parts) => (await import('./serve.ts')).serveOwnership(parts),
}
