import { hash, randomBytes } from 'node:crypto'
import { jsonDepthWithin, jsonValueEnd, isObject } from '@firsthand/protocol'
import { RecentMap } from '../../lib/recent-map.ts'
import { markRecurring } from '../../lib/recurring.ts'
import { ok, type Result } from '../../lib/result.ts'
import { LIMITS } from '../limits.ts'
import { LIMITS as INGEST_LIMITS } from '../../ingest/limits.ts'
import type { Drop } from '../../ingest/road.ts'
import type { Frame } from '../event.ts'
import { readJson, type ReadJson } from './read-json.ts'

/**
 * The frames of an error that comes a thousand times are the same bytes a thousand times, and by far the longest part of
 * the event. Bytes that were seen before are cut out of the JSON before it is parsed and take the frames that were read
 * from them then. What follows from such frames (grouping, the stored text) is remembered with them: `lib/recurring.ts`.
 */
export class CachedFrames {
  /** As the parser gave them; let go once they were read. */
  #raw: readonly unknown[] | null
  #read: ReadFrames | null = null
  /** False when reading them said something about this event, or they hold what differs from event to event. */
  isKept = true

  constructor(raw: readonly unknown[]) {
    this.#raw = raw
  }

  /** @param read reads the frames, and says whether it had nothing to note */
  take(read: (raw: readonly unknown[]) => { readonly result: ReadFrames; readonly clean: boolean }): ReadFrames {
    if (this.#read !== null) return this.#read
    const { result, clean } = read(this.#raw ?? [])
    if (clean && result.frames.every((frame) => frame.vars === undefined)) {
      this.#read = { ...result, frames: markRecurring(result.frames) }
      this.#raw = null
    } else this.isKept = false
    return this.#read ?? result
  }
}

/** What came of a list of frames. */
export interface ReadFrames {
  readonly frames: readonly Frame[]
  /** How many of the outermost were left out. */
  readonly dropped: number
}

/** As SDKs write it: `frames` is the first field of a stack trace. */
const BEFORE_FRAMES = Buffer.from('"stacktrace":{"frames":')
const OPENING_BRACKET = 0x5b
/** Nesting around the frames of an exception: event, exception, values, one of them, its stack trace. */
const DEPTH_OF_FRAMES = 5
const MARK = `${randomBytes(16).toString('hex')}:`

type Memory = CachedFrames | 'seen once' | 'not worth keeping'

/** By hash of the bytes. */
const memory = new RecentMap<string, Memory>(LIMITS.SEEN_FRAMES_BYTES)

/** What an entry without frames takes, about. */
const BARE_WEIGHT = 200

/** The frames that these bytes stand for, when they were seen before. */
const look = (bytes: Uint8Array): CachedFrames | null => {
  const key = hash('sha256', bytes, 'base64')
  const what = memory.peek(key)
  if (what === undefined || what === 'not worth keeping') {
    memory.set(key, what ?? 'seen once', BARE_WEIGHT)
    return null
  }
  if (what !== 'seen once') {
    memory.set(key, what.isKept ? what : 'not worth keeping', what.isKept ? bytes.byteLength : BARE_WEIGHT)
    return what.isKept ? what : null
  }
  const raw = readFrames(bytes)
  const cached = raw === null ? null : new CachedFrames(raw)
  memory.set(key, cached ?? 'not worth keeping', bytes.byteLength)
  return cached
}

const readFrames = (bytes: Uint8Array): readonly unknown[] | null => {
  if (!jsonDepthWithin(bytes, INGEST_LIMITS.JSON_DEPTH - DEPTH_OF_FRAMES)) return null
  const json = readJson(bytes)
  return json.ok && Array.isArray(json.value.value) ? json.value.value : null
}

interface Cut {
  /** The event with marks in place of frames. */
  readonly bytes: Uint8Array
  readonly frames: readonly CachedFrames[]
}

const cutCachedFrames = (bytes: Uint8Array): Cut | null => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const pieces: Uint8Array[] = []
  const frames: CachedFrames[] = []
  let copied = 0
  let at = buffer.indexOf(BEFORE_FRAMES)
  for (let stacks = 0; at !== -1 && stacks < LIMITS.SEEN_FRAMES_STACKS; stacks++) {
    const start = at + BEFORE_FRAMES.byteLength
    const end = bytes[start] === OPENING_BRACKET ? jsonValueEnd(bytes, start) : start
    if (end === -1) break
    const cached = end - start < LIMITS.SEEN_FRAMES_SHORTEST_BYTES ? null : look(bytes.subarray(start, end))
    if (cached !== null) {
      pieces.push(buffer.subarray(copied, start), Buffer.from(`"${MARK}${frames.length}"`, 'latin1'))
      frames.push(cached)
      copied = end
    }
    at = buffer.indexOf(BEFORE_FRAMES, end)
  }
  if (frames.length === 0) return null
  pieces.push(buffer.subarray(copied))
  return { bytes: Buffer.concat(pieces), frames }
}

/** Puts the frames where their marks are. False when a mark is anywhere but in the stack trace of an exception. */
const placeFrames = (event: unknown, frames: readonly CachedFrames[]): boolean => {
  if (!isObject(event) || !isObject(event['exception'])) return false
  const { values } = event['exception']
  if (!Array.isArray(values)) return false
  let placed = 0
  for (const exception of values) {
    if (!isObject(exception) || !isObject(exception['stacktrace'])) continue
    const stacktrace: Record<string, unknown> = exception['stacktrace']
    const mark = stacktrace['frames']
    if (typeof mark !== 'string' || !mark.startsWith(MARK)) continue
    const found = frames[Number(mark.slice(MARK.length))]
    if (found === undefined) return false
    stacktrace['frames'] = found
    placed++
  }
  return placed === frames.length
}

/** As `readJson`; frames of exceptions that were seen before are `CachedFrames`. */
export const readEventJson = (bytes: Uint8Array): Result<ReadJson, Drop> => {
  const cut = cutCachedFrames(bytes)
  if (cut !== null) {
    const json = readJson(cut.bytes)
    if (json.ok && placeFrames(json.value.value, cut.frames)) return ok({ value: json.value.value, bytes })
  }
  return readJson(bytes)
}
