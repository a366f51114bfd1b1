import type { Issue } from '@firsthand/contract'
import { assigneeJson, beginningOf, dateOf, firstLineOf } from './feedback-json.ts'
import type { FeedbackRow } from './inbox.store.ts'
import { reportIssueId, reportShortId } from './report-short-id.ts'

const STATUSES = {
  open: { status: 'unresolved', substatus: 'new' },
  resolved: { status: 'resolved', substatus: null },
  archived: { status: 'ignored', substatus: 'archived_forever' },
  spam: { status: 'ignored', substatus: 'archived_forever' },
} as const

/** Sentry's title, with the beginning of the first line, by which lists tell reports apart. */
const titleOf = (message: string): string => {
  const beginning = firstLineOf(message)
  return beginning === '' ? 'User Feedback' : `User Feedback: ${beginning}`
}

export interface ReportIssueContext {
  /** Without a final slash. */
  readonly publicUrl: string
  readonly organizationSlug: string
  /** Whether the row's counts are wanted a second time, as those of its whole life. */
  readonly lifetime: boolean
}

/** A report in the shape of an issue. */
export const reportAsIssue = (
  record: FeedbackRow,
  { publicUrl, organizationSlug, lifetime }: ReportIssueContext,
): Issue => {
  const id = reportIssueId(record)
  const message = beginningOf(record.message)
  const { associatedEventId, createdAt, email, merged, name, project, source, status, url } = record
  const date = dateOf(createdAt)
  // Those that say the same stand under one.
  const life = { count: String(1 + merged), userCount: 1, firstSeen: date, lastSeen: date }
  return {
    id,
    shareId: null,
    shortId: reportShortId(record),
    title: titleOf(record.message),
    culprit: '',
    permalink: `${publicUrl}/organizations/${organizationSlug}/issues/${id}/`,
    logger: null,
    level: 'info',
    ...STATUSES[status],
    statusDetails: {},
    isPublic: false,
    platform: project.platform,
    project: { id: String(project.id), name: project.name, slug: project.slug, platform: project.platform },
    type: 'generic',
    issueType: 'feedback',
    issueCategory: 'feedback',
    metadata: {
      title: 'User Feedback',
      value: message,
      message,
      contact_email: email,
      name,
      source,
      ...(url === '' ? {} : { url }),
      ...(associatedEventId === null ? {} : { associated_event_id: associatedEventId }),
      is_spam: status === 'spam',
    },
    numComments: record.notes,
    assignedTo: assigneeJson(record.assigned),
    isBookmarked: false,
    isSubscribed: false,
    subscriptionDetails: null,
    hasSeen: record.isRead,
    annotations: [],
    priority: 'medium',
    priorityLockedAt: null,
    isUnhandled: false,
    ...life,
    reporterCount: 1 + merged,
    stats: {},
    ...(lifetime ? { lifetime: life } : {}),
  }
}
