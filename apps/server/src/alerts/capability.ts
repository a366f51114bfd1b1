import type { Capability } from '../capability.ts'
import { alertTables } from './ledger/migrations/0042-alerts.ts'
import { alertsByReceiver } from './ledger/migrations/0047-alerts-by-receiver.ts'
import { untoldEnds } from './ledger/migrations/0052-untold-ends.ts'
import { saidByAnother } from './ledger/migrations/0065-said-by-another.ts'
import { highWhileGathered } from './ledger/migrations/0069-high-while-gathered.ts'
import { endsTakenBack } from './ledger/migrations/0070-ends-taken-back.ts'
import { LIMITS } from './limits.ts'
import { measuredTables } from './measure/ledger/migrations/0044-measured.ts'
import { byReceived } from './measure/telemetry/migrations/0017-by-received.ts'

/** Saved searches that speak: rules, what they came to, and whom they told. */
export const alerts: Capability = {
  name: 'alerts',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [
    { number: 42, name: 'alerts', statements: alertTables(dialect) },
    { number: 44, name: 'alerts about how much', statements: measuredTables(dialect) },
    { number: 47, name: 'alerts by receiver', statements: alertsByReceiver(dialect) },
    { number: 52, name: 'ends that are not told yet', statements: untoldEnds() },
    { number: 65, name: 'what another alert says', statements: saidByAnother(dialect) },
    { number: 69, name: 'what is high while it waits', statements: highWhileGathered(dialect) },
    { number: 70, name: 'ends that are taken back', statements: endsTakenBack(dialect) },
  ],
  telemetryMigrations: [{ number: 17, name: 'rows by when they were received', statements: byReceived }],
  serve: async (parts) => (await import('./serve.ts')).serveAlerts(parts),
}
