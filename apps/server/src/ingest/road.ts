import type { EnvelopeHeader, Item } from '@firsthand/protocol'
import type { ItemFile } from './payload-file.ts'

/**
 * The types of the road that an item takes through the server: one type per stop.
 *
 * bytes → `AcceptedEnvelope` (accept) → `SpoolRecord` (spool) → `DigestItem` (digest)
 * → what a processor makes of it → rows and exactly one `Outcome` per item.
 */

/** Who sent an envelope, established at the door and never read from the payload. */
export interface Sender {
  readonly organizationId: number
  readonly projectId: number
  readonly keyId: number
  /** Address of the client (after trusted proxies), or null when unknown. */
  readonly clientAddress: string | null
  readonly userAgent: string | null
  /** `Origin`, else `Referer`, as sent. */
  readonly origin: string | null
  /** `name/version` of `sentry_client`, or of the envelope's `sdk`; '' when neither is given. */
  readonly sdk: string
}

/** An envelope that passed the door: key, size, syntax and quota are settled. */
export interface AcceptedEnvelope {
  readonly kind: 'envelope'
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  readonly sender: Sender
  /** Uncompressed envelope bytes that hold only the items that were let in. The event id is in its header. */
  readonly body: Uint8Array
  /** Large payloads of its items, which are not in the body. */
  readonly files?: readonly ItemFile[]
  /** Reading it may take long for its size: it is digested apart, where projects take turns. */
  readonly isHeavy?: true
}

/** Outcomes of items that were refused at the door, counted there and written down in small batches. */
export interface RefusedItems {
  readonly kind: 'outcomes'
  readonly receivedAt: number
  readonly outcomes: readonly OutcomeRow[]
}

export type SpoolRecord = AcceptedEnvelope | RefusedItems

/** Where a record stands in the spool. Totally ordered: first by segment, then by offset (bytes). */
export interface SpoolPosition {
  readonly segment: number
  readonly offset: number
}

/** One item of one envelope on its way through the digest. */
export interface DigestItem {
  readonly sender: Sender
  readonly receivedAt: number
  readonly header: EnvelopeHeader
  /** 32 lower-case hex characters; set whenever the envelope's items need one (protocol.md 1.4). */
  readonly eventId: string | null
  readonly item: Item
}

export type OutcomeKind =
  | 'accepted'
  | 'filtered'
  | 'rate_limited'
  | 'invalid'
  | 'duplicate'
  | 'client_discard'
  | 'abuse'

/** How one item ended. `reason` is '' only for `accepted`. */
export interface Outcome {
  readonly kind: OutcomeKind
  /** A snake_case word of the catalogue in docs/spec.md, e.g. `localhost`, `too_large`, `invalid_json`. */
  readonly reason: string
}

/** A counted outcome: what the receipts screen shows. Rows with equal keys are summed. */
export interface OutcomeRow {
  readonly organizationId: number
  readonly projectId: number
  readonly keyId: number
  /** Milliseconds since the epoch; storage truncates it to the minute. */
  readonly timestamp: number
  readonly outcome: OutcomeKind
  readonly reason: string
  /** As sent; '' when there is none. */
  readonly itemType: string
  readonly category: string
  readonly sdk: string
  /** Number of items (for containers: of the things inside). */
  readonly quantity: number
  readonly bytes: number
}

/** Why an item went no further. */
export interface Drop {
  readonly outcome: Outcome
  /** A sentence for the log and the receipts screen. */
  readonly detail?: string
}
