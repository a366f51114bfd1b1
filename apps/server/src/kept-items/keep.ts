import { isUtf8 } from 'node:buffer'
import { fileOf, sizeOf, type Entry } from '../ingest/index.ts'
import { LIMITS } from './limits.ts'
import type { Logger } from '../lib/logger.ts'
import type { BlobStore } from '../storage/blobs/blobs.store.ts'
import type { LedgerBlob } from '../storage/ledger/note-blobs.ts'
import type { KeptItem } from './kept-item.ts'

/** An item with its row, and what of it went to the blob store. */
export interface ReadyItem {
  readonly row: KeptItem
  readonly blob: LedgerBlob | null
  /** Its payload was in a file that is not there any more, or not what it was. */
  readonly isLost: boolean
}

const TRACE_ID = /^[0-9a-f]{32}$/
const FILENAME_LENGTH = 1024

/** Makes rows of items: short text stays inline, everything else goes to the blob store first. In the order of the entries. */
export const keepItems = async (
  entries: readonly Entry<null>[],
  { blobs, logger }: { readonly blobs: BlobStore; readonly logger: Logger },
): Promise<readonly ReadyItem[]> => {
  const outside = entries.filter(({ item: { item } }) => fileOf(item) === null && !isInline(item.payload))
  const keys = outside.length === 0 ? [] : await blobs.put(outside.map(asBlob))
  const keyOf = new Map<Entry<null>, string | null | undefined>(outside.map((entry, index) => [entry, keys[index]]))
  for (const entry of entries) {
    const file = fileOf(entry.item.item)
    // One after the other: each is read to its end.
    if (file === null) continue
    const { organizationId, projectId } = entry.item.sender
    const key = await blobs.putFile({ ...file, organizationId })
    keyOf.set(entry, key)
    if (key !== null) continue
    logger.error('kept items: a file is missing or damaged; what it held is lost. Check the disk of the data folder', {
      path: file.path,
      bytes: file.bytes,
      project: projectId,
    })
  }
  return entries.map((entry) => {
    if (!keyOf.has(entry)) return { row: keptItem(entry, null), blob: null, isLost: false }
    const key = keyOf.get(entry)
    if (key === undefined) throw new Error('The blob store answered with fewer keys than it was given blobs.')
    if (key === null) return { row: keptItem(entry, null), blob: null, isLost: true }
    const { sender, receivedAt, item } = entry.item
    const blob = { key, organizationId: sender.organizationId, bytes: sizeOf(item), receivedAt }
    return { row: keptItem(entry, key), blob, isLost: false }
  })
}

const isInline = (payload: Uint8Array): boolean =>
  payload.byteLength <= LIMITS.KEPT_INLINE_BYTES && isUtf8(payload) && !payload.includes(0)

const asBlob = ({ item }: Entry<null>): { organizationId: number; bytes: Uint8Array } => ({
  organizationId: item.sender.organizationId,
  bytes: item.item.payload,
})

const text = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()

const keptItem = ({ item, id }: Entry<null>, blobKey: string | null): KeptItem => {
  const { header, payload } = item.item
  const traceId = item.header.trace?.['trace_id'] ?? null
  return {
    organizationId: item.sender.organizationId,
    projectId: item.sender.projectId,
    id: id(),
    itemType: header.type,
    eventId: item.eventId,
    traceId: traceId !== null && TRACE_ID.test(traceId) ? traceId : null,
    receivedAt: item.receivedAt,
    envelopeHeader: JSON.stringify(item.header.raw),
    itemHeader: JSON.stringify(header.raw),
    filename: header.filename?.slice(0, FILENAME_LENGTH).toWellFormed() ?? null,
    contentType: header.contentType,
    bytes: sizeOf(item.item),
    payload: blobKey === null ? text(payload) : null,
    blobKey,
  }
}
