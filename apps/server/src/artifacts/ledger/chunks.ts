import { chunks as portionsOf, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { Ledger, LedgerTransaction } from '../../storage/ledger/ledger.ts'
import { noteBlobsUntil } from '../../storage/ledger/note-blobs.ts'
import { holdBlobs, releaseHolders } from '../../storage/ledger/release-blobs.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import { chunkHolder, HELD_SOON_MS, UNTIL_RELEASED } from './keeping.ts'

export type Chunks = ReturnType<typeof createChunks>

/** Pieces of uploads, by organisation and SHA-1. */
export const createChunks = ({
  ledger,
  blobs,
}: {
  readonly ledger: Ledger
  readonly blobs: Pick<BlobStore, 'put' | 'get'>
}) => {
  /** Their blobs by checksum, of those that are there. */
  const keysOf = async (
    organizationId: number,
    checksums: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly key: string; readonly bytes: number }>> => {
    const found = new Map<string, { key: string; bytes: number }>()
    for (const part of portionsOf([...new Set(checksums)], ROWS_PER_STATEMENT)) {
      const rows = await ledger.db
        .selectFrom('artifact_chunks')
        .select(['checksum', 'blob_key', 'bytes'])
        .where('organization_id', '=', organizationId)
        .where('checksum', 'in', part)
        .execute()
      for (const row of rows) found.set(row.checksum, { key: row.blob_key, bytes: row.bytes })
    }
    return found
  }

  const touch = async (organizationId: number, checksums: readonly string[], now: number): Promise<void> => {
    for (const part of portionsOf([...new Set(checksums)], ROWS_PER_STATEMENT)) {
      await ledger.db
        .updateTable('artifact_chunks')
        .set({ used_at: now })
        .where('organization_id', '=', organizationId)
        .where('checksum', 'in', part)
        .execute()
    }
  }

  return {
    keysOf,
    touch,

    /** Its bytes are on disk when this resolves, and stay for a while. */
    keep: async (organizationId: number, checksum: string, bytes: Uint8Array, now: number): Promise<void> => {
      const [key] = await blobs.put([{ organizationId, bytes }])
      if (key === undefined) throw new Error('The blob store gave no key for a piece of an upload.')
      const blob = { key, organizationId, bytes: bytes.byteLength }
      await noteBlobsUntil(ledger.db, [blob], now + HELD_SOON_MS)
      await ledger.transaction(async (transaction) => {
        await noteBlobsUntil(transaction, [blob], UNTIL_RELEASED)
        await holdBlobs(transaction, chunkHolder(organizationId, checksum), [key])
        await transaction
          .insertInto('artifact_chunks')
          .values({
            organization_id: organizationId,
            checksum,
            blob_key: key,
            bytes: bytes.byteLength,
            used_at: now,
          })
          .onConflict((conflict) =>
            conflict.columns(['organization_id', 'checksum']).doUpdateSet({ used_at: now, blob_key: key }),
          )
          .execute()
      })
    },

    read: (key: string): Promise<Uint8Array | null> => blobs.get(key),

    keptBytes: async (organizationId: number): Promise<number> => {
      const row = await ledger.db
        .selectFrom('artifact_chunks')
        .select(({ fn }) => fn.sum<number | string | null>('bytes').as('bytes'))
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
      return Number(row?.bytes ?? 0)
    },

    /** Lets some go that were last used before. @returns how many */
    forget: (before: number): Promise<number> => ledger.transaction((transaction) => forgetSome(transaction, before)),
  }
}

const forgetSome = async (transaction: LedgerTransaction, before: number): Promise<number> => {
  const rows = await transaction
    .selectFrom('artifact_chunks')
    .select(['organization_id', 'checksum'])
    .where('used_at', '<', before)
    .orderBy('used_at')
    .limit(ROWS_PER_STATEMENT)
    .execute()
  await releaseHolders(
    transaction,
    rows.map((row) => chunkHolder(row.organization_id, row.checksum)),
  )
  for (const [organizationId, own] of Map.groupBy(rows, (row) => row.organization_id)) {
    await transaction
      .deleteFrom('artifact_chunks')
      .where('organization_id', '=', organizationId)
      .where(
        'checksum',
        'in',
        own.map(({ checksum }) => checksum),
      )
      .execute()
  }
  return rows.length
}
