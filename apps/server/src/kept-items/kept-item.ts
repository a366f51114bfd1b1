/**
 * An item whose screen comes later (transactions, spans, logs, metrics, sessions, check-ins, replays, profiles, …), or that
 * has none of its own (attachments): kept whole, so that nothing is missing then.
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
