import type { ReplayRequest } from '@firsthand/contract'
import { createAskedThread, type AskedThread } from '../asked-thread.ts'
import { LIMITS } from '../limits.ts'
import { readBlob, type BlobReading } from '../read-blob.ts'
import type { MarkRecord, SegmentRecord } from '../replay.ts'
import { isPlayable } from '../segment-rules.ts'
import type { RequestAsked } from './request-thread.ts'

/** Headers and bodies of requests stand in the recording alone: their segment is read, on a thread of its own. */

export type RequestReading = AskedThread<RequestAsked, ReplayRequest | null>

export const createRequestReading = (): RequestReading =>
  createAskedThread({
    entry: new URL('./request-thread.ts', import.meta.url),
    does: 'reads requests of replays',
    answerMs: LIMITS.REPLAY_REQUEST_READ_MS,
  })

interface Wanted {
  readonly segment: SegmentRecord
  /** Of requests of that segment that began in the same millisecond, in their order. */
  readonly marks: readonly Pick<MarkRecord, 'at' | 'id' | 'text'>[]
  /** The id of the one that is wanted. */
  readonly mark: string
}

/**
 * @returns what was noted of it; null where nothing of it can be read any more
 * @throws ThreadEnded
 */
export const readRequest = async (
  { blobs, logger, reading }: BlobReading & { readonly reading: Pick<RequestReading, 'ask'> },
  { mark: wanted, marks, segment }: Wanted,
): Promise<ReplayRequest | null> => {
  const place = marks.findIndex(({ id }) => id === wanted)
  const mark = marks[place]
  if (mark === undefined || !isPlayable(segment)) return null
  const payload = await readBlob({ blobs, logger }, segment.blobKey)
  const noted = payload === null ? null : await reading.ask({ payload, at: mark.at - segment.shift, place })
  // The mark has the whole address.
  return noted === null ? null : { ...noted, url: mark.text }
}
