import type { Capability } from '../capability.ts'
import { alertTables } from './ledger/migrations/0042-alerts.ts'
import { LIMITS } from './limits.ts'

/** Saved searches that speak: rules, what they came to, and whom they told. */
export const alerts: Capability = {
  name: 'alerts',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [{ number: 42, name: 'alerts', statements: alertTables(dialect) }],
  serve: async (parts) => (await import('./serve.ts')).serveAlerts(parts),
}
