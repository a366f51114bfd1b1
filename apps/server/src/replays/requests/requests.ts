import type { ReplayRequest } from '@firsthand/contract'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import { createAskedThread, type AskedThread } from '../asked-thread.ts'
import { LIMITS } from '../limits.ts'
import type { SegmentRecord } from '../replay.ts'
import { placeIn } from '../telemetry/row-id.ts'
import { charsOf } from './read-request.ts'
import type { RequestsAsked } from './request-thread.ts'

/** Headers and bodies of requests stand in the recording alone: their segment is read, on a thread of its own. */

export type RequestReading = AskedThread<RequestsAsked, readonly ReplayRequest[]>

export const createRequestReading = (): RequestReading =>
  createAskedThread({
    entry: new URL('./request-thread.ts', import.meta.url),
    does: 'reads requests of replays',
    answerMs: LIMITS.REPLAY_REQUEST_READ_MS,
  })

/** The segment that a mark came with. */
export const segmentOf = <Segment extends Pick<SegmentRecord, 'id'>>(
  segments: readonly Segment[],
  markId: string,
): Segment | null => segments.find((segment) => placeIn(segment, markId) < LIMITS.REPLAY_MARKS_PER_SEGMENT) ?? null

/**
 * @param marks of requests that began at the same moment, in their order
 * @returns what was noted of each; null where nothing of it can be read any more
 * @throws ThreadEnded
 */
export const readRequests = async (
  { blobs, reading }: { readonly blobs: Pick<BlobStore, 'get'>; readonly reading: Pick<RequestReading, 'ask'> },
  segments: readonly SegmentRecord[],
  { at, marks }: { readonly at: number; readonly marks: readonly { readonly id: string; readonly text: string }[] },
): Promise<(ReplayRequest | null)[]> => {
  const readable = segments.filter(({ blobKey, broken }) => blobKey !== '' && broken === '')
  const found = new Map<SegmentRecord, ReplayRequest[]>()
  const answers: (ReplayRequest | null)[] = []
  let chars = LIMITS.REPLAY_REQUESTS_CHARS
  for (const { id, text } of marks) {
    const segment = segmentOf(readable, id)
    if (segment !== null && !found.has(segment) && found.size < LIMITS.REPLAY_REQUEST_SEGMENTS) {
      const payload = await blobs.get(segment.blobKey)
      const asked = payload === null ? [] : await reading.ask({ payload, at: at - segment.shift, chars })
      chars -= charsOf(asked)
      found.set(segment, [...asked])
    }
    const noted = segment === null ? undefined : found.get(segment)?.shift()
    // The mark has the whole address.
    answers.push(noted === undefined ? null : { ...noted, url: text })
  }
  return answers
}
