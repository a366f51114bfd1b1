import type { DataCategory, Item, ItemType } from './types.ts'

/** Item type to data category, as the JavaScript SDK maps it before sending (protocol.md 2.5), plus the types it never sends. */
const CATEGORIES: Readonly<Record<ItemType, DataCategory>> = {
  event: 'error',
  transaction: 'transaction',
  security: 'security',
  attachment: 'attachment',
  form_data: 'attachment',
  raw_security: 'security',
  nel: 'security',
  unreal_report: 'attachment',
  user_report: 'default',
  feedback: 'feedback',
  session: 'session',
  sessions: 'session',
  statsd: 'metric_bucket',
  metric_buckets: 'metric_bucket',
  client_report: 'internal',
  profile: 'profile',
  replay_event: 'replay',
  replay_recording: 'replay',
  replay_video: 'replay',
  check_in: 'monitor',
  log: 'log_item',
  span: 'span',
  otel_span: 'span',
  otel_traces_data: 'span',
  otel_log: 'log_item',
  otel_metrics_data: 'trace_metric',
  profile_chunk: 'profile_chunk',
  trace_metric: 'trace_metric',
}

const byType: ReadonlyMap<string, DataCategory> = new Map(Object.entries(CATEGORIES))

/** Item types that create or belong to an event, so that their envelope needs an event id (protocol.md 1.4). */
const WITH_EVENT_ID: ReadonlySet<string> = new Set<ItemType>([
  'event',
  'transaction',
  'security',
  'attachment',
  'form_data',
  'raw_security',
  'nel',
  'unreal_report',
  'user_report',
  'feedback',
  'replay_event',
  'profile',
])

/** Containers of many spans, logs or metrics in one item. */
const CONTAINERS: ReadonlySet<string> = new Set<ItemType>(['span', 'log', 'trace_metric'])

export const isKnownItemType = (type: string): type is ItemType => byType.has(type)

/** Type of the item that an event becomes which is sent without an envelope, by the `type` in it (protocol.md 2.7). */
export const itemTypeOfEvent = (type: unknown): ItemType => (type === 'transaction' ? type : 'event')

/** `default` for unknown item types. */
export const categoryOf = (type: string): DataCategory => byType.get(type) ?? 'default'

export const needsEventId = (type: string): boolean => WITH_EVENT_ID.has(type)

/** Of these categories SDKs report bytes, not items. */
const IN_BYTES: ReadonlySet<string> = new Set<DataCategory>(['attachment', 'log_byte', 'trace_metric_byte'])

export const isInBytes = (category: string): boolean => IN_BYTES.has(category)

/** How many things an item stands for: `item_count` of a container (never more than it has bytes), at least 1: itself. */
export const countOf = (item: Item): number => {
  const { type, itemCount } = item.header
  if (itemCount === null || !CONTAINERS.has(type)) return 1
  return Math.max(1, Math.min(itemCount, item.payload.byteLength))
}
