import type { Frame } from './event.ts'
import type { GroupedEvent } from './grouped.ts'
import type { OutcomeRow } from '../ingest/road.ts'

/**
 * PORT, telemetry writes of the digest: append only, arrays only. A batch may be written twice under the same token and
 * is stored once (`insert_deduplication_token` = token + table).
 */
export interface TelemetryStore {
  /**
   * The row of an event but for its issue, which only the ledger knows. Pure. Made as soon as the event is grouped, so
   * that a batch that waits for its turn is a few buffers and not a forest of objects.
   */
  encode(event: EventToStore): EventRow
  /** @returns what the store will never take; it has the rest */
  write(batch: TelemetryBatch): Promise<RefusedRows>
}

export interface TelemetryBatch {
  /** `<spool>:<batch number>` */
  readonly token: string
  readonly events: readonly StoredEvent[]
  readonly keptItems: readonly KeptItem[]
  /** How the items ended, written last. */
  readonly outcomes: (refused: RefusedRows) => readonly OutcomeRow[]
}

/** One bad row must not hold up all others for ever: it is found, left out, and named here with the store's reason. */
export interface RefusedRows {
  /** By index in `events`. */
  readonly events: ReadonlyMap<number, string>
  /** By index in `keptItems`. */
  readonly keptItems: ReadonlyMap<number, string>
}

/** What only the store itself can read. */
export interface EventRow {
  readonly bytes: Uint8Array
  /** Frames that the event has in common with others, stored once for all of them. */
  readonly stacks: readonly SharedStack[]
}

export interface SharedStack {
  /** 32 hex characters, a hash of the frames. */
  readonly id: string
  readonly frames: readonly Frame[]
  /** The Sunday of the event's week, as milliseconds since the epoch: a stack lives as long as the events of a week. */
  readonly keptUntil: number
}

export interface StoredEvent {
  readonly organizationId: number
  readonly projectId: number
  readonly issueId: number
  readonly row: EventRow
}

export interface EventToStore {
  readonly receivedAt: number
  readonly grouped: GroupedEvent
  readonly traceId: string | null
  readonly spanId: string | null
  readonly replayId: string | null
}

/**
 * An item whose screen comes later (transactions, spans, logs, metrics, sessions, check-ins, replays, feedback,
 * attachments, profiles, …), kept whole so that nothing is missing then.
 */
export interface KeptItem {
  readonly organizationId: number
  readonly projectId: number
  /** 32 hex characters, derived from the spool position, so that a repeated batch has the same ids. */
  readonly id: string
  readonly itemType: string
  /** Of the envelope; for attachments the event they belong to, for replays the replay. */
  readonly eventId: string | null
  readonly traceId: string | null
  readonly receivedAt: number
  /** JSON of the headers, as received. */
  readonly envelopeHeader: string
  readonly itemHeader: string
  /** Set for attachments. */
  readonly filename: string | null
  readonly contentType: string | null
  readonly bytes: number
  /** The payload, when it is text of at most `KEPT_INLINE_BYTES`. */
  readonly payload: string | null
  /** Where the payload is, when it is not inline. */
  readonly blobKey: string | null
}
