import { promisify } from 'node:util'
import { inflate, inflateSync } from 'node:zlib'
import { EventType, readEvents, type RecordedEvent } from '@firsthand/recording'
import { isObject } from '@firsthand/protocol'
import { err, ok, type Result } from '../../lib/result.ts'
import { LIMITS } from '../limits.ts'
import type { Broken } from '../segment.ts'

const inflateLater = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflate)

export interface SegmentEvents {
  readonly events: readonly RecordedEvent[]
  /** Entries that are no events. */
  readonly refused: number
  /** Of the inflated text. */
  readonly bytes: number
}

const LINE_FEED = 0x0a
const BRACKET = 0x5b
const SPACES: ReadonlySet<number> = new Set([0x09, LINE_FEED, 0x0d, 0x20])
/** Longer than any header; what has no line feed before is none. */
const HEADER_BYTES = 4096

/** A recording as it was sent: a line of JSON with its number, then what was recorded. */
export const splitRecording = (
  payload: Uint8Array,
): { readonly segmentId: number | null; readonly body: Uint8Array } => {
  const end = payload.subarray(0, HEADER_BYTES).indexOf(LINE_FEED)
  if (end < 0) return { segmentId: null, body: payload.subarray(payload.byteLength) }
  return { segmentId: readSegmentId(payload.subarray(0, end)), body: payload.subarray(end + 1) }
}

const readSegmentId = (line: Uint8Array): number | null => {
  try {
    const header: unknown = JSON.parse(Buffer.from(line).toString())
    return isObject(header) ? segmentNumber(header['segment_id']) : null
  } catch {
    // The event beside it may say the number.
    return null
  }
}

const LARGEST = 2 ** 32 - 1

/** Some senders write numbers as texts. */
export const segmentNumber = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= LARGEST ? number : null
}

/** Packed or plain is told by the first byte: what SDKs say of it is not always so. */
const isPlain = (body: Uint8Array): boolean => {
  let at = 0
  while (at < body.byteLength && SPACES.has(body[at] ?? 0)) at += 1
  return body[at] === BRACKET
}

const BOUND = { maxOutputLength: LIMITS.REPLAY_INFLATED_BYTES }

const reasonOf = (error: unknown): Broken =>
  (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'corrupt'

const plain = (body: Uint8Array): Result<Uint8Array, Broken> =>
  body.byteLength > LIMITS.REPLAY_INFLATED_BYTES ? err('too_large') : ok(body)

const inflated = (body: Uint8Array): Result<Uint8Array, Broken> => {
  if (isPlain(body)) return plain(body)
  try {
    return ok(inflateSync(body, BOUND))
  } catch (error) {
    return err(reasonOf(error))
  }
}

/**
 * What was recorded, as JSON; inflated up to a bound, off the thread.
 *
 * @param payload as it was sent, with its first line
 */
export const recordedText = async (payload: Uint8Array): Promise<Result<Uint8Array, Broken>> => {
  const { body } = splitRecording(payload)
  if (isPlain(body)) return plain(body)
  try {
    return ok(await inflateLater(body, BOUND))
  } catch (error) {
    return err(reasonOf(error))
  }
}

/**
 * The events of a recording, in milliseconds by the visitor's clock and in order. Whoever shows them adds the `shift_ms`
 * of the segment's row.
 *
 * @param payload as it was sent, with its first line
 */
export const decodeSegment = (payload: Uint8Array): Result<SegmentEvents, Broken> => {
  const entries = readEntries(payload)
  return entries.ok ? eventsOf(entries.value) : entries
}

/** What a recording says, before anything is made of it. */
interface Entries {
  readonly value: readonly unknown[]
  /** Of the inflated text. */
  readonly bytes: number
}

export const readEntries = (payload: Uint8Array): Result<Entries, Broken> => {
  const raw = inflated(splitRecording(payload).body)
  if (!raw.ok) return raw
  const bytes = raw.value
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
  } catch {
    return err('no_json')
  }
  return Array.isArray(value) ? ok({ value, bytes: bytes.byteLength }) : err('no_json')
}

export const eventsOf = ({ bytes, value }: Entries): Result<SegmentEvents, Broken> => {
  const { events, refused } = readEvents(value)
  if (events.length === 0) return err('no_events')
  return ok({ events: withoutJumps(events), refused, bytes })
}

/**
 * A clock that was set while a segment was recorded leaves hours in which nothing was. They are taken out, from the end on.
 * Notes of the SDK do not count: some have times of their own.
 */
const withoutJumps = (events: readonly RecordedEvent[]): readonly RecordedEvent[] => {
  let jump = 0
  let next: number | null = null
  let hasJumped = false
  const moved = events.toReversed().map((event) => {
    if (event.type !== EventType.Custom) {
      if (next !== null && next - event.timestamp > LIMITS.REPLAY_CLOCK_JUMP_MS) {
        jump += next - event.timestamp
        hasJumped = true
      }
      next = event.timestamp
    }
    return jump === 0 ? event : { ...event, timestamp: event.timestamp + jump }
  })
  return hasJumped ? moved.toReversed() : events
}
