import type { Capability } from '../capability.ts'
import { monitorTables } from './ledger/migrations/0036-monitors.ts'
import { monitorIncidents } from './ledger/migrations/0056-monitor-incidents.ts'
import { pastConfigs } from './ledger/migrations/0054-past-configs.ts'
import { LIMITS } from './limits.ts'

/** What runs on a schedule, and says that it did. */
export const monitors: Capability = {
  name: 'monitors',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [
    { number: 36, name: 'monitors', statements: monitorTables(dialect) },
    { number: 54, name: 'past-configs', statements: pastConfigs(dialect) },
    { number: 56, name: 'monitor-incidents', statements: monitorIncidents(dialect) },
  ],
  itemRules: new Map([['check_in', { bytes: LIMITS.CHECK_IN_ITEM_BYTES, json: 'refuse' }]]),
  digest: async () => [(await import('./digest.ts')).createCheckInItems()],
  serve: async (parts) => (await import('./serve.ts')).serveMonitors(parts),
}
