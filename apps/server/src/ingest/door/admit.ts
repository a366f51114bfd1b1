import {
  decodeUtf8,
  isKnownItemType,
  isObject,
  jsonDepthWithin,
  needsEventId,
  normaliseEventId,
} from '@firsthand/protocol'
import type { Item } from '@firsthand/protocol'
import { err, ok, type Result } from '../../lib/result.ts'
import { sizeOf } from '../payload-file.ts'
import type { Steps } from '../../lib/sliced-work.ts'
import { isSurelyJsonObject } from './json-syntax.ts'
import { refuse, type Refusal } from './refusal.ts'
import { largerItem } from './refused.ts'
import type { Draft } from './draft.ts'
import type { Limits } from './door.ts'
import type { ItemRules } from './item-rules.ts'

/** What a look at the items found. */
interface Admission {
  /** Items to go on with, in order. */
  readonly items: readonly Item[]
  /** Items that are left out without refusing the envelope. */
  readonly dropped: readonly { readonly item: Item; readonly reason: string }[]
  /** Header's id, else the one in the event's payload, else a new one when the items need one (protocol.md checks 20–22). */
  readonly eventId: string | null
}

/**
 * Sizes, counts and JSON syntax of all items. A refusal is about the whole envelope and names the item's type. Yields when
 * `DOOR_TURN_BYTES` have been read since the last time, at the end of an item: none of those is larger than
 * `EVENT_BYTES`.
 */
export const admitSteps = function* (
  draft: Draft,
  { limits, rules }: { readonly limits: Limits; readonly rules: ItemRules },
  newEventId: () => string,
): Steps<Result<Admission, Refusal>> {
  const { header, items } = draft.envelope
  const tooMuch = overLimit(items, limits, rules)
  if (tooMuch !== null) return err(tooMuch)

  const kept: Item[] = []
  const dropped: { item: Item; reason: string }[] = []
  let needed = false
  let payloadEventId: string | null = null
  let read = 0
  for (const item of items) {
    const { type } = item.header
    needed ||= needsEventId(type)
    const treatment = rules.get(type)?.json
    if (treatment === undefined) {
      kept.push(item)
      continue
    }
    if (read > limits.DOOR_TURN_BYTES) {
      read = 0
      yield
    }
    read += item.payload.byteLength
    // Only for an id that the header does not have must the payload be read.
    if (header.eventId !== null && isSurelyJsonObject(item.payload, limits.JSON_DEPTH)) {
      kept.push(item)
      continue
    }
    const json = readJsonObject(item.payload, limits.JSON_DEPTH)
    if (json.ok) {
      kept.push(item)
      payloadEventId ??= normaliseEventId(json.value['event_id'])
    } else if (treatment === 'drop') {
      dropped.push({ item, reason: 'invalid_json' })
    } else {
      return err(refuse(400, 'invalid_json', `invalid JSON in item of type ${type}`, { causes: [json.error] }))
    }
  }
  const eventId = header.eventId ?? (needed ? (payloadEventId ?? newEventId()) : null)
  return ok({ items: kept, dropped, eventId })
}

const overLimit = (items: readonly Item[], limits: Limits, rules: ItemRules): Refusal | null => {
  const counts = new Map<string, number>()
  for (const item of items) {
    const { header } = item
    const rule = rules.get(header.type)
    const name = isKnownItemType(header.type) ? header.type : 'unknown'
    const maxBytes = rule?.bytes ?? limits.ITEM_BYTES
    if (sizeOf(item) > maxBytes) return largerItem(name, maxBytes)
    if (rule?.perEnvelope === undefined) continue
    const count = (counts.get(header.type) ?? 0) + 1
    counts.set(header.type, count)
    if (count > rule.perEnvelope) {
      return refuse(413, 'too_many_items', `envelope has more than ${rule.perEnvelope} items of type ${name}`)
    }
  }
  return null
}

/** Depth is measured before parsing, because everything that walks deep values overflows (protocol.md check 103). */
export const readJsonObject = (payload: Uint8Array, maxDepth: number): Result<Record<string, unknown>, string> => {
  if (!jsonDepthWithin(payload, maxDepth)) return err(`nested deeper than ${maxDepth} levels`)
  try {
    const value: unknown = JSON.parse(decodeUtf8(payload))
    return isObject(value) ? ok(value) : err('not a JSON object')
  } catch {
    return err('not JSON')
  }
}
