import { messageOf } from '../../lib/error-text.ts'
import type { Logger } from '../../lib/logger.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import { ThreadEnded } from '../asked-thread.ts'
import type { ReplayPacks, StoredChunk } from '../ledger/replay-packs.ts'
import { LIMITS } from '../limits.ts'
import { readBlob } from '../read-blob.ts'
import type { OwnedReplay, SegmentRecord } from '../replay.ts'
import type { Cutting } from './cutting.ts'
import type { CutChunk, CuttingRequest } from './cutting-thread.ts'
import { placesToEnd, type Work } from './work.ts'

export interface CutParts {
  readonly blobs: Pick<BlobStore, 'get' | 'put'>
  readonly store: ReplayPacks
  readonly cutting: Cutting
  readonly logger: Logger
  /** Milliseconds of a clock that is never set. */
  readonly now?: () => number
}

/** One turn at the thread ends so early that the segment it is at can still be finished within `REPLAY_CUT_MS`. */
const TURN_MS = LIMITS.REPLAY_CUT_MS - LIMITS.REPLAY_SEGMENT_CUT_MS

/** What one turn at the thread made. */
export interface Turn {
  readonly chunks: readonly StoredChunk[]
  /** The last segment of it; null when all were cut. */
  readonly until: SegmentRecord | null
}

class TooMuchCut extends Error {
  override readonly name = 'TooMuchCut'
}

/** Read one ahead: the thread waits for none of them. */
async function* recordings(parts: CutParts, segments: readonly SegmentRecord[]) {
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
export const createCut = (parts: CutParts) => {
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
