import type { Capability } from '../capability.ts'
import { trackerTables } from './ledger/migrations/0045-trackers.ts'
import { LIMITS } from './limits.ts'

/** Issue trackers: tickets of issues and reports, whose states follow each other both ways. */
export const trackers: Capability = {
  name: 'trackers',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [{ number: 45, name: 'trackers', statements: trackerTables(dialect) }],
  serve: async (parts) => (await import('./serve.ts')).serveTrackers(parts),
}
