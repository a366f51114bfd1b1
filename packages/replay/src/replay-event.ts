import type { Client, EnvelopeItem, Event } from '@firsthand/browser'
import { isThenable } from '@firsthand/browser/parts'
import type { Session } from './session.ts'

/** Of one segment. */
export const MAX_LISTED = 100

/** What happened since the last segment, by name. */
export interface Noted {
  readonly urls: string[]
  readonly errorIds: Set<string>
  readonly traceIds: Set<string>
}

export const noneNoted = (): Noted => ({ urls: [], errorIds: new Set(), traceIds: new Set() })

export interface Segment {
  readonly session: Session
  readonly segmentId: number
  /** Seconds since 1970: of the whole replay, and the segment's end. */
  readonly start: number
  readonly end: number
  readonly noted: Noted
}

/** The first of the two items, with what the SDK knows of visitor and page. */
const eventOf = ({ session, segmentId, start, end, noted }: Segment): Event => ({
  type: 'replay_event',
  event_id: session.id,
  replay_id: session.id,
  segment_id: segmentId,
  replay_type: session.sampled,
  replay_start_timestamp: start,
  timestamp: end,
  urls: noted.urls.slice(-MAX_LISTED),
  error_ids: [...noted.errorIds].slice(-MAX_LISTED),
  trace_ids: [...noted.traceIds].slice(-MAX_LISTED),
  ...(session.previousSessionId && { contexts: { replay: { previous_replay_id: session.previousSessionId } } }),
})

/** A replay has what led to an error in itself. */
const finish = (event: Event): Event => {
  const { breadcrumbs: _breadcrumbs, extra: _extra, ...kept } = event
  return kept
}

/** Null: a processor of the page does not want it. */
export const prepareEvent = async (client: Client, segment: Segment): Promise<Event | null> => {
  const made = await client._prepareEvent(eventOf(segment), {})
  return made && finish(made)
}

/** For a page that goes away: without processors that take their time. */
export const prepareNow = (client: Client, segment: Segment): Event | null => {
  const event = eventOf(segment)
  const made = client._prepareEvent(event, {})
  return isThenable(made) ? { platform: 'javascript', ...event } : made && finish(made)
}

export const itemsOf = (event: Event, recording: Uint8Array<ArrayBuffer>): EnvelopeItem[] => [
  [{ type: 'replay_event' }, event],
  [{ type: 'replay_recording' }, recording],
]
