import type { Capability } from '../capability.ts'
import { statusPageTables } from './ledger/migrations/0043-status-pages.ts'
import { LIMITS } from './limits.ts'

/** What an organisation says in public of how its services are. */
export const statusPages: Capability = {
  name: 'status pages',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [{ number: 43, name: 'status pages', statements: statusPageTables(dialect) }],
  serve: async (parts) => (await import('./serve.ts')).serveStatusPages(parts),
}
