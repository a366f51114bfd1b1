import type { DigestLedger, DigestProgress, LedgerBatch } from '../../ingest/digest/digest-ledger.ts'
import type { Verdict } from '../../ingest/digest/item-kind.ts'
import type { SpoolPosition } from '../../ingest/road.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Ledger, LedgerTransaction } from './ledger.ts'
import type { DigestProgressTable } from './schema.ts'

/**
 * How far a spool was digested. A batch is pending from `apply` (its ledger changes are committed) until `settle` (its
 * telemetry is stored); the row changes in the same transaction as everything else of the batch, so the two never disagree.
 */

const START: DigestProgress = { batch: 0, position: { segment: 0, offset: 0 }, pending: null, waitingTypes: null }

const toProgress = (row: DigestProgressTable): DigestProgress => ({
  batch: row.batch,
  position: { segment: row.segment, offset: row.offset },
  pending:
    row.pending_segment === null || row.pending_offset === null
      ? null
      : { segment: row.pending_segment, offset: row.pending_offset },
  waitingTypes: row.waiting_types === null ? null : (JSON.parse(row.waiting_types) as string[]),
})

const readProgress = async (db: Ledger['db'] | LedgerTransaction, spool: string): Promise<DigestProgress> => {
  const row = await db.selectFrom('digest_progress').selectAll().where('spool', '=', spool).executeTakeFirst()
  return row === undefined ? START : toProgress(row)
}

const samePosition = (a: SpoolPosition, b: SpoolPosition): boolean => a.segment === b.segment && a.offset === b.offset

/**
 * Whether the batch is the next one or the pending one once more.
 *
 * @throws Error for any other number: applying it would count events twice or skip some
 */
const placeOfBatch = (progress: DigestProgress, batch: LedgerBatch): 'next' | 'repeated' => {
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

const markPending = async (
  transaction: LedgerTransaction,
  batch: LedgerBatch,
  number: number | null,
  now: number,
): Promise<void> => {
  const pending = {
    batch: batch.number,
    pending_segment: batch.end.segment,
    pending_offset: batch.end.offset,
    waiting_types: JSON.stringify(batch.waitingTypes),
  }
  await transaction
    .insertInto('digest_progress')
    .values({ spool: batch.spool, number, segment: 0, offset: 0, updated_at: now, ...pending })
    .onConflict((conflict) => conflict.column('spool').doUpdateSet({ ...pending, updated_at: now }))
    .execute()
}

const markSettled = async (db: Ledger['db'], spool: string, batch: number, now: number): Promise<void> => {
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

/** As many spools as there may ever be: their numbers are the low digits of the numbers of their batches. */
const SPOOLS = 2 ** 20

/**
 * A number for a batch that no other batch of any spool has, since digests of several spools share tables. It is negative;
 * spools from before they had numbers go on with positive ones, in which a hash stands for the spool.
 */
const batchMark = (batch: LedgerBatch, spoolNumber: number | null): number => {
  if (spoolNumber !== null) return -(batch.number * SPOOLS + spoolNumber)
  let hash = 0
  for (const character of batch.spool) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1024
  return batch.number * 1024 + hash
}

/** The number of a spool; of one that was never read, the next that is free. */
const numberOfSpool = async (transaction: LedgerTransaction, spool: string): Promise<number | null> => {
  const known = await transaction
    .selectFrom('digest_progress')
    .select('number')
    .where('spool', '=', spool)
    .executeTakeFirst()
  if (known !== undefined) return known.number
  const { highest } = await transaction
    .selectFrom('digest_progress')
    .select(({ fn }) => fn.max('number').as('highest'))
    .executeTakeFirstOrThrow()
  const number = (highest ?? 0) + 1
  if (number >= SPOOLS) throw new Error(`The ledger counts ${highest} spools; there is no number left for ${spool}.`)
  return number
}

/** The ledger's side of the digest, on both engines. */
export const createDigestLedger = ({ ledger, clock }: { ledger: Ledger; clock: Clock }): DigestLedger => ({
  apply: (batch) =>
    ledger.transaction(async (transaction) => {
      const place = placeOfBatch(await readProgress(transaction, batch.spool), batch)
      const number = await numberOfSpool(transaction, batch.spool)
      const now = clock.now()
      const work = {
        transaction,
        dialect: ledger.dialect,
        batch: batchMark(batch, number),
        isRepeated: place === 'repeated',
        now,
      }
      const verdicts: (readonly Verdict[])[] = []
      for (const part of batch.parts) verdicts.push(await part(work))
      if (place === 'next') await markPending(transaction, batch, number, now)
      return verdicts
    }),
  settle: (spool, batch) => markSettled(ledger.db, spool, batch, clock.now()),
  progress: (spool) => readProgress(ledger.db, spool),
})
