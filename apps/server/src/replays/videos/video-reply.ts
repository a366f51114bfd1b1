import { notFound, type BytesReply } from '../../http/index.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import { LIMITS } from '../limits.ts'
import type { SegmentRecord } from '../replay.ts'
import { headOf, piecesOf, videoHeaders, videoType } from './video-file.ts'

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
