import { createHash } from 'node:crypto'
import { messageOf } from '../../lib/error-text.ts'
import type { Logger } from '../../lib/logger.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import type { OwnedReplay, SegmentRecord } from '../replay.ts'
import type { Pack, ReplayPacks, StoredChunk } from '../ledger/replay-packs.ts'
import { ThreadEnded } from '../asked-thread.ts'
import { createTurnsAt } from '../in-turn.ts'
import { LIMITS } from '../limits.ts'
import { readBlob } from '../read-blob.ts'
import { isPlayable, lastReceived } from '../segment-rules.ts'
import type { Cutting } from './cutting.ts'
import type { CutChunk, CuttingRequest } from './cutting-thread.ts'

export interface PacksParts {
  readonly blobs: Pick<BlobStore, 'get' | 'put'>
  readonly store: ReplayPacks
  readonly cutting: Cutting
  readonly logger: Logger
  /** Milliseconds of a clock that is never set. */
  readonly now?: () => number
}

/** One turn at the thread ends so early that the segment it is at can still be finished within `REPLAY_CUT_MS`. */
const TURN_MS = LIMITS.REPLAY_CUT_MS - LIMITS.REPLAY_SEGMENT_CUT_MS

const VERSIONS = 2 ** 24

/** Raised when the same segments are cut in another way. */
const WAY_OF_CUTTING = 3

const versionOf = (segments: readonly SegmentRecord[]): number => {
  const hash = createHash('sha256').update(`${WAY_OF_CUTTING}`)
  for (const { id, shift } of segments) hash.update(` ${id} ${shift}`)
  return hash.digest().readUInt32BE(0) % VERSIONS
}

/** Chunks that are there already, and the segments whose chunks are not. */
interface Work {
  readonly kept: readonly StoredChunk[]
  /** The chunk that goes on. */
  readonly last: StoredChunk | null
  readonly segments: readonly SegmentRecord[]
  /** Bytes that all of its chunks may have. */
  readonly room: number
}

/** What one turn at the thread made. */
interface Turn {
  readonly chunks: readonly StoredChunk[]
  /** The last segment of it; null when all were cut. */
  readonly until: SegmentRecord | null
}

class TooMuchCut extends Error {
  override readonly name = 'TooMuchCut'
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
const workOf = (segments: readonly SegmentRecord[], before: Pack | null): Work => {
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
const placesToEnd = (segments: readonly SegmentRecord[]): ReadonlySet<SegmentRecord> => {
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

/** Read one ahead: the thread waits for none of them. */
async function* recordings(parts: PacksParts, segments: readonly SegmentRecord[]) {
  const read = ({ blobKey }: SegmentRecord): Promise<Uint8Array | null> => {
    const payload = readBlob(parts, blobKey)
    // Told when it is its turn.
    payload.catch(() => undefined)
    return payload
  }
  let ahead = segments[0] === undefined ? null : read(segments[0])
  for (const [index, segment] of segments.entries()) {
    const payload = await ahead
    const next = segments[index + 1]
    ahead = next === undefined ? null : read(next)
    yield { payload, segment, until: next?.from ?? Infinity }
  }
}

/** Cuts what is to be done of a replay and stores its chunks; null when the chunk that goes on is gone. */
const createCut = (parts: PacksParts) => {
  const { blobs, store, cutting, logger, now = () => performance.now() } = parts

  const keep = async (organizationId: number, cut: readonly CutChunk[]): Promise<StoredChunk[]> => {
    const chunks = cut.map(({ from, to, nodes, json, sha256 }) => ({
      from,
      to,
      nodes,
      bytes: json.byteLength,
      key: `${organizationId}/${sha256}`,
    }))
    await store.noteUnderWay(organizationId, chunks)
    await blobs.put(cut.map(({ json, sha256 }) => ({ organizationId, bytes: json, sha256 })))
    return chunks
  }

  /** The first thing that the thread is asked: it forgets the replay before. */
  const begin = async (last: StoredChunk | null): Promise<boolean> => {
    await cutting.ask({ kind: 'begin' })
    if (last === null) return true
    const json = await readBlob(parts, last.key)
    if (json !== null) await cutting.ask({ kind: 'chunk', json })
    return json !== null
  }

  /**
   * @param tell is given chunks as soon as they can be read
   * @param hasTurns whether it may end before all is cut: a turn that takes long does
   */
  const cut = async (
    replay: OwnedReplay,
    { kept, last, room, segments }: Work,
    { hasTurns, tell }: { readonly hasTurns: boolean; readonly tell: (chunks: readonly StoredChunk[]) => void },
  ): Promise<Turn | null> => {
    const ends = now() + TURN_MS
    const places = placesToEnd(segments)
    let until: SegmentRecord | null = null
    const chunks: StoredChunk[] = []
    let storing: Promise<unknown> = Promise.resolve()
    let count = kept.length
    let bytes = kept.reduce((sum, chunk) => sum + chunk.bytes, 0)
    /** One portion is stored while the next one is cut. */
    const store = async (portion: readonly CutChunk[]): Promise<void> => {
      await storing
      storing = keep(replay.organizationId, portion).then((stored) => {
        chunks.push(...stored)
        // The last one of a turn is longer after the next.
        if (until === null) tell(stored)
      })
      // Told by the next one, or at the end.
      storing.catch(() => undefined)
    }
    const ask = async (request: CuttingRequest): Promise<void> => {
      for (let next: CuttingRequest | null = request; next !== null;) {
        const portion = await cutting.ask(next)
        for (const { json } of portion.chunks) bytes += json.byteLength
        count += portion.chunks.length
        if (bytes > room || count > LIMITS.REPLAY_CHUNKS) {
          throw new TooMuchCut('Its chunks are too many or too large for what was recorded')
        }
        if (portion.chunks.length > 0) await store(portion.chunks)
        next = portion.hasMore ? { kind: 'more' } : null
      }
    }
    try {
      if (!(await begin(last))) return null
      for await (const { payload, segment, until: next } of recordings(parts, segments)) {
        if (payload !== null) await ask({ kind: 'segment', payload, shift: segment.shift, until: next })
        if (!hasTurns || now() < ends || !places.has(segment)) continue
        await storing
        until = segment
        break
      }
      await ask({ kind: 'end' })
    } catch (error) {
      const isItsOwn = error instanceof TooMuchCut || (error instanceof ThreadEnded && error.why !== 'stopped')
      if (!isItsOwn) throw error
      until = null
      // It would end the same way each time. What was cut before can be shown.
      const { projectId, replayId } = replay
      logger.warn('a replay could not be cut into chunks to its end', { projectId, replayId, error: messageOf(error) })
    }
    await storing
    return { chunks, until }
  }

  return cut
}

/** What of a replay can be read. */
export interface ReadablePack {
  readonly pack: Pack
  /** Others follow its last chunk, which are being made. */
  readonly isPreparing: boolean
}

/** A replay with the chunks that it was cut into. */
export interface CutReplay {
  readonly replay: OwnedReplay
  readonly pack: Pack
}

/** A replay that is being cut. */
interface Making {
  readonly replay: OwnedReplay
  /** With all its chunks. */
  readonly whole: Promise<Pack>
  /** As soon as there is one. */
  readonly begun: Promise<ReadablePack>
  /** With the chunks that can be read by now; each has the place that it will have in the whole. */
  readonly soFar: () => Pack
}

const currentOf = async (store: ReplayPacks, { projectId, replayId }: OwnedReplay): Promise<Pack | null> =>
  (await store.find([projectId], replayId))?.pack ?? null

/** In as many turns as it takes, others in between. Each is saved: whoever asks after the last one goes on from it. */
const createMake = (parts: PacksParts) => {
  const { store, cutting } = parts
  const inTurn = createTurnsAt(cutting)
  const cut = createCut(parts)

  const make = async (
    replay: OwnedReplay,
    empty: Pack,
    segments: readonly SegmentRecord[],
    told: StoredChunk[],
    tell: (chunks: readonly StoredChunk[]) => void,
  ): Promise<Pack> => {
    const nothing = (): void => undefined
    /** @returns null when there is more to be cut */
    const turn = async (isFirst: boolean): Promise<Pack | null> => {
      const work = workOf(segments, await currentOf(store, replay))
      // Chunks are told while they are cut only where they follow exactly those that were told before. The first turn that
      // goes on from an earlier pack tells none: the list would lack the chunks of that pack, which players have already.
      const isNext = work.last === null ? told.length === 0 : !isFirst && told.length === work.kept.length
      // A later turn that cannot go on cuts all that is left at once: it might begin anew in each turn, and never end.
      const hasTurns = isFirst || work.last !== null
      const added = await cut(replay, work, { hasTurns, tell: isNext ? tell : nothing })
      const anew = () =>
        cut(replay, workOf(segments, null), { hasTurns: false, tell: told.length === 0 ? tell : nothing })
      const { chunks, until } = added ?? (await anew()) ?? { chunks: [], until: null }
      const all = added === null ? chunks : [...work.kept, ...chunks]
      const done = until === null ? segments : segments.slice(0, segments.indexOf(until) + 1)
      const pack = { ...empty, version: versionOf(done), segments: done.length, chunks: all }
      await store.save(replay, pack)
      return until === null ? pack : null
    }
    for (let isFirst = true; ; isFirst = false) {
      const pack = await inTurn(() => turn(isFirst))
      if (pack !== null) return pack
    }
  }

  return make
}

/** Chunks are made one replay at a time; who asks meanwhile for the same one waits for it, or takes what is there already. */
export const createPacks = (parts: PacksParts) => {
  const { store } = parts
  const underWay = new Map<string, Making>()
  const make = createMake(parts)

  const begin = (replay: OwnedReplay, segments: readonly SegmentRecord[], version: number): Making => {
    const key = `${replay.projectId}:${replay.replayId}:${version}`
    const before = underWay.get(key)
    if (before !== undefined) return before
    const empty: Pack = { version, segments: segments.length, lastAt: lastReceived(segments), chunks: [] }
    const told: StoredChunk[] = []
    const soFar = (): Pack => ({ ...empty, chunks: [...told] })
    const first = Promise.withResolvers<ReadablePack>()
    const whole = make(replay, empty, segments, told, (chunks) => {
      told.push(...chunks)
      first.resolve({ pack: soFar(), isPreparing: true })
    }).finally(() => underWay.delete(key))
    const begun = Promise.race([first.promise, whole.then((pack) => ({ pack, isPreparing: false }))])
    // Told to those who wait for it.
    begun.catch(() => undefined)
    const making: Making = { replay, whole, begun, soFar }
    underWay.set(key, making)
    return making
  }

  /** As it is, or as it becomes. */
  const madeOf = async (
    replay: OwnedReplay,
    segments: readonly SegmentRecord[],
    read: Pack | undefined,
  ): Promise<Pack | Making> => {
    const version = versionOf(segments)
    if (read?.version === version) return read
    const known = await currentOf(store, replay)
    return known?.version === version ? known : begin(replay, segments, version)
  }

  return {
    /**
     * Made if need be.
     *
     * @param known as `find` has just found it: reading it again takes long where its chunks are many
     * @throws StatementRefusal `preparing`
     */
    of: async (replay: OwnedReplay, segments: readonly SegmentRecord[], known?: Pack): Promise<Pack> => {
      const made = await madeOf(replay, segments, known)
      return 'whole' in made ? made.whole : made
    },

    /** The same, without waiting for more than its first chunk. */
    partOf: async (replay: OwnedReplay, segments: readonly SegmentRecord[], known?: Pack): Promise<ReadablePack> => {
      const made = await madeOf(replay, segments, known)
      return 'whole' in made ? made.begun : { pack: made, isPreparing: false }
    },

    /** One of which chunks can be read while others are made, in the first of these projects that has one; else null. */
    underWay: (projectIds: readonly number[], replayId: string): CutReplay | null => {
      for (const { replay, soFar } of underWay.values()) {
        if (replay.replayId !== replayId || !projectIds.includes(replay.projectId)) continue
        const pack = soFar()
        if (pack.chunks.length > 0) return { replay, pack }
      }
      return null
    },

    /** As it was made, if it was. */
    find: store.find,

    /** JSON of the events of a chunk; null when it is gone or damaged. Then the pack is forgotten, and made anew by who asks for it. */
    read: async (replay: OwnedReplay, chunk: StoredChunk): Promise<Uint8Array | null> => {
      const json = await readBlob(parts, chunk.key)
      if (json === null) await store.forget({ projectId: replay.projectId, replayIds: [replay.replayId] })
      return json
    },
  }
}

export type Packs = ReturnType<typeof createPacks>
