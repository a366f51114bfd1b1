/** PORT: files that came with events. Every call names organisation, project and event. */
export interface AttachmentView {
  /** In the order of arrival; one more than `limit` when there are more. */
  list(
    event: EventReference,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly AttachmentRecord[]>
  find(event: EventReference, id: string): Promise<AttachmentRecord | null>
  /** Null when the file is not kept (any more). */
  content(event: EventReference, id: string): Promise<Uint8Array | null>
}

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
