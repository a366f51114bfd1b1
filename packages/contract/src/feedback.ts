import { z } from './zod.ts'
import { date, empty, id, paging, projectFilter } from './common.ts'
import { endpoint } from './endpoint.ts'
import { activity, actor } from './issues.ts'

/** What visitors said: the inbox. */

/** `open` is a report that nobody has finished; whether somebody has read it is `isRead`. */
export const FEEDBACK_STATUSES = ['open', 'resolved', 'spam', 'archived'] as const
/** Mailboxes of the inbox: the statuses, `unread` (open and not read by anybody) and `all`. */
export const FEEDBACK_MAILBOXES = ['unread', ...FEEDBACK_STATUSES, 'all'] as const
/** `date` newest first, `-date` oldest first, `spam` most suspect first. */
export const FEEDBACK_SORTS = ['date', '-date', 'spam'] as const
/** By which way a report came. */
export const FEEDBACK_SOURCES = ['widget', 'api', 'user_report', 'user_feedback', 'error_page', 'other'] as const
/** Why a report is suspected; the weights are the project's. */
export const FEEDBACK_SPAM_REASONS = [
  'honeypot',
  'too_fast',
  'links',
  'gibberish',
  'duplicate',
  'rate_key',
  'rate_address',
  'blocked_word',
] as const

export const feedbackStatus = z.enum(FEEDBACK_STATUSES)
export const feedbackSpamReason = z.enum(FEEDBACK_SPAM_REASONS)

export const feedbackSpam = z.object({
  /** 0 to 100; at the project's threshold and above, the report is marked as spam. */
  score: z.number(),
  reasons: z.array(z.object({ reason: feedbackSpamReason, points: z.number(), detail: z.string() })),
  /** `automatic` by the score, `person` when somebody said so (or said that it is not). */
  decidedBy: z.enum(['automatic', 'person']),
})

/** One row of the inbox. */
export const feedback = z.object({
  id,
  /** 32 hexadecimal characters; under it the attachments are found. */
  eventId: z.string(),
  project: z.object({ id, name: z.string(), slug: z.string(), platform: z.string() }),
  status: feedbackStatus,
  isRead: z.boolean(),
  /** Cut in lists, whole in the detail. */
  message: z.string(),
  name: z.string(),
  email: z.string(),
  /** Of the page; '' when not sent. Shown as text: only http(s) may become a link. */
  url: z.string(),
  source: z.enum(FEEDBACK_SOURCES),
  browser: z.string(),
  os: z.string(),
  environment: z.string(),
  release: z.string(),
  assignedTo: actor.nullable(),
  tags: z.array(z.object({ key: z.string(), value: z.string() })),
  spam: feedbackSpam,
  attachmentCount: z.number(),
  noteCount: z.number(),
  /** Reports that were merged into this one. */
  mergedCount: z.number(),
  dateCreated: date,
  /** Newest change of status or note; `dateCreated` when there is none. */
  lastActivity: date,
})
export type Feedback = z.output<typeof feedback>

const feedbackIds = z
  .array(z.string().regex(/^\d{1,16}$/, 'A report id is a number.'))
  .min(1)
  .max(1000)

export const feedbackSelection = {
  mailbox: z.enum(FEEDBACK_MAILBOXES).optional(),
  /** Words of message, name, e-mail, URL; all must occur. */
  query: z.string().max(500).optional(),
  /** `user:<id>`, `me`, `none`. */
  assigned: z.string().max(64).optional(),
  /** `key:value`; several must all hold. */
  tag: z.array(z.string().max(401)).max(20).optional(),
  ...projectFilter,
}

export const listFeedback = endpoint({
  method: 'GET',
  path: '/organizations/{org}/feedback/',
  query: z.object({ ...feedbackSelection, sort: z.enum(FEEDBACK_SORTS).default('date'), ...paging }),
  ok: z.array(feedback),
  summary: 'The inbox: search, sort, page (Link header, X-Hits)',
  scope: 'event:read',
})

export const countFeedback = endpoint({
  method: 'GET',
  path: '/organizations/{org}/feedback/counts/',
  query: z.object({ ...projectFilter }),
  ok: z.object({
    unread: z.number(),
    open: z.number(),
    resolved: z.number(),
    spam: z.number(),
    archived: z.number(),
  }),
  summary: 'How many reports each mailbox has',
  scope: 'event:read',
})

export const feedbackChange = z.object({
  status: feedbackStatus.optional(),
  isRead: z.boolean().optional(),
  /** `user:<id>`, `me`; '' or null for nobody. */
  assignedTo: z.string().max(64).nullable().optional(),
})
export type FeedbackChange = z.output<typeof feedbackChange>

export const updateFeedbackList = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/feedback/',
  /** By `id`, or (without ids) all that match. */
  query: z.object({ id: feedbackIds.optional(), ...feedbackSelection }),
  body: feedbackChange,
  ok: z.object({ changed: z.array(id) }),
  summary: 'Change many reports: status, read, assignee',
  scope: 'event:write',
})

export const mergeFeedback = endpoint({
  method: 'POST',
  path: '/organizations/{org}/feedback/merge/',
  /** All of one project. The others stay readable below the parent. */
  body: z.object({ parent: z.string().regex(/^\d{1,16}$/), children: feedbackIds.max(100) }),
  ok: z.object({ parent: id, children: z.array(id) }),
  summary: 'Merge duplicates into one report',
  scope: 'event:write',
})

export const unmergeFeedback = endpoint({
  method: 'POST',
  path: '/organizations/{org}/feedback/unmerge/',
  body: z.object({ children: feedbackIds.max(100) }),
  ok: z.object({ children: z.array(id) }),
  summary: 'Undo a merge: the reports stand alone again',
  scope: 'event:write',
})

export const createFeedbackNote = endpoint({
  method: 'POST',
  path: '/organizations/{org}/feedback/{feedback}/notes/',
  body: z.object({ text: z.string().trim().min(1).max(10_000) }),
  ok: activity,
  summary: 'Write a note on a report; the reporter never sees it',
  scope: 'event:write',
})

export const deleteFeedbackNote = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/feedback/{feedback}/notes/{note}/',
  ok: empty,
  summary: 'Delete an own note',
  scope: 'event:write',
})

export const listFeedbackActivity = endpoint({
  method: 'GET',
  path: '/organizations/{org}/feedback/{feedback}/activity/',
  /** Types: `received set_open set_resolved set_archived set_spam set_not_spam assigned unassigned note merge unmerge`. */
  ok: z.object({ activity: z.array(activity) }),
  summary: 'What happened to a report, newest first',
  scope: 'event:read',
})
