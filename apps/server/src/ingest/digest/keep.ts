import { isUtf8 } from 'node:buffer'
import type { KeptItem } from '../../issues/events.store.ts'
import { LIMITS } from '../../limits.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import type { LedgerBlob } from '../../issues/issues.store.ts'
import type { PreparedItem } from './prepare-batch.ts'

export interface Kept {
  /** One for each prepared item, in order. */
  readonly items: readonly KeptItem[]
  /** Each stored blob once. */
  readonly blobs: readonly LedgerBlob[]
}

const TRACE_ID = /^[0-9a-f]{32}$/
const FILENAME_LENGTH = 1024

/** Makes rows of kept items: short text stays inline, everything else goes to the blob store first. */
export const keepItems = async (prepared: readonly PreparedItem[], blobs: BlobStore): Promise<Kept> => {
  const outside = prepared.filter((entry) => !isInline(entry.item.item.payload))
  const keys = outside.length === 0 ? [] : await blobs.put(outside.map(asBlob))
  const keyOf = new Map(outside.map((entry, index) => [entry, keys[index]]))
  const stored = new Map<string, LedgerBlob>()
  for (const [entry, key] of keyOf) {
    if (key === undefined) throw new Error('The blob store answered with fewer keys than it was given blobs.')
    const { item } = entry
    stored.set(key, {
      key,
      organizationId: item.sender.organizationId,
      bytes: item.item.payload.byteLength,
      receivedAt: item.receivedAt,
    })
  }
  return { items: prepared.map((entry) => keptItem(entry, keyOf.get(entry) ?? null)), blobs: [...stored.values()] }
}

const isInline = (payload: Uint8Array): boolean =>
  payload.byteLength <= LIMITS.KEPT_INLINE_BYTES && isUtf8(payload) && !payload.includes(0)

const asBlob = ({ item }: PreparedItem): { organizationId: number; bytes: Uint8Array } => ({
  organizationId: item.sender.organizationId,
  bytes: item.item.payload,
})

const text = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()

const keptItem = ({ item, id }: PreparedItem, blobKey: string | null): KeptItem => {
  const { header, payload } = item.item
  const traceId = item.header.trace?.['trace_id'] ?? null
  return {
    organizationId: item.sender.organizationId,
    projectId: item.sender.projectId,
    id,
    itemType: header.type,
    eventId: item.eventId,
    traceId: traceId !== null && TRACE_ID.test(traceId) ? traceId : null,
    receivedAt: item.receivedAt,
    envelopeHeader: JSON.stringify(item.header.raw),
    itemHeader: JSON.stringify(header.raw),
    filename: header.filename?.slice(0, FILENAME_LENGTH).toWellFormed() ?? null,
    contentType: header.contentType,
    bytes: payload.byteLength,
    payload: blobKey === null ? text(payload) : null,
    blobKey,
  }
}
