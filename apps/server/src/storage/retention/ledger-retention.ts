import { LIMITS } from '../limits.ts'
import { chunks, ROWS_PER_STATEMENT } from '../ledger/chunks.ts'
import type { Ledger, LedgerTransaction } from '../ledger/ledger.ts'

/** What retention itself changes in the ledger, in short transactions, between which others write. */

/** Notes how far the removal reaches, before it begins. It is never taken back: what is gone stays gone. */
export const noteReach = async (ledger: Ledger, organizationIds: readonly number[], before: number): Promise<void> => {
  for (const part of chunks(organizationIds, ROWS_PER_STATEMENT)) {
    await ledger.db
      .updateTable('organizations')
      .set({ removed_before: before })
      .where('id', 'in', part)
      .where(({ or, eb }) => or([eb('removed_before', 'is', null), eb('removed_before', '<', before)]))
      .execute()
  }
}

/** Takes the records of blobs out that came before a moment and that nothing is about to name, a step at a time. */
export const takeOldBlobs = (
  ledger: Ledger,
  { before, now, organizationId }: { readonly before: number; readonly now: number; readonly organizationId: number },
): Promise<readonly { readonly key: string; readonly bytes: number }[]> =>
  take(ledger, now, (all) =>
    all.where('organization_id', '=', organizationId).where('received_at', '<', before).orderBy('received_at'),
  )

/** The same of organisations that are gone. */
export const takeBlobsOfNobody = (
  ledger: Ledger,
  now: number,
): Promise<readonly { readonly key: string; readonly bytes: number }[]> =>
  take(ledger, now, (all) =>
    all.where('organization_id', 'not in', (from) => from.selectFrom('organizations').select('id')),
  )

const someBlobs = (transaction: LedgerTransaction, now: number) =>
  transaction
    .selectFrom('blobs')
    .select(['key', 'bytes'])
    .where('needed_until', '<', now)
    .limit(LIMITS.HOUSEKEEPING_BLOBS)
type SomeBlobs = ReturnType<typeof someBlobs>

const take = (ledger: Ledger, now: number, choose: (all: SomeBlobs) => SomeBlobs) =>
  ledger.transaction(async (transaction) => {
    const rows = await choose(someBlobs(transaction, now)).execute()
    if (rows.length > 0) {
      const keys = rows.map((row) => row.key)
      await transaction.deleteFrom('blobs').where('key', 'in', keys).execute()
      await transaction.deleteFrom('blob_holders').where('key', 'in', keys).execute()
    }
    return rows
  })

export const findDeletedProjects = (ledger: Ledger, now: number): Promise<{ id: number }[]> =>
  ledger.db
    .selectFrom('projects')
    .select('id')
    .where('deleted_at', 'is not', null)
    .where('deleted_at', '<', now - LIMITS.DELETION_UNDO_MS)
    .execute()
