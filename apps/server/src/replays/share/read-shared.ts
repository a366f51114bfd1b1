import type { SharedReplay } from '@firsthand/contract'
import { badRequest } from '../../http/index.ts'
import type { CallerContext } from '../../lib/caller-context.ts'
import type { Logger } from '../../lib/logger.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import type { FoundReplay } from '../find-replay.ts'
import type { Stretch } from '../ledger/replay-links.ts'
import { LIMITS } from '../limits.ts'
import { readOverview, type OverviewReading } from '../overview/read-overview.ts'
import { chunkJson } from '../playback/chunk-list.ts'
import type { ReadablePack } from '../playback/packs.ts'
import { readBlob, type BlobReading } from '../read-blob.ts'
import type { OwnedReplay, ReplayRecord, SegmentRecord } from '../replay.ts'
import { isPlayable } from '../segment-rules.ts'
import { chunksIn, sharedPlayback, shownOf, type Shown } from './shared-playback.ts'
import type { createSharedAssets } from './shared-assets.ts'
import type { Slicing } from './slicing.ts'

/** What links and files show of a replay. */

/** What both read it with. */
export type SharedReading = OverviewReading & {
  readonly slicing: Pick<Slicing, 'touches'>
  readonly blobs: Pick<BlobStore, 'get' | 'open'>
  readonly sharedAssets: ReturnType<typeof createSharedAssets>
  readonly logger: Logger
}

/** A stretch of a replay as it was asked for. @throws HttpError 400 */
export const readShown = (record: ReplayRecord, stretch: Stretch): Shown => {
  const shown = shownOf(record, stretch)
  const isChosen = stretch.from !== null || stretch.to !== null
  if (shown === null || (isChosen && shown.to - shown.from < LIMITS.REPLAY_SHARED_MS)) {
    throw badRequest('This stretch has less than a second of the replay. Choose a longer one, within the replay.')
  }
  return shown
}

export interface Opened {
  readonly found: FoundReplay
  readonly shown: Shown
}

type SharedChunks = Pick<SharedReplay, 'chunks' | 'preparing'>

/** As in a list of chunks; what of one is cut off is not told. */
export const sharedChunks = ({ isPreparing, pack }: ReadablePack, shown: Shown): SharedChunks => {
  const { from, to } = shown
  const last = pack.chunks.at(-1)
  // Which chunk the stretch begins with is known when one goes beyond its beginning.
  const isBegun = !isPreparing || (last !== undefined && last.to > from)
  const placed = isBegun ? chunksIn(pack.chunks, shown) : []
  return {
    chunks: placed.map(({ chunk, index }) => ({
      ...chunkJson(pack, chunk, index),
      from: Math.max(chunk.from, from),
      to: Math.max(from, Math.min(chunk.to, to)),
    })),
    preparing: isPreparing && (last === undefined || last.to <= to),
  }
}

/** What is told of a replay beside its chunks, and the segments that these are cut from. */
export const readShared = async (
  services: OverviewReading & Pick<SharedReading, 'sharedAssets'>,
  replay: OwnedReplay,
  { found, shown }: Opened,
) => {
  const [playback, segments, assets] = await Promise.all([
    readOverview(services, found),
    services.replays.segments(found.scope, found.record),
    services.sharedAssets(replay),
  ])
  return { playback: sharedPlayback(playback, shown, assets.summary), segments, assets }
}

/** JSON of the touches of a segment; none where its recording is not there. */
export const readFingers = async (
  { blobs, logger, slicing }: BlobReading & Pick<SharedReading, 'slicing'>,
  caller: CallerContext,
  segment: Pick<SegmentRecord, 'blobKey' | 'broken' | 'shift'>,
): Promise<Uint8Array> => {
  const payload = isPlayable(segment) ? await readBlob({ blobs, logger }, segment.blobKey) : null
  return payload === null ? Buffer.from('[]') : slicing.touches(caller, payload, segment.shift)
}
