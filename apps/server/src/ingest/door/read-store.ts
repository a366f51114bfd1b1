import { inflateSync } from 'node:zlib'
import { decodeUtf8, encodeUtf8, itemTypeOfEvent, normaliseEventId } from '@firsthand/protocol'
import { err, ok, type Result } from '../../lib/result.ts'
import { readJsonObject } from './admit.ts'
import { makeDraft, makeItem, type Draft } from './draft.ts'
import { refuse, type Refusal } from './refusal.ts'
import type { Limits } from './door.ts'

/**
 * The body of `/store/`: one event as JSON, as base64 of JSON, or as base64 of zlib-compressed JSON (protocol.md 2.7).
 * Old Python clients write bare `NaN` and `Infinity`, which become null.
 */
export const readStore = (body: Uint8Array, limits: Limits, newEventId: () => string): Result<Draft, Refusal> => {
  const unpacked = unpack(body, limits)
  if (!unpacked.ok) return unpacked
  let payload = unpacked.value
  if (payload.byteLength > limits.EVENT_BYTES) return err(tooLarge(limits))
  let event = readJsonObject(payload, limits.JSON_DEPTH)
  if (!event.ok) {
    payload = encodeUtf8(replaceNonFinite(decodeUtf8(payload)))
    event = readJsonObject(payload, limits.JSON_DEPTH)
  }
  if (!event.ok) return err(refuse(400, 'invalid_json', 'invalid JSON in event', { causes: [event.error] }))
  const eventId = normaliseEventId(event.value['event_id']) ?? newEventId()
  const type = itemTypeOfEvent(event.value['type'])
  return ok(makeDraft(eventId, [makeItem(type, payload, { content_type: 'application/json' })]))
}

const OPEN_BRACE = 0x7b

const unpack = (body: Uint8Array, limits: Limits): Result<Uint8Array, Refusal> => {
  if (body.byteLength === 0) return err(refuse(400, 'invalid_envelope', 'empty request body'))
  // Four characters of base64 carry three bytes, so anything longer is too large even if it is not compressed.
  if (body.byteLength > 2 * limits.EVENT_BYTES) return err(tooLarge(limits))
  if (firstByte(body) === OPEN_BRACE) return ok(body)
  const decoded = Buffer.from(decodeUtf8(body), 'base64')
  if (firstByte(decoded) === OPEN_BRACE) return ok(decoded)
  try {
    return ok(inflateSync(decoded, { maxOutputLength: limits.EVENT_BYTES }))
  } catch (error) {
    const large = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    if (large) return err(tooLarge(limits))
    return err(refuse(400, 'invalid_json', 'body is neither JSON nor base64 of (compressed) JSON'))
  }
}

const tooLarge = (limits: Limits): Refusal =>
  refuse(413, 'too_large', `item of type event is larger than ${limits.EVENT_BYTES} bytes`)

/** The first byte that is not white space or a byte order mark. */
const firstByte = (bytes: Uint8Array): number | undefined => {
  let index = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  while (bytes[index] === 0x20 || bytes[index] === 0x0a || bytes[index] === 0x0d || bytes[index] === 0x09) index++
  return bytes[index]
}

/** One pass that skips strings, so that a word inside one stays. */
const replaceNonFinite = (text: string): string => {
  const pieces: string[] = []
  let copied = 0
  let index = 0
  while (index < text.length) {
    const character = text[index]
    if (character === '"') {
      index = endOfString(text, index)
      continue
    }
    const token = NON_FINITE.find((word) => text.startsWith(word, index))
    if (token === undefined) {
      index++
      continue
    }
    pieces.push(text.slice(copied, index), 'null')
    index += token.length
    copied = index
  }
  return copied === 0 ? text : pieces.join('') + text.slice(copied)
}

const NON_FINITE = ['NaN', 'Infinity', '-Infinity']

const endOfString = (text: string, start: number): number => {
  let index = start + 1
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1
  return index + 1
}
