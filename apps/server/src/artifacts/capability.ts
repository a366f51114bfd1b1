import type { Capability } from '../capability.ts'
import { artifactTables } from './ledger/migrations/0049-artifacts.ts'
import { preparedMaps } from './ledger/migrations/0050-prepared-maps.ts'
import { bytesOfPreparedMaps } from './ledger/migrations/0058-bytes-of-prepared-maps.ts'
import { siteMaps } from './ledger/migrations/0067-site-maps.ts'
import { debugFileTable } from './ledger/migrations/0071-debug-files.ts'
import { prepareAttempts } from './ledger/migrations/0073-prepare-attempts.ts'
import { LIMITS } from './limits.ts'

/** What builds upload, so that minified code can be read: source maps and the code they belong to. */
export const artifacts: Capability = {
  name: 'artifacts',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [
    { number: 49, name: 'artifacts', statements: artifactTables(dialect) },
    { number: 50, name: 'prepared maps', statements: preparedMaps(dialect) },
    { number: 58, name: 'bytes of prepared maps', statements: bytesOfPreparedMaps(dialect) },
    { number: 67, name: 'site maps', statements: siteMaps(dialect) },
    { number: 71, name: 'debug files', statements: debugFileTable(dialect) },
    { number: 73, name: 'attempts at source maps', statements: prepareAttempts(dialect) },
  ],
  serve: async (parts) => (await import('./serve.ts')).serveArtifacts(parts),
}
