import { LIMITS } from '../limits.ts'
import type { Pack, StoredChunk } from '../ledger/replay-packs.ts'
import type { SegmentRecord } from '../replay.ts'
import { isPlayable } from '../segment-rules.ts'
import { versionOf } from './pack-version.ts'

/** What of a replay is still to be cut. Pure. */

/** Chunks that are there already, and the segments whose chunks are not. */
export interface Work {
  readonly kept: readonly StoredChunk[]
  /** The chunk that goes on. */
  readonly last: StoredChunk | null
  readonly segments: readonly SegmentRecord[]
  /** Bytes that all of its chunks may have. */
  readonly room: number
}

/** Those that can be drawn, up to a bound. Without a whole page there is nothing to be drawn. */
const drawable = (segments: readonly SegmentRecord[]): ReadonlySet<SegmentRecord> => {
  let bytes = 0
  if (!segments.some(({ hasSnapshot }) => hasSnapshot)) return new Set()
  return new Set(
    segments.filter((segment) => {
      if (!isPlayable(segment)) return false
      bytes += segment.rawBytes
      return bytes <= LIMITS.REPLAY_PLAYED_BYTES
    }),
  )
}

/** Where all new segments follow the last chunk, cutting goes on from it; otherwise the whole replay is cut again. */
export const workOf = (segments: readonly SegmentRecord[], before: Pack | null): Work => {
  const wanted = drawable(segments)
  const last = before?.chunks.at(-1)
  const known = before?.segments ?? 0
  const further = segments.slice(known)
  let received = 0
  for (const { rawBytes } of wanted) received += rawBytes
  const room = LIMITS.REPLAY_CHUNK_BYTES_BASE + received * LIMITS.REPLAY_CHUNK_BYTES_TIMES
  const goesOn =
    last !== undefined &&
    versionOf(segments.slice(0, known)) === before?.version &&
    further.every(({ from }) => from >= last.to)
  return goesOn
    ? { kept: before?.chunks.slice(0, -1) ?? [], last, segments: further.filter((one) => wanted.has(one)), room }
    : { kept: [], last: null, segments: [...wanted], room }
}

/** The segments that are over before any later one begins: a turn can end there, and the next one goes on. */
export const placesToEnd = (segments: readonly SegmentRecord[]): ReadonlySet<SegmentRecord> => {
  let until = -Infinity
  const ends = segments.map(({ to }) => (until = Math.max(until, to)))
  let from = Infinity
  const places = new Set<SegmentRecord>()
  for (const [index, segment] of [...segments.entries()].toReversed()) {
    if (from !== Infinity && (ends[index] ?? Infinity) <= from) places.add(segment)
    from = Math.min(from, segment.from)
  }
  return places
}
