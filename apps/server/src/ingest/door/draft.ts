import { envelopeParts, type Envelope, type Item } from '@firsthand/protocol'
import { inSlices, joinSteps } from '../../lib/sliced-work.ts'
import { LIMITS } from '../limits.ts'

/**
 * An envelope on its way through the door: what was received as one, or what another route was translated into. From here
 * on all routes are alike.
 */
export interface Draft {
  readonly envelope: Envelope
  /** The bytes that were parsed; null when the envelope was made here. */
  readonly received: Uint8Array | null
}

/** An envelope made here. */
export const makeDraft = (eventId: string | null, items: readonly Item[]): Draft => ({
  envelope: {
    header: {
      eventId,
      dsn: null,
      sdk: null,
      sentAt: null,
      trace: null,
      raw: eventId === null ? {} : { event_id: eventId },
    },
    items,
  },
  received: null,
})

export const makeItem = (
  type: string,
  payload: Uint8Array,
  more: { filename?: string; content_type?: string; attachment_type?: string; [other: string]: unknown } = {},
): Item => ({
  header: {
    type,
    length: payload.byteLength,
    contentType: more.content_type ?? null,
    itemCount: null,
    filename: more.filename ?? null,
    attachmentType: more.attachment_type ?? null,
    platform: null,
    raw: { type, ...more },
  },
  payload,
})

/** The bytes to keep. They are the received ones when every item was let in and the header names the event already. */
export const bytesOf = (
  draft: Draft,
  items: readonly Item[],
  eventId: string | null,
): Uint8Array | Promise<Uint8Array> => {
  const { envelope, received } = draft
  const complete = items.length === envelope.items.length && eventId === envelope.header.eventId
  if (received !== null && complete) return received
  const header = eventId === null ? envelope.header.raw : { ...envelope.header.raw, event_id: eventId }
  const parts = envelopeParts(
    header,
    items.map((item) => ({ header: item.header.raw, payload: item.payload })),
  )
  const bytes = parts.reduce((sum, part) => sum + part.byteLength, 0)
  return inSlices<Uint8Array>(joinSteps(parts, bytes, LIMITS.DOOR_TURN_BYTES))
}
