export interface EventReference {
  readonly organizationId: number
  readonly projectId: number
  /** 32 hex characters. */
  readonly eventId: string
}

export interface AttachmentRecord {
  /** 32 hex characters. */
  readonly id: string
  /** JSON, as received. */
  readonly itemHeader: string
  /** Empty when the SDK gave none. */
  readonly filename: string
  readonly contentType: string
  readonly bytes: number
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
}
