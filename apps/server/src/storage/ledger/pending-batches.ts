import { sql } from 'kysely'
import type { Ledger } from './ledger.ts'

/** Batches of the digest that the ledger has and telemetry may not have yet. */
export const pendingBatches = (db: Ledger['db']) =>
  db.selectFrom('digest_progress').select(['spool', 'batch']).where('pending_segment', 'is not', null)

/** Those of them that became so by a moment. @param moment a column of the statement around it, with its table */
export const pendingBy = (db: Ledger['db'], moment: string) =>
  pendingBatches(db).where(sql<boolean>`${sql.ref('digest_progress.updated_at')} <= ${sql.ref(moment)}`)
