import type { Capability } from '../capability.ts'
import { releaseTables } from './ledger/migrations/0051-releases.ts'
import { codeMappings } from './ledger/migrations/0063-code-mappings.ts'
import { LIMITS } from './limits.ts'

/** Releases as those who build them speak of them: their commits, where they run, and when. */
export const releases: Capability = {
  name: 'releases',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [
    { number: 51, name: 'releases', statements: releaseTables(dialect) },
    { number: 63, name: 'code mappings', statements: codeMappings(dialect) },
  ],
  serve: async (parts) => (await import('./serve.ts')).serveReleases(parts),
}
