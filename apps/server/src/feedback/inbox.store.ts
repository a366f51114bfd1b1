import type { FeedbackDetails, FeedbackStatus } from './feedback.ts'

/** PORT: the inbox. Every call names its organisation; reports of others do not exist. */
export interface Inbox {
  /** One more than `limit` when there are more. */
  list(
    selection: InboxSelection,
    page: { readonly sort: 'date' | '-date' | 'spam'; readonly limit: number; readonly offset: number },
  ): Promise<{ readonly rows: readonly FeedbackRecord[]; readonly hits: number }>
  counts(
    organizationId: number,
    projectIds: readonly number[] | null,
  ): Promise<Readonly<Record<FeedbackStatus | 'unread', number>>>
  /** By id or event id. */
  find(organizationId: number, reference: string): Promise<FeedbackRecord | null>
  activity(organizationId: number, feedbackId: number): Promise<readonly FeedbackActivity[]>
  merged(organizationId: number, feedbackId: number): Promise<readonly FeedbackRecord[]>
  ids(selection: InboxSelection, limit: number): Promise<readonly number[]>
  /** @returns ids of those that exist */
  change(actor: FeedbackActor, ids: readonly number[], change: FeedbackChangeRequest): Promise<readonly number[]>
  /** Null when parent or children are not reports of one project. */
  merge(actor: FeedbackActor, parent: number, children: readonly number[]): Promise<readonly number[] | null>
  unmerge(actor: FeedbackActor, children: readonly number[]): Promise<readonly number[]>
  note(actor: FeedbackActor, feedbackId: number, text: string): Promise<FeedbackActivity | null>
  /** False when the note is not there, or not the actor's. */
  removeNote(actor: FeedbackActor, feedbackId: number, noteId: number): Promise<boolean>
}

export interface InboxSelection {
  readonly organizationId: number
  /** Null is all of the organisation. */
  readonly projectIds: readonly number[] | null
  readonly mailbox: 'unread' | FeedbackStatus | 'all'
  /** All must occur. */
  readonly words: readonly string[]
  /** User id, or null for nobody; absent: whoever. */
  readonly assignedUserId?: number | null
  readonly tags: readonly (readonly [string, string])[]
}

export interface FeedbackActor {
  readonly organizationId: number
  /** Null for tokens without a person. */
  readonly userId: number | null
  readonly now: number
}

export interface FeedbackChangeRequest {
  readonly status?: FeedbackStatus
  readonly isRead?: boolean
  /** Null for nobody. */
  readonly assignedUserId?: number | null
}

export interface FeedbackActivity {
  readonly id: number
  readonly type: string
  readonly user: { readonly id: number; readonly name: string; readonly email: string } | null
  readonly data: Readonly<Record<string, unknown>>
  readonly createdAt: number
}

export interface FeedbackRecord {
  readonly id: number
  readonly eventId: string
  readonly project: { readonly id: number; readonly name: string; readonly slug: string; readonly platform: string }
  readonly status: FeedbackStatus
  readonly isRead: boolean
  readonly source: string
  readonly message: string
  readonly name: string
  readonly email: string
  readonly url: string
  readonly browser: string
  readonly os: string
  readonly environment: string
  readonly release: string
  readonly tags: readonly { readonly key: string; readonly value: string }[]
  readonly details: FeedbackDetails
  readonly traceId: string | null
  readonly replayId: string | null
  readonly associatedEventId: string | null
  /** Linked by a person, or the one of the associated event as soon as that is here. */
  readonly issueId: number | null
  readonly assigned: { readonly id: number; readonly name: string; readonly email: string } | null
  readonly spam: { readonly score: number; readonly reasons: string; readonly decidedBy: 'automatic' | 'person' }
  readonly attachments: number
  readonly notes: number
  readonly merged: number
  readonly awaitsReply: boolean
  readonly createdAt: number
  readonly lastActivityAt: number
}
