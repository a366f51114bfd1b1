import { createHash } from 'node:crypto'
import { currentCaller } from '../../lib/caller-context.ts'
import { messageOf } from '../../lib/error-text.ts'
import { createFairQueue } from '../../lib/fair-queue.ts'
import type { Logger } from '../../lib/logger.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import { LIMITS } from '../limits.ts'
import type { ReplayReference, SegmentRecord } from '../replays.view.ts'
import type { Cutting } from './cutting.ts'
import type { CutChunk } from './cutting-thread.ts'

/** A replay, cut into chunks. */
export interface Pack {
  /** Differs when other segments made it. */
  readonly version: number
  readonly chunks: readonly CutChunk[]
}

export interface PacksParts {
  readonly blobs: Pick<BlobStore, 'get'>
  readonly cutting: Cutting
  readonly logger: Logger
}

const VERSIONS = 2 ** 24

/** Of what it is made; raised when the same segments are cut in another way. */
const CUT = 1

const versionOf = (segments: readonly SegmentRecord[]): number => {
  const hash = createHash('sha256').update(`${CUT}`)
  for (const { id, shift } of segments) hash.update(` ${id} ${shift}`)
  return hash.digest().readUInt32BE(0) % VERSIONS
}

/** Those that can be drawn, up to a bound. */
const drawable = (segments: readonly SegmentRecord[]): SegmentRecord[] => {
  let bytes = 0
  return segments.filter(({ blobKey, broken, rawBytes }) => {
    if (blobKey === '' || broken !== '') return false
    bytes += rawBytes
    return bytes <= LIMITS.REPLAY_PLAYED_BYTES
  })
}

/** Packs are made when they are first asked for, one at a time; who asks meanwhile for the same one waits for it. */
export const createPacks = ({ blobs, cutting, logger }: PacksParts) => {
  const kept = new RecentMap<string, Pack>(LIMITS.REPLAY_PACKS_KEPT_BYTES)
  const underWay = new Map<string, Promise<Pack>>()
  const queue = createFairQueue({
    running: 1,
    perOrganization: 1,
    perCaller: 1,
    waiting: LIMITS.REPLAY_PACKS_WAITING,
    waitingPerCaller: LIMITS.REPLAY_PACKS_WAITING_PER_CALLER,
    waitMs: LIMITS.REPLAY_PACK_WAIT_MS,
  })

  const cut = async (segments: readonly SegmentRecord[], replay: ReplayReference): Promise<readonly CutChunk[]> => {
    const chunks: CutChunk[] = []
    try {
      await cutting.ask({ kind: 'begin' })
      for (const [index, { blobKey, shift }] of segments.entries()) {
        const payload = await blobs.get(blobKey)
        const until = segments[index + 1]?.from ?? Infinity
        if (payload !== null) chunks.push(...(await cutting.ask({ kind: 'segment', payload, shift, until })))
      }
      chunks.push(...(await cutting.ask({ kind: 'end' })))
    } catch (error) {
      // What was cut before it can be shown.
      logger.warn('a replay could not be cut into chunks to its end', { ...replay, error: messageOf(error) })
    }
    return chunks
  }

  const make = async (replay: ReplayReference, segments: readonly SegmentRecord[], key: string): Promise<Pack> => {
    const release = await queue.take(currentCaller() ?? { organizationId: null, caller: 'server' })
    try {
      const pack = { version: versionOf(segments), chunks: await cut(drawable(segments), replay) }
      kept.set(
        key,
        pack,
        pack.chunks.reduce((sum, { packed }) => sum + packed.byteLength, 1),
      )
      return pack
    } finally {
      release()
    }
  }

  return {
    /** @throws StatementRefusal `busy` */
    of: (replay: ReplayReference, segments: readonly SegmentRecord[]): Promise<Pack> => {
      const key = `${replay.projectId}:${replay.replayId}:${versionOf(segments)}`
      const known = kept.get(key)
      if (known !== undefined) return Promise.resolve(known)
      const made = underWay.get(key) ?? make(replay, segments, key).finally(() => underWay.delete(key))
      underWay.set(key, made)
      return made
    },
  }
}

export type Packs = ReturnType<typeof createPacks>
