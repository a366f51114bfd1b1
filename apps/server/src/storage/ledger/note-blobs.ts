import type { Insertable } from 'kysely'
import { DAY_MS } from '../../lib/durations.ts'
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

/** A blob lives as long as the organisation keeps its data, counted from its last arrival. */
export const noteBlobs = async (transaction: LedgerTransaction, blobs: readonly LedgerBlob[]): Promise<void> => {
  if (blobs.length === 0) return
  const organizationIds = [...new Set(blobs.map((blob) => blob.organizationId))]
  const organizations = await transaction
    .selectFrom('organizations')
    .select(['id', 'retention_days'])
    .where('id', 'in', organizationIds)
    .execute()
  const retention = new Map(organizations.map((row) => [row.id, row.retention_days]))
  const rows = new Map<string, Insertable<BlobTable>>()
  for (const blob of blobs) {
    // Without its organisation, a blob may go at once.
    const keptMs = (retention.get(blob.organizationId) ?? 0) * DAY_MS
    rows.set(blob.key, {
      key: blob.key,
      organization_id: blob.organizationId,
      bytes: blob.bytes,
      expires_at: Math.max(rows.get(blob.key)?.expires_at ?? 0, blob.receivedAt + keptMs),
    })
  }
  await raise(transaction, [...rows.values()])
}

/** Notes blobs that nothing names yet: whoever dies before something does leaves nothing that stays. */
export const noteBlobsUntil = (
  db: Pick<LedgerTransaction, 'insertInto' | 'deleteFrom'>,
  blobs: readonly Omit<LedgerBlob, 'receivedAt'>[],
  expiresAt: number,
): Promise<void> =>
  raise(
    db,
    blobs.map(({ key, organizationId, bytes }) => ({
      key,
      organization_id: organizationId,
      bytes,
      expires_at: expiresAt,
    })),
  )

/** The latest day that anything asks for holds, and what was released is needed again. A statement may not name a key twice. */
const raise = async (
  db: Pick<LedgerTransaction, 'insertInto' | 'deleteFrom'>,
  rows: readonly Insertable<BlobTable>[],
): Promise<void> => {
  for (const part of chunks(rows, ROWS_PER_STATEMENT)) {
    await db
      .insertInto('blobs')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet((expression) => ({ expires_at: expression.ref('excluded.expires_at') }))
          .whereRef('blobs.expires_at', '<', 'excluded.expires_at'),
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
