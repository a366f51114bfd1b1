import type { Capability } from '../capability.ts'
import { savedQueries } from './ledger/migrations/0016-saved-queries.ts'
import { LIMITS } from './limits.ts'

/** Questions of any kind to any table: columns, functions, series, attributes, files, kept under a name. */
export const explore: Capability = {
  name: 'explore',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [{ number: 16, name: 'saved queries', statements: savedQueries(dialect) }],
  serve: async (parts) => (await import('./serve.ts')).serveExplore(parts),
}
