import { createHash } from 'node:crypto'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'

/** Which webhooks came. */
export const createHooks = ({ ledger }: { readonly ledger: Ledger }) => ({
  /**
   * @param deliveryId null where it has none: then it is heard each time, which changes nothing
   * @param hear what it says, in the transaction that remembers that it came
   * @returns null when one of this id came before: that is not heard
   */
  note: <Heard>(
    trackerId: number,
    deliveryId: string | null,
    now: number,
    hear: (transaction: LedgerTransaction) => Promise<Heard>,
  ): Promise<Heard | null> =>
    ledger.transaction(async (transaction) => {
      await transaction.updateTable('trackers').set({ last_heard_at: now }).where('id', '=', trackerId).execute()
      if (deliveryId === null) return hear(transaction)
      const hash = createHash('sha256').update(deliveryId).digest('base64url').slice(0, 32)
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('tracker_hooks')
        .values({ tracker_id: trackerId, hash, received_at: now })
        .onConflict((conflict) => conflict.columns(['tracker_id', 'hash']).doNothing())
        .executeTakeFirst()
      return (numInsertedOrUpdatedRows ?? 0n) > 0n ? hear(transaction) : null
    }),

  forgetOld: async (now: number): Promise<void> => {
    await ledger.db
      .deleteFrom('tracker_hooks')
      .where('received_at', '<', now - LIMITS.TRACKER_HOOK_MEMORY_MS)
      .execute()
  },
})

export type Hooks = ReturnType<typeof createHooks>
