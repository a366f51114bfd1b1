import type { Capability } from '../capability.ts'
import { noticeTables } from './ledger/migrations/0037-notices.ts'
import { mailsThatWait } from './ledger/migrations/0046-mails-that-wait.ts'
import { noticesOfReports } from './ledger/migrations/0062-notices-of-reports.ts'
import { LIMITS } from './limits.ts'

/** What people are told, and how each of them wants it. */
export const notices: Capability = {
  name: 'notices',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [
    { number: 37, name: 'notices', statements: noticeTables(dialect) },
    { number: 46, name: 'mails that wait', statements: mailsThatWait(dialect) },
    { number: 62, name: 'notices of reports', statements: noticesOfReports(dialect) },
  ],
  serve: async (parts) => (await import('./serve.ts')).serveNotices(parts),
}
