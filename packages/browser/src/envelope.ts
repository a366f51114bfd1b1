import { headerLine, itemParts } from '@firsthand/protocol/wire'
import { toJson } from './normalise.ts'
import type { Envelope } from './types.ts'

/** An event may have 1 MiB (protocol.md 1.6), and one character up to three bytes. */
const MAX_EVENT_BYTES = 1_000_000
const MAX_LARGE_CHARACTERS = 300_000

const bytesOf = (part: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  typeof part === 'string' ? new TextEncoder().encode(part) : part

/** Of an object that is too large: its smaller members. The error is one of them, what grew without end is not. */
const smallerMembers = (payload: object, limit: number): string => {
  let left = Math.min(MAX_LARGE_CHARACTERS, limit * 0.8)
  const members = Object.entries(payload).map(([key, value]) => `${toJson(key)}:${toJson(value)}`)
  members.sort((one, other) => one.length - other.length)
  return `{${members.filter((member) => (left -= member.length) > 0).join(',')}}`
}

const payloadOf = (payload: object, limit: number): Uint8Array<ArrayBuffer> => {
  const bytes = bytesOf(toJson(payload))
  return bytes.length > limit ? bytesOf(smallerMembers(payload, limit)) : bytes
}

/**
 * The bytes of an envelope (protocol.md 1.1). Items say their length, so they may hold line breaks.
 *
 * @param limit bytes of one event; a larger one loses what is large in it
 */
export const serializeEnvelope = ([headers, items]: Envelope, limit = MAX_EVENT_BYTES): Uint8Array<ArrayBuffer> => {
  const sized = items.map(([header, payload]) => {
    const isRaw = typeof payload === 'string' || payload instanceof Uint8Array
    const bytes = isRaw ? bytesOf(payload) : payloadOf(payload, limit)
    return [header, bytes, bytes.length] as const
  })
  const parts = [headerLine(headers), ...itemParts(sized, toJson)].map(bytesOf)
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
