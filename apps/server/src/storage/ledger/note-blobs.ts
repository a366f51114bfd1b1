import type { Insertable } from 'kysely'
import { chunks, ROWS_PER_STATEMENT } from './chunks.ts'
import type { LedgerTransaction } from './ledger.ts'
import type { BlobTable } from './schema.ts'

export interface LedgerBlob {
  readonly key: string
  readonly organizationId: number
  readonly bytes: number
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
}

/** A blob lives as long as its organisation keeps data, counted from its last arrival. */
export const noteBlobs = async (transaction: LedgerTransaction, blobs: readonly LedgerBlob[]): Promise<void> => {
  const rows = new Map<string, Insertable<BlobTable>>()
  for (const blob of blobs) {
    rows.set(blob.key, {
      key: blob.key,
      organization_id: blob.organizationId,
      bytes: blob.bytes,
      needed_until: 0,
      received_at: Math.max(rows.get(blob.key)?.received_at ?? 0, blob.receivedAt),
    })
  }
  await raise(transaction, 'received_at', [...rows.values()])
}

/** Notes blobs that nothing names yet: whoever dies before something does leaves nothing that stays. */
export const noteBlobsUntil = (
  db: Pick<LedgerTransaction, 'insertInto' | 'deleteFrom'>,
  blobs: readonly Omit<LedgerBlob, 'receivedAt'>[],
  neededUntil: number,
): Promise<void> =>
  raise(
    db,
    'needed_until',
    blobs.map(({ key, organizationId, bytes }) => ({
      key,
      organization_id: organizationId,
      bytes,
      needed_until: neededUntil,
      received_at: 0,
    })),
  )

/** The latest time that anything asks for holds, and what was released is needed again. A statement may not name a key twice. */
const raise = async (
  db: Pick<LedgerTransaction, 'insertInto' | 'deleteFrom'>,
  time: 'needed_until' | 'received_at',
  rows: readonly Insertable<BlobTable>[],
): Promise<void> => {
  for (const part of chunks(rows, ROWS_PER_STATEMENT)) {
    await db
      .insertInto('blobs')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet(({ ref }) => ({ [time]: ref(`excluded.${time}`) }))
          .whereRef(`blobs.${time}`, '<', `excluded.${time}`),
      )
      .execute()
    await db
      .deleteFrom('blob_releases')
      .where(
        'key',
        'in',
        part.map(({ key }) => key),
      )
      .execute()
  }
}
