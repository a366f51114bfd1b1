import type { LedgerWork } from '../../ingest/index.ts'
import type { Ledger } from '../../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import { pendingBy } from '../../storage/ledger/pending-batches.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { LIMITS } from '../limits.ts'

/** What the ledger knows of days of spans: how many rows came, and how many of them the sums of the day have. */

export interface SpanDay {
  readonly day: number
  readonly spans: number
}

const add = async (
  db: Ledger['db'] | LedgerWork['transaction'],
  days: readonly SpanDay[],
  { now, known }: { readonly now: number; readonly known: 'further' | 'all' },
): Promise<void> => {
  // In their order, so that two that write at once never wait for each other.
  const inOrder = days.toSorted((one, other) => one.day - other.day)
  for (const part of chunks(inOrder, ROWS_PER_STATEMENT)) {
    await db
      .insertInto('span_days')
      .values(part.map(({ day, spans }) => ({ day, spans, changed_at: now, summed: null })))
      .onConflict((conflict) =>
        conflict.column('day').doUpdateSet(({ eb, ref }) => {
          const larger = (column: 'spans' | 'changed_at') =>
            eb
              .case()
              .when(ref(`excluded.${column}`), '>', ref(`span_days.${column}`))
              .then(ref(`excluded.${column}`))
              .else(ref(`span_days.${column}`))
              .end()
          return {
            spans: known === 'further' ? eb('span_days.spans', '+', ref('excluded.spans')) : larger('spans'),
            changed_at: larger('changed_at'),
          }
        }),
      )
      .execute()
  }
}

/** Rows of a batch, in its transaction: from then on the sums of their days are not true. */
export const noteSpans = (
  { now, transaction }: Pick<LedgerWork, 'now' | 'transaction'>,
  times: Iterable<number>,
): Promise<void> => {
  const days = new Map<number, number>()
  for (const at of times) {
    const day = Math.floor(at / DAY_MS)
    days.set(day, (days.get(day) ?? 0) + 1)
  }
  return add(
    transaction,
    [...days].map(([day, spans]) => ({ day, spans })),
    { now, known: 'further' },
  )
}

/** Days of which there are more rows than any batch noted: from before this was noted, or out of a backup. */
export const noteFound = (ledger: Ledger, days: readonly SpanDay[]): Promise<void> =>
  add(ledger.db, days, { now: 0, known: 'all' })

/**
 * Days that can be summed up: they are over, have been left alone for a while, and all rows that were noted are stored.
 * A batch is noted in the ledger before its rows are written, and stays pending until they are.
 */
export const dueDays = async ({ db }: Ledger, now: number): Promise<SpanDay[]> =>
  db
    .selectFrom('span_days')
    .select(['day', 'spans'])
    .where('day', '<', Math.floor(now / DAY_MS))
    .where('spans', '>=', LIMITS.SPAN_DAY_ROWS)
    .where('changed_at', '<=', now - LIMITS.SPAN_DAY_QUIET_MS)
    .where(({ or, eb, ref }) => or([eb('summed', 'is', null), eb('summed', '!=', ref('spans'))]))
    .where(({ not, exists }) => not(exists(pendingBy(db, 'span_days.changed_at'))))
    .orderBy('day', 'desc')
    .execute()

/** The sums have all that was there when they were begun; when more came since, they are not true. */
export const markSummed = async ({ db }: Ledger, { day, spans }: SpanDay): Promise<void> => {
  await db.updateTable('span_days').set({ summed: spans }).where('day', '=', day).execute()
}

/** Days whose sums the ledger takes to be true, with what they were made of. */
export const summedDays = async ({ db }: Ledger): Promise<SpanDay[]> =>
  db.selectFrom('span_days').select(['day', 'spans']).whereRef('summed', '=', 'spans').orderBy('day').execute()

export const markUnsummed = async ({ db }: Ledger, days: readonly number[]): Promise<void> => {
  for (const part of chunks(days, ROWS_PER_STATEMENT)) {
    await db.updateTable('span_days').set({ summed: null }).where('day', 'in', part).execute()
  }
}

/** None of its spans is kept any more; those that come now make it anew. */
export const forgetDay = async ({ db }: Ledger, { day, spans }: SpanDay): Promise<void> => {
  await db.deleteFrom('span_days').where('day', '=', day).where('spans', '=', spans).execute()
}

/** Days whose sums are true and of which an organisation keeps every span. */
export const trueDays = async (
  { db }: Ledger,
  organizationId: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<number[]> => {
  const organization = await db
    .selectFrom('organizations')
    .select('removed_before')
    .where('id', '=', organizationId)
    .executeTakeFirst()
  const rows = await db
    .selectFrom('span_days')
    .select('day')
    .whereRef('summed', '=', 'spans')
    .where('day', '>=', Math.ceil(Math.max(from, organization?.removed_before ?? 0) / DAY_MS))
    .where('day', '<', Math.floor(to / DAY_MS))
    .orderBy('day')
    .execute()
  return rows.map(({ day }) => day)
}
