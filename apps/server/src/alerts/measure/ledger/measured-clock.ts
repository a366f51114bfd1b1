import type { Period } from '../../../search/index.ts'
import type { Ledger, LedgerTransaction } from '../../../storage/index.ts'

/** Which minutes are done. Each is done once: in the transaction that keeps what it came to. */
export interface MeasuredClock {
  readonly minute: number
  readonly heardUntil: number
  readonly gap: Period | null
}

const ID = 1

export const createMeasuredClock = ({ ledger }: { readonly ledger: Ledger }) => ({
  read: async (): Promise<MeasuredClock | null> => {
    const row = await ledger.db.selectFrom('measured_clock').selectAll().where('id', '=', ID).executeTakeFirst()
    if (row === undefined) return null
    const { gap_from: from, gap_to: to, heard_until: heardUntil, minute } = row
    return { minute, heardUntil, gap: to === 0 ? null : { from, to } }
  },

  /** From this minute on, when nobody began before. */
  begin: async (minute: number, now: number): Promise<void> => {
    await ledger.db
      .insertInto('measured_clock')
      .values({ id: ID, minute, heard_until: now, gap_from: 0, gap_to: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  },

  /** That somebody listens, and since when nobody did where that is so. */
  hear: async (now: number, gap: Period | null): Promise<void> => {
    await ledger.db
      .updateTable('measured_clock')
      .set({ heard_until: now, ...(gap !== null && { gap_from: gap.from, gap_to: gap.to }) })
      .where('id', '=', ID)
      .where('heard_until', '<=', now)
      .execute()
  },

  /** Goes on after minutes in which nothing could be received. */
  skip: async (from: number, to: number): Promise<void> => {
    await ledger.db
      .updateTable('measured_clock')
      .set({ minute: to })
      .where('id', '=', ID)
      .where('minute', '=', from)
      .execute()
  },

  /** @returns false when the minute before is not the last one that is done: somebody else did this one */
  advance: async (transaction: LedgerTransaction, minute: number): Promise<boolean> => {
    const { numUpdatedRows } = await transaction
      .updateTable('measured_clock')
      .set({ minute })
      .where('id', '=', ID)
      .where('minute', '=', minute - 1)
      .executeTakeFirst()
    return Number(numUpdatedRows) === 1
  },
})

export type MeasuredClocks = ReturnType<typeof createMeasuredClock>
