import type { AssigneeRecord } from '../issues/issues.view.ts'
import type { FeedbackDetails, FeedbackStatus } from './feedback.ts'

/** Under what the rest of a report is kept: its attachments, and its row of telemetry. */
export interface FeedbackReference {
  readonly organizationId: number
  readonly projectId: number
  readonly eventId: string
  readonly attachments: number
}

export interface InboxPage {
  /** `same`: those first under which most others stand that say the same. */
  readonly sort: 'date' | '-date' | 'reply' | 'spam' | 'same'
  readonly limit: number
  readonly offset: number
  /** Characters of each message that are read; all of them without it. */
  readonly messageChars?: number
}

export interface InboxSelection {
  readonly organizationId: number
  /** Null is all of the organisation. */
  readonly projectIds: readonly number[] | null
  /** Absent: whichever. */
  readonly ids?: readonly number[]
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

/** A report with what only its own page shows, which may be a megabyte. */
export interface FeedbackRecord extends FeedbackRow {
  readonly details: FeedbackDetails
}

export interface FeedbackRow {
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
  readonly traceId: string | null
  readonly replayId: string | null
  /** When it was sent, by the corrected clock of its sender: it may have waited for a connection since. */
  readonly writtenAt: number
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
