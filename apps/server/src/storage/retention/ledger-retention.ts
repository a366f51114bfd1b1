import { LIMITS } from '../limits.ts'
import { chunks, ROWS_PER_STATEMENT } from '../ledger/chunks.ts'
import type { Ledger } from '../ledger/ledger.ts'

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

/** Takes the records of expired blobs out, a step at a time. */
export const takeExpiredBlobs = (ledger: Ledger, now: number): Promise<{ key: string; bytes: number }[]> =>
  ledger.transaction(async (transaction) => {
    const rows = await transaction
      .selectFrom('blobs')
      .select(['key', 'bytes'])
      .where('expires_at', '<', now)
      .orderBy('expires_at')
      .limit(LIMITS.HOUSEKEEPING_BLOBS)
      .execute()
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
