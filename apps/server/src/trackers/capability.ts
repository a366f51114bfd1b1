import type { Capability } from '../capability.ts'
import { trackerTables } from './ledger/migrations/0045-trackers.ts'
import { restsOfTrackers } from './ledger/migrations/0055-rests-of-trackers.ts'
import { looksAtTickets } from './ledger/migrations/0059-looks-at-tickets.ts'
import { LIMITS } from './limits.ts'

/** Issue trackers: tickets of issues and reports, whose states follow each other both ways. */
export const trackers: Capability = {
  name: 'trackers',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [
    { number: 45, name: 'trackers', statements: trackerTables(dialect) },
    { number: 55, name: 'rests of trackers', statements: restsOfTrackers(dialect) },
    { number: 59, name: 'looks at tickets', statements: looksAtTickets(dialect) },
  ],
  serve: async (parts) => (await import('./serve.ts')).serveTrackers(parts),
}
