import type { Ledger } from './ledger.ts'

/** Batches of the digest that the ledger has and telemetry may not have yet. */
export const pendingBatches = (db: Ledger['db']) =>
  db.selectFrom('digest_progress').select(['spool', 'batch']).where('pending_segment', 'is not', null)
