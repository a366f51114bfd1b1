import type { Capability } from '../capability.ts'
import { uptimeTables } from './ledger/migrations/0038-uptime.ts'
import { uptimeIncidents } from './ledger/migrations/0057-uptime-incidents.ts'
import { LIMITS } from './limits.ts'

/** Addresses that the server asks by itself. */
export const uptime: Capability = {
  name: 'uptime',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [
    { number: 38, name: 'uptime', statements: uptimeTables(dialect) },
    { number: 57, name: 'uptime-incidents', statements: uptimeIncidents(dialect) },
  ],
  serve: async (parts) => (await import('./serve.ts')).serveUptime(parts),
}
