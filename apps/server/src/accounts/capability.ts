import type { Capability } from '../capability.ts'
import { MAKERS_COUNTED, makersOfTokens } from './ledger/migrations/0005-makers-of-tokens.ts'
import { byteQuotas } from './ledger/migrations/0007-byte-quotas.ts'
import { reachOfRetention } from './ledger/migrations/0008-reach-of-retention.ts'
import { personalTokens } from './ledger/migrations/0011-personal-tokens.ts'
import { LIMITS } from './limits.ts'

/** Organisations, people, projects, keys and tokens. */
export const accounts: Capability = {
  name: 'accounts',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [
    { number: 5, name: 'makers of tokens', statements: makersOfTokens(dialect), counts: MAKERS_COUNTED },
    { number: 7, name: 'byte quotas', statements: byteQuotas(dialect) },
    { number: 8, name: 'reach of retention', statements: reachOfRetention(dialect) },
    { number: 11, name: 'personal tokens', statements: personalTokens(dialect) },
  ],
  serve: async (parts) => (await import('./serve.ts')).serveAccounts(parts),
}
