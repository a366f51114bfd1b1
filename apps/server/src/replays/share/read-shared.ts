import type { SharedReplay } from '@firsthand/contract'
import { badRequest } from '../../http/index.ts'
import type { CallerContext } from '../../lib/caller-context.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import type { FoundReplay } from '../find-replay.ts'
import type { ReplayLinks, Stretch } from '../ledger/replay-links.ts'
import type { Pack } from '../ledger/replay-packs.ts'
import { LIMITS } from '../limits.ts'
import { readOverview } from '../overview/read-overview.ts'
import { numberOf } from '../playback/chunk-number.ts'
import type { Packs } from '../playback/packs.ts'
import type { OwnedReplay, ReplayRecord, SegmentRecord } from '../replay.ts'
import type { ReplayServices } from '../services.ts'
import { chunksIn, sharedPlayback, shownOf, type PlacedChunk, type Shown } from './shared-playback.ts'
import type { createSharedAssets, SharedAssets } from './shared-assets.ts'
import type { Slicing } from './slicing.ts'

/** What links and files show of a replay. */

export interface SharedServices extends ReplayServices {
  readonly links: ReplayLinks
  readonly packs: Packs
  readonly slicing: Slicing
  readonly blobs: Pick<BlobStore, 'get' | 'open'>
  readonly sharedAssets: ReturnType<typeof createSharedAssets>
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

/** As in a list of chunks; what of one is cut off is not told. */
const chunkJson = (pack: Pack, { chunk, index }: PlacedChunk, { from, to }: Shown) => ({
  number: numberOf(pack, index),
  from: Math.max(chunk.from, from),
  to: Math.max(from, Math.min(chunk.to, to)),
  bytes: chunk.bytes,
  nodes: chunk.nodes,
})

/** A replay with the chunks that show it. */
export const readShared = async (
  services: Pick<SharedServices, 'clock' | 'issues' | 'packs' | 'replays' | 'sharedAssets'>,
  replay: OwnedReplay,
  { found, shown }: Opened,
): Promise<Omit<SharedReplay, 'expiresAt'> & { readonly pack: Pack; readonly assets: SharedAssets }> => {
  const [playback, segments, assets] = await Promise.all([
    readOverview(services, found),
    services.replays.segments(found.scope, found.record),
    services.sharedAssets(replay),
  ])
  const pack = await services.packs.of(replay, segments)
  const chunks = chunksIn(pack.chunks, shown).map((placed) => chunkJson(pack, placed, shown))
  return { playback: sharedPlayback(playback, shown, assets.summary), chunks, pack, assets }
}

/** JSON of the touches of a segment; none where its recording is not there. */
export const readFingers = async (
  { blobs, slicing }: Pick<SharedServices, 'blobs' | 'slicing'>,
  caller: CallerContext,
  { blobKey, broken, shift }: Pick<SegmentRecord, 'blobKey' | 'broken' | 'shift'>,
): Promise<Uint8Array> => {
  const payload = blobKey === '' || broken !== '' ? null : await blobs.get(blobKey)
  return payload === null ? Buffer.from('[]') : slicing.touches(caller, payload, shift)
}
