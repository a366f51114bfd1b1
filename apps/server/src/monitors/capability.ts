import type { Capability } from '../capability.ts'
import { monitorTables } from './ledger/migrations/0036-monitors.ts'
import { monitorIncidents } from './ledger/migrations/0056-monitor-incidents.ts'
import { pastConfigs } from './ledger/migrations/0054-past-configs.ts'
import { monitorResults } from './ledger/migrations/0072-monitor-results.ts'
import { resultsByTime } from './ledger/migrations/0074-results-by-time.ts'
import { LIMITS } from './limits.ts'
import { statements as resultRows } from './telemetry/migrations/0021-check-in-results.ts'

/** What runs on a schedule, and says that it did. */
export const monitors: Capability = {
  name: 'monitors',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [
    { number: 36, name: 'monitors', statements: monitorTables(dialect) },
    { number: 54, name: 'past-configs', statements: pastConfigs(dialect) },
    { number: 56, name: 'monitor-incidents', statements: monitorIncidents(dialect) },
    { number: 72, name: 'monitor-results', statements: monitorResults(dialect) },
    { number: 74, name: 'results of monitors by time', statements: resultsByTime() },
  ],
  telemetryMigrations: [{ number: 21, name: 'check-in results', statements: resultRows }],
  datasets: async () => [(await import('./telemetry/result-dataset.ts')).checkInsDataset],
  agingTables: [{ table: 'check_in_results', time: 'decided' }],
  itemRules: new Map([['check_in', { bytes: LIMITS.CHECK_IN_ITEM_BYTES, json: 'refuse' }]]),
  digest: async () => [(await import('./digest.ts')).createCheckInItems()],
  serve: async (parts) => (await import('./serve.ts')).serveMonitors(parts),
}
