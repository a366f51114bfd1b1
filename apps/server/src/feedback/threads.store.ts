export interface ThreadMessage {
  readonly id: number
  readonly author: 'reporter' | 'agent' | 'system'
  readonly user: { readonly id: number; readonly name: string; readonly email: string } | null
  readonly text: string
  readonly delivery: 'queued' | 'sent' | 'failed' | 'page' | null
  readonly attempts: number
  readonly error: string | null
  readonly createdAt: number
}

export interface Thread {
  readonly organizationId: number
  readonly projectId: number
  readonly projectName: string
  /** 32 hex characters; under it the attachments are found. */
  readonly eventId: string
  readonly attachments: number
  /** Of the page that it is about, as sent; '' when not sent. */
  readonly url: string
  /** JSON of `ProjectSettings`. */
  readonly settings: string
  readonly status: string
  readonly message: string
  readonly createdAt: number
  /** As the reporter's browser said; '' when it did not. */
  readonly locale: string
  readonly messages: readonly ThreadMessage[]
}

export interface DueMail {
  readonly messageId: number
  readonly organizationId: number
  readonly projectId: number
  readonly author: 'agent' | 'system'
  readonly text: string
  readonly attempts: number
  readonly email: string
  readonly reporterName: string
  readonly projectName: string
  readonly settings: string
  readonly token: string | null
  /** What the reporter had written. */
  readonly reportText: string
  readonly reportedAt: number
  readonly locale: string
}
