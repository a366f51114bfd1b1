import { getReplayVideo } from '@firsthand/contract'
import { bind, notFound, type BytesReply, type Route } from '../../http/index.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import { LIMITS } from '../limits.ts'
import { findOfProject } from '../find-replay.ts'
import type { SegmentRecord } from '../replay.ts'
import type { ReplayServices } from '../services.ts'
import { headOf, piecesOf, videoHeaders, videoType } from './video-file.ts'

interface VideoServices extends ReplayServices {
  readonly blobs: Pick<BlobStore, 'open'>
}

/** What phones recorded of their screens. */
export const createVideoRoutes = (services: VideoServices): Route[] => [
  bind(getReplayVideo, async ({ params, request }) => {
    const { blobs, replays } = services
    const { record, scope } = await findOfProject(services, request.organization.id, params)
    const found = await replays.segment(scope, record, { has: 'video', written: params.segment })
    return videoReply(blobs, found, `replay-${record.replayId}-segment-${params.segment}`)
  }),
]

/** @throws HttpError 404 */
export const videoReply = async (
  blobs: Pick<BlobStore, 'open'>,
  segment: Pick<SegmentRecord, 'videoBytes' | 'videoKey'> | undefined,
  name: string,
): Promise<BytesReply> => {
  const head = segment === undefined ? null : await headOf(blobs, segment.videoKey)
  if (segment === undefined || head === null) throw notFound('This segment of the replay has no video.')
  const { videoBytes, videoKey: key } = segment
  return {
    bytes: piecesOf(blobs, key, videoBytes),
    inParts: true,
    headers: videoHeaders(videoType(head), { key, name, cacheSeconds: LIMITS.REPLAY_CHUNK_CACHE_SECONDS }),
  }
}
