import type { AssigneeRecord } from '../issues/issues.view.ts'
import type { FeedbackDetails, FeedbackStatus } from './feedback.ts'

/** PORT: the inbox. Every call names its organisation; reports of others do not exist. */
export interface Inbox {
  /** One more than `limit` when there are more. */
  list(
    selection: InboxSelection,
    page: { readonly sort: 'date' | '-date' | 'reply' | 'spam'; readonly limit: number; readonly offset: number },
  ): Promise<{ readonly rows: readonly FeedbackRecord[]; readonly hits: number }>
  counts(
    organizationId: number,
    projectIds: readonly number[] | null,
  ): Promise<Readonly<Record<FeedbackStatus | 'unread' | 'held', number>>>
  /** By id or event id. */
  find(organizationId: number, reference: string): Promise<FeedbackRecord | null>
  /** The issue of the event that was reported about; null while that is not here. */
  eventIssue(record: FeedbackRecord): Promise<FeedbackIssueRecord | null>
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
  /** Null unlinks. False when report and issue are not of one project. */
  link(actor: FeedbackActor, feedbackId: number, issueId: number | null): Promise<boolean>
  /** @returns whose attachments are to go as well */
  remove(organizationId: number, ids: readonly number[]): Promise<readonly FeedbackReference[]>
  /** Commonest first, at most `limit` values in all. */
  tags(
    organizationId: number,
    projectIds: readonly number[] | null,
    limit: number,
  ): Promise<readonly { readonly key: string; readonly value: string; readonly count: number }[]>
}

/** Under what the rest of a report is kept: its attachments. */
export interface FeedbackReference {
  readonly organizationId: number
  readonly projectId: number
  readonly eventId: string
}

export interface InboxSelection {
  readonly organizationId: number
  /** Null is all of the organisation. */
  readonly projectIds: readonly number[] | null
  /** `put-away`: archived or spam. */
  readonly mailbox: 'unread' | FeedbackStatus | 'put-away' | 'all'
  /** All must occur. */
  readonly words: readonly string[]
  /** Null for nobody; absent: whoever. */
  readonly assignee?: AssigneeId | null
  readonly tags: readonly (readonly [string, string])[]
  /** Absent: whichever. */
  readonly environments?: readonly string[]
  /** Of its arrival; milliseconds since the epoch, `to` exclusive. */
  readonly period: { readonly from: number; readonly to: number } | null
}

export interface AssigneeId {
  readonly type: 'user' | 'team'
  readonly id: number
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
  /** Somebody (or a team) of the organisation; null for nobody. */
  readonly assignee?: AssigneeId | null
  readonly addTags?: readonly { readonly key: string; readonly value: string }[]
  readonly removeTags?: readonly string[]
}

export interface FeedbackActivity {
  readonly id: number
  readonly type: string
  readonly user: { readonly id: number; readonly name: string; readonly email: string } | null
  readonly data: Readonly<Record<string, unknown>>
  readonly createdAt: number
}

export interface FeedbackIssueRecord {
  readonly id: number
  readonly shortId: string
  readonly title: string
  readonly status: string
  readonly level: string
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
  readonly issue: FeedbackIssueRecord | null
  readonly assigned: AssigneeRecord | null
  readonly spam: { readonly score: number; readonly reasons: string; readonly decidedBy: 'automatic' | 'person' }
  readonly attachments: number
  readonly notes: number
  readonly merged: number
  /** Messages of its thread. */
  readonly replies: number
  readonly awaitsReply: boolean
  /** The secret in the private link to its thread. */
  readonly threadToken: string | null
  readonly createdAt: number
  readonly lastActivityAt: number
}
