import { decodeUtf8, isKnownItemType, jsonDepthWithin, needsEventId, normaliseEventId } from '@firsthand/protocol'
import type { Item, ItemType } from '@firsthand/protocol'
import { err, ok, type Result } from '../../lib/result.ts'
import { isSurelyJsonObject } from './json-syntax.ts'
import { refuse, type Refusal } from './refusal.ts'
import type { Draft } from './draft.ts'
import type { Limits } from './door.ts'

/** What a look at the items found. */
interface Admission {
  /** Items to go on with, in order. */
  readonly items: readonly Item[]
  /** Items that are left out without refusing the envelope. */
  readonly dropped: readonly { readonly item: Item; readonly reason: string }[]
  /** Header's id, else the one in the event's payload, else a new one when the items need one (protocol.md checks 20–22). */
  readonly eventId: string | null
}

type SizeLimit =
  | 'EVENT_BYTES'
  | 'ATTACHMENT_BYTES'
  | 'REPLAY_SEGMENT_BYTES'
  | 'CONTAINER_BYTES'
  | 'SESSION_BYTES'
  | 'CLIENT_REPORT_BYTES'
  | 'CHECK_IN_BYTES'
  | 'PROFILE_BYTES'
  | 'MINIDUMP_BYTES'

/** Size limits by item type; all other types are limited like attachments. */
const SIZE_LIMITS: Readonly<Partial<Record<ItemType, SizeLimit>>> = {
  event: 'EVENT_BYTES',
  transaction: 'EVENT_BYTES',
  security: 'EVENT_BYTES',
  raw_security: 'EVENT_BYTES',
  nel: 'EVENT_BYTES',
  feedback: 'EVENT_BYTES',
  user_report: 'EVENT_BYTES',
  form_data: 'EVENT_BYTES',
  replay_event: 'EVENT_BYTES',
  statsd: 'EVENT_BYTES',
  metric_buckets: 'EVENT_BYTES',
  session: 'SESSION_BYTES',
  sessions: 'SESSION_BYTES',
  client_report: 'CLIENT_REPORT_BYTES',
  check_in: 'CHECK_IN_BYTES',
  profile: 'PROFILE_BYTES',
  profile_chunk: 'PROFILE_BYTES',
  replay_recording: 'REPLAY_SEGMENT_BYTES',
  replay_video: 'REPLAY_SEGMENT_BYTES',
  span: 'CONTAINER_BYTES',
  log: 'CONTAINER_BYTES',
  trace_metric: 'CONTAINER_BYTES',
  otel_span: 'CONTAINER_BYTES',
  otel_traces_data: 'CONTAINER_BYTES',
  otel_log: 'CONTAINER_BYTES',
}
const sizeLimits: ReadonlyMap<string, SizeLimit> = new Map(Object.entries(SIZE_LIMITS))

/** How many items of a type one envelope may hold. */
const COUNT_LIMITS: ReadonlyMap<string, (limits: Limits) => number> = new Map<string, (limits: Limits) => number>([
  ['event', () => 1],
  ['transaction', () => 1],
  ['feedback', () => 1],
  ['replay_event', () => 1],
  ['attachment', (limits) => limits.ATTACHMENTS_PER_ENVELOPE],
  ['session', (limits) => limits.SESSIONS_PER_ENVELOPE],
  ['sessions', (limits) => limits.SESSIONS_PER_ENVELOPE],
  ['client_report', (limits) => limits.SESSIONS_PER_ENVELOPE],
  ['span', (limits) => limits.SPANS_V1_PER_ENVELOPE],
])

/**
 * Small JSON items are read here, so that whoever sends broken ones is told. `refuse`: the envelope is worth nothing
 * without it. `drop`: the rest of the envelope lives, and a client report never causes an error (protocol.md 3.9).
 * Containers and profiles are megabytes; the digest reads them.
 */
const JSON_ITEMS: ReadonlyMap<string, 'refuse' | 'drop'> = new Map([
  ['event', 'refuse'],
  ['transaction', 'refuse'],
  ['feedback', 'refuse'],
  ['user_report', 'refuse'],
  ['security', 'refuse'],
  ['raw_security', 'refuse'],
  ['replay_event', 'refuse'],
  ['check_in', 'refuse'],
  // Browsers put several of them into one array; protocol.md check 86 wants 200 for the type whatever it holds.
  ['nel', 'drop'],
  ['session', 'drop'],
  ['sessions', 'drop'],
  ['client_report', 'drop'],
])

/** Sizes, counts and JSON syntax of all items. A refusal is about the whole envelope and names the item's type. */
export const admit = (draft: Draft, limits: Limits, newEventId: () => string): Result<Admission, Refusal> => {
  const { header, items } = draft.envelope
  const tooMuch = overLimit(items, limits)
  if (tooMuch !== null) return err(tooMuch)

  const kept: Item[] = []
  const dropped: { item: Item; reason: string }[] = []
  let needed = false
  let payloadEventId: string | null = null
  for (const item of items) {
    const { type } = item.header
    needed ||= needsEventId(type)
    const treatment = JSON_ITEMS.get(type)
    if (treatment === undefined) {
      kept.push(item)
      continue
    }
    // Only for an id that the header does not have must the payload be read.
    if (header.eventId !== null && isSurelyJsonObject(item.payload, limits.JSON_DEPTH)) {
      kept.push(item)
      continue
    }
    const read = readJsonObject(item.payload, limits.JSON_DEPTH)
    if (read.ok) {
      kept.push(item)
      payloadEventId ??= normaliseEventId(read.value['event_id'])
    } else if (treatment === 'drop') {
      dropped.push({ item, reason: 'invalid_json' })
    } else {
      return err(refuse(400, 'invalid_json', `invalid JSON in item of type ${type}`, { causes: [read.error] }))
    }
  }
  const eventId = header.eventId ?? (needed ? (payloadEventId ?? newEventId()) : null)
  return ok({ items: kept, dropped, eventId })
}

const overLimit = (items: readonly Item[], limits: Limits): Refusal | null => {
  const counts = new Map<string, number>()
  for (const { header, payload } of items) {
    const name = isKnownItemType(header.type) ? header.type : 'unknown'
    const maxBytes = limits[header.attachmentType === 'event.minidump' ? 'MINIDUMP_BYTES' : sizeLimitOf(header.type)]
    if (payload.byteLength > maxBytes) {
      return refuse(413, 'too_large', `item of type ${name} is larger than ${maxBytes} bytes`)
    }
    const maxCount = COUNT_LIMITS.get(header.type)?.(limits)
    if (maxCount === undefined) continue
    const count = (counts.get(header.type) ?? 0) + 1
    counts.set(header.type, count)
    if (count > maxCount) {
      return refuse(413, 'too_many_items', `envelope has more than ${maxCount} items of type ${name}`)
    }
  }
  return null
}

const sizeLimitOf = (type: string): SizeLimit => sizeLimits.get(type) ?? 'ATTACHMENT_BYTES'

/** Depth is measured before parsing, because everything that walks deep values overflows (protocol.md check 103). */
export const readJsonObject = (payload: Uint8Array, maxDepth: number): Result<Record<string, unknown>, string> => {
  if (!jsonDepthWithin(payload, maxDepth)) return err(`nested deeper than ${maxDepth} levels`)
  try {
    const value: unknown = JSON.parse(decodeUtf8(payload))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return err('not a JSON object')
    return ok(value as Record<string, unknown>)
  } catch {
    return err('not JSON')
  }
}
