import { deflateSync } from 'node:zlib'
import type { ProjectSettings } from '../../accounts/settings.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import type { Broken } from '../segment.ts'
import { eventsOf, readEntries, splitRecording, type SegmentEvents } from './decode-segment.ts'
import { scrubRecording } from './scrub-recording.ts'

/** A segment as it is kept. */
export interface CleanSegment extends SegmentEvents {
  /** As it was sent, unless something had to be taken out of it. */
  readonly payload: Uint8Array
}

/**
 * The same of a recording that was just received: what must not be kept is taken out of it first.
 *
 * @param payload as it was sent, with its first line
 */
export const receiveSegment = (
  payload: Uint8Array,
  settings: Pick<ProjectSettings, 'scrubbing'>,
): Result<CleanSegment, Broken> => {
  const entries = readEntries(payload)
  if (!entries.ok) return entries
  const { value } = entries.value
  let written: Buffer | null
  try {
    written = scrubRecording(value, settings) ? Buffer.from(JSON.stringify(value)) : null
  } catch (error) {
    // Nothing that is nested as deeply as that was recorded of a page.
    if (error instanceof RangeError) return err('too_deep')
    throw error
  }
  const decoded = eventsOf({ value, bytes: written?.byteLength ?? entries.value.bytes })
  if (!decoded.ok) return decoded
  if (written === null) return ok({ ...decoded.value, payload })
  const head = payload.subarray(0, payload.byteLength - splitRecording(payload).body.byteLength)
  return ok({ ...decoded.value, payload: Buffer.concat([head, deflateSync(written)]) })
}
