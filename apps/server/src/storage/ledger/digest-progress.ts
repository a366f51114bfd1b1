import type { DigestProgress, LedgerBatch } from '../../issues/issues.store.ts'
import type { SpoolPosition } from '../../ingest/road.ts'
import type { Ledger, LedgerTransaction } from './ledger.ts'
import type { DigestProgressTable } from './schema.ts'

/**
 * How far a spool was digested. A batch is pending from `apply` (its ledger changes are committed) until `settle` (its
 * telemetry is stored); the row changes in the same transaction as the issues, so the two never disagree.
 */

const START: DigestProgress = { batch: 0, position: { segment: 0, offset: 0 }, pending: null }

const toProgress = (row: DigestProgressTable): DigestProgress => ({
  batch: row.batch,
  position: { segment: row.segment, offset: row.offset },
  pending:
    row.pending_segment === null || row.pending_offset === null
      ? null
      : { segment: row.pending_segment, offset: row.pending_offset },
})

export const readProgress = async (db: Ledger['db'] | LedgerTransaction, spool: string): Promise<DigestProgress> => {
  const row = await db.selectFrom('digest_progress').selectAll().where('spool', '=', spool).executeTakeFirst()
  return row === undefined ? START : toProgress(row)
}

const samePosition = (a: SpoolPosition, b: SpoolPosition): boolean => a.segment === b.segment && a.offset === b.offset

/**
 * Whether the batch is the next one or the pending one once more.
 *
 * @throws Error for any other number: applying it would count events twice or skip some
 */
export const placeOfBatch = (progress: DigestProgress, batch: LedgerBatch): 'next' | 'repeated' => {
  if (progress.pending === null && batch.number === progress.batch + 1) return 'next'
  if (progress.pending !== null && batch.number === progress.batch) {
    if (samePosition(progress.pending, batch.end)) return 'repeated'
    throw new Error(
      `Batch ${batch.number} of spool ${batch.spool} was applied up to ${progress.pending.segment}:${progress.pending.offset} and is repeated up to ${batch.end.segment}:${batch.end.offset}: a repeated batch must hold exactly the same records.`,
    )
  }
  throw new Error(
    `Batch ${batch.number} of spool ${batch.spool} cannot be applied: ${progress.batch} is ${progress.pending === null ? 'settled' : 'pending'}. Read progress() again and continue from there.`,
  )
}

export const markPending = async (transaction: LedgerTransaction, batch: LedgerBatch, now: number): Promise<void> => {
  const pending = { batch: batch.number, pending_segment: batch.end.segment, pending_offset: batch.end.offset }
  await transaction
    .insertInto('digest_progress')
    .values({ spool: batch.spool, segment: 0, offset: 0, updated_at: now, ...pending })
    .onConflict((conflict) => conflict.column('spool').doUpdateSet({ ...pending, updated_at: now }))
    .execute()
}

export const markSettled = async (db: Ledger['db'], spool: string, batch: number, now: number): Promise<void> => {
  await db
    .updateTable('digest_progress')
    .set((expression) => ({
      segment: expression.ref('pending_segment').$notNull(),
      offset: expression.ref('pending_offset').$notNull(),
      pending_segment: null,
      pending_offset: null,
      updated_at: now,
    }))
    .where('spool', '=', spool)
    .where('batch', '=', batch)
    .where('pending_segment', 'is not', null)
    .execute()
}
