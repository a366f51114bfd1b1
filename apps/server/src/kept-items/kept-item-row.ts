import { encodeLines } from '../storage/telemetry/row-writer.ts'
import type { RowTable } from '../storage/telemetry/row-writer.ts'
import { line, milliseconds, text } from '../storage/telemetry/tab-separated.ts'
import type { KeptItem } from './kept-item.ts'

/** In the order in which `keptItemLine` writes them. */
const COLUMNS = [
  'organization_id',
  'project_id',
  'id',
  'item_type',
  'event_id',
  'trace_id',
  'received',
  'envelope_header',
  'item_header',
  'filename',
  'content_type',
  'bytes',
  'payload',
  'blob_key',
] as const

const keptItemLine = (item: KeptItem): string =>
  line([
    item.organizationId,
    item.projectId,
    text(item.id),
    text(item.itemType),
    text(item.eventId ?? ''),
    text(item.traceId ?? ''),
    milliseconds(item.receivedAt),
    text(item.envelopeHeader),
    text(item.itemHeader),
    text(item.filename ?? ''),
    text(item.contentType ?? ''),
    item.bytes,
    text(item.payload ?? ''),
    text(item.blobKey ?? ''),
  ])

export const KEPT_ITEMS: RowTable<KeptItem> = {
  lookup: { table: 'kept_items', id: 'id', idType: 'String', time: 'received' },
  columns: COLUMNS,
  encode: (items) => encodeLines(items, keptItemLine),
  placeOf: ({ projectId, id, receivedAt }) => ({ projectId, id, at: Math.max(0, Math.round(receivedAt)) }),
}
