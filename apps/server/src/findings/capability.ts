import type { Capability } from '../capability.ts'
import { findingTables } from './ledger/migrations/0017-findings.ts'
import { LIMITS } from './limits.ts'

/** Problems that spans show: issues that nobody had to throw. */
export const findings: Capability = {
  name: 'findings',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [{ number: 17, name: 'findings', statements: findingTables(dialect) }],
  serve: async (parts) => (await import('./serve.ts')).serveFindings(parts),
}
