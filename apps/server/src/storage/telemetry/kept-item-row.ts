import type { KeptItem } from '../../issues/events.store.ts'
import { line, milliseconds, text } from './tab-separated.ts'

/** Columns of `kept_items` in the order in which `keptItemLine` writes them. */
export const KEPT_ITEM_COLUMNS = [
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

export const keptItemLine = (item: KeptItem): string =>
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
