import { z } from './zod.ts'
import { date, empty, id, paging, projectFilter, timeRange } from './common.ts'
import { endpoint } from './endpoint.ts'
import { activity, actor, person } from './issues.ts'

/** What visitors said: the inbox. */

/** `open` is a report that nobody has finished; whether somebody has read it is `isRead`. */
export const FEEDBACK_STATUSES = ['open', 'resolved', 'spam', 'archived'] as const
/** Mailboxes of the inbox: the statuses, `unread` (open and not read by anybody) and `all`. */
export const FEEDBACK_MAILBOXES = ['unread', ...FEEDBACK_STATUSES, 'all'] as const
/** `date` newest first, `-date` oldest first, `reply` newest answer of a reporter first, `spam` most suspect first. */
export const FEEDBACK_SORTS = ['date', '-date', 'reply', 'spam'] as const
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
  'shared_address',
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

export const feedbackIssue = z.object({
  id,
  shortId: z.string(),
  title: z.string(),
  status: z.string(),
  level: z.string(),
})
export type FeedbackIssue = z.output<typeof feedbackIssue>

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
  /** The issue it was linked to, or that was made of it. */
  issue: feedbackIssue.nullable(),
  attachmentCount: z.number(),
  noteCount: z.number(),
  replyCount: z.number(),
  /** True while the newest message of the thread is the reporter's answer. */
  awaitsReply: z.boolean(),
  /** Reports that were merged into this one. */
  mergedCount: z.number(),
  dateCreated: date,
  /** Newest message of the thread; `dateCreated` when there is none. */
  lastActivity: date,
})
export type Feedback = z.output<typeof feedback>

export const feedbackMessage = z.object({
  id,
  /** `reporter` or somebody of the team. */
  from: z.enum(['reporter', 'agent', 'system']),
  user: person.nullable(),
  text: z.string(),
  dateCreated: date,
  /**
   * How it reaches the reporter: `sent` or `queued` or `failed` by e-mail, `page` when they have only the private link,
   * null for what the reporter wrote.
   */
  delivery: z
    .object({ state: z.enum(['queued', 'sent', 'failed', 'page']), attempts: z.number(), error: z.string().nullable() })
    .nullable(),
})
export type FeedbackMessage = z.output<typeof feedbackMessage>

export const feedbackAttachment = z.object({
  id,
  name: z.string(),
  mimetype: z.string(),
  /** Bytes. */
  size: z.number(),
  /** True for PNG, JPEG, WebP and GIF, as the sender says: only such are shown. */
  isImage: z.boolean(),
  /** Path below the API of the bytes: `/projects/{org}/{project}/events/{event}/attachments/{id}/?download=1`. */
  url: z.string(),
})
export type FeedbackAttachment = z.output<typeof feedbackAttachment>

export const feedbackBreadcrumb = z.object({
  timestamp: date.nullable(),
  type: z.string(),
  category: z.string(),
  level: z.string(),
  message: z.string(),
  data: z.record(z.string(), z.unknown()),
})

export const feedbackDetail = feedback.extend({
  user: z.object({ id: z.string(), username: z.string(), email: z.string(), ipAddress: z.string() }).nullable(),
  /** Custom fields of the form, in their order. */
  fields: z.array(z.object({ key: z.string(), label: z.string(), value: z.string() })),
  userAgent: z.string(),
  locale: z.string(),
  sdk: z.object({ name: z.string(), version: z.string() }).nullable(),
  attachments: z.array(feedbackAttachment),
  breadcrumbs: z.array(feedbackBreadcrumb),
  traceId: z.string().nullable(),
  /** The event that was reported about; `issue` is null while that event is not known (yet). */
  associatedEvent: z.object({ eventId: z.string(), issue: feedbackIssue.nullable() }).nullable(),
  /** `offsetMs`: where in the replay it was sent; null when nothing of the replay came (yet): then there is none to open. */
  replay: z.object({ replayId: z.string(), offsetMs: z.number().nullable() }).nullable(),
  merged: z.array(z.object({ id, message: z.string(), name: z.string(), email: z.string(), dateCreated: date })),
  /** Oldest first, the newest 500 of `noteCount`. */
  notes: z.array(activity),
  /** Oldest first. */
  thread: z.array(feedbackMessage),
  /** What answering would do now, and why it cannot reach anybody. */
  reply: z.object({
    canReply: z.boolean(),
    by: z.enum(['email', 'page', 'none']),
    reason: z.string().nullable(),
  }),
})
export type FeedbackDetail = z.output<typeof feedbackDetail>

const feedbackIds = z
  .array(z.string().regex(/^\d{1,16}$/, 'A report id is a number.'))
  .min(1)
  .max(1000)

export const feedbackSelection = {
  mailbox: z.enum(FEEDBACK_MAILBOXES).optional(),
  /** Words of message, name, e-mail, URL; all must occur. */
  query: z.string().max(500).optional(),
  /** `user:<id>`, `team:<id>`, `me`, `none`. */
  assigned: z.string().max(64).optional(),
  /** `key:value`; several must all hold. */
  tag: z.array(z.string().max(401)).max(20).optional(),
  ...projectFilter,
  ...timeRange,
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
    /** Of `spam`: put there by the score, and seen by nobody yet. */
    held: z.number(),
  }),
  summary: 'How many reports each mailbox has',
  scope: 'event:read',
})

export const feedbackChange = z.object({
  status: feedbackStatus.optional(),
  isRead: z.boolean().optional(),
  /** `user:<id>`, `team:<id>`, `me`; '' or null for nobody. */
  assignedTo: z.string().max(64).nullable().optional(),
  addTags: z
    .array(z.object({ key: z.string().trim().min(1).max(200), value: z.string().trim().max(200) }))
    .max(20)
    .optional(),
  removeTags: z.array(z.string().max(200)).max(20).optional(),
})
export type FeedbackChange = z.output<typeof feedbackChange>

export const updateFeedbackList = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/feedback/',
  /** By `id`, or (without ids) all that match. */
  query: z.object({ id: feedbackIds.optional(), ...feedbackSelection }),
  body: feedbackChange,
  ok: z.object({ changed: z.array(id) }),
  summary: 'Change many reports: status, read, assignee, tags',
  scope: 'event:write',
})

export const deleteFeedbackList = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/feedback/',
  query: z.object({ id: feedbackIds }),
  ok: empty,
  summary: 'Delete reports with their thread and their attachments, for ever',
  scope: 'event:admin',
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

export const getFeedback = endpoint({
  method: 'GET',
  path: '/organizations/{org}/feedback/{feedback}/',
  ok: feedbackDetail,
  summary: 'One report, by id or event id, with its thread and notes',
  scope: 'event:read',
})

export const updateFeedback = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/feedback/{feedback}/',
  body: feedbackChange,
  ok: feedbackDetail,
  summary: 'Change one report',
  scope: 'event:write',
})

export const linkFeedbackIssue = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/feedback/{feedback}/issue/',
  /** An issue by id or short id; null unlinks. */
  body: z.object({ issue: z.string().max(100).nullable() }),
  ok: feedbackDetail,
  summary: 'Link a report to an issue, or unlink it',
  scope: 'event:write',
})

export const createFeedbackIssue = endpoint({
  method: 'POST',
  path: '/organizations/{org}/feedback/{feedback}/issue/',
  body: z.object({ title: z.string().trim().min(1).max(200).optional() }),
  ok: feedbackDetail,
  summary: 'Make an issue of a report and link it',
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

export const replyToFeedback = endpoint({
  method: 'POST',
  path: '/organizations/{org}/feedback/{feedback}/replies/',
  /** `resolve`: also set the report to resolved. */
  body: z.object({ text: z.string().trim().min(1).max(10_000), resolve: z.boolean().optional() }),
  ok: feedbackMessage,
  summary: 'Answer the reporter, by e-mail or by their private link',
  scope: 'event:write',
})

export const listFeedbackActivity = endpoint({
  method: 'GET',
  path: '/organizations/{org}/feedback/{feedback}/activity/',
  /** `truncated`: there are older entries. Types: `received set_open set_resolved set_archived set_spam set_not_spam assigned unassigned note reply answer merge unmerge linked unlinked notified`. */
  ok: z.object({ activity: z.array(activity), truncated: z.boolean() }),
  summary: 'What happened to a report, newest first',
  scope: 'event:read',
})

export const listFeedbackTags = endpoint({
  method: 'GET',
  path: '/organizations/{org}/feedback-tags/',
  query: z.object({ ...projectFilter }),
  ok: z.array(z.object({ key: z.string(), values: z.array(z.object({ value: z.string(), count: z.number() })) })),
  summary: 'Tags that reports have, for the filter',
  scope: 'event:read',
})

export const feedbackSettings = z.object({
  spam: z.object({
    enabled: z.boolean(),
    /** Score from which a report is marked as spam, 1 to 100. */
    threshold: z.int().min(1).max(100),
    /** A form sent sooner after it was opened is suspect, ms; 0 switches the check off. */
    minimumFillMs: z.int().min(0).max(60_000),
    /** More links than this are suspect. */
    maximumLinks: z.int().min(0).max(100),
    /** Reports in ten minutes from one sender that are not suspect. */
    reportsPerAddress: z.int().min(1).max(10_000),
    /** Reports in ten minutes with one key that are not suspect. */
    reportsPerKey: z.int().min(1).max(1_000_000),
    /** Words that make a report suspect, without regard to case. */
    blockedWords: z.array(z.string().trim().min(1).max(100)).max(200),
  }),
  reply: z.object({
    /** E-mail, when the server has FIRSTHAND_SMTP_URL and the reporter gave an address. */
    email: z.boolean(),
    /** The private link, also shown in the widget's success state. */
    page: z.boolean(),
    /** '' for the server's own; people's answers by e-mail go there and do not reach the thread. */
    replyTo: z.union([z.literal(''), z.email().max(254)]),
    /** Shown to the reporter in place of the project's name. */
    fromName: z.string().trim().max(80),
    /** Tell the reporter when the linked issue is resolved in a release. */
    notifyResolved: z.boolean(),
  }),
})
export type FeedbackSettings = z.output<typeof feedbackSettings>

export const getFeedbackSettings = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/feedback-settings/',
  ok: feedbackSettings.extend({ canSendEmail: z.boolean() }),
  summary: 'Spam thresholds and answers of a project',
  scope: 'project:read',
})

export const updateFeedbackSettings = endpoint({
  method: 'PUT',
  path: '/projects/{org}/{project}/feedback-settings/',
  body: z.object({
    spam: feedbackSettings.shape.spam.partial().optional(),
    reply: feedbackSettings.shape.reply.partial().optional(),
  }),
  ok: feedbackSettings.extend({ canSendEmail: z.boolean() }),
  summary: 'Change spam thresholds and answers of a project',
  scope: 'project:write',
})

/** As Sentry's API has it: a report about an event, older than feedback. */
export const userReport = z.object({
  id,
  eventID: z.string(),
  name: z.string(),
  email: z.string(),
  comments: z.string(),
  dateCreated: date,
  issue: feedbackIssue.nullable(),
})

export const listUserFeedback = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/user-feedback/',
  query: z.object({ ...paging }),
  ok: z.array(userReport),
  summary: 'Reports of a project, in the shape of Sentry’s older API',
  scope: 'event:read',
})

export const createUserFeedback = endpoint({
  method: 'POST',
  path: '/projects/{org}/{project}/user-feedback/',
  body: z.object({
    event_id: z.string().regex(/^[0-9a-fA-F-]{32,36}$/, 'An event id has 32 hexadecimal digits.'),
    name: z.string().max(128).optional(),
    email: z.union([z.literal(''), z.email().max(254)]).optional(),
    comments: z.string().trim().min(1).max(65_536),
  }),
  ok: userReport,
  summary: 'Send a report about an event with a token (with a DSN, this is an ingest route)',
  scope: 'event:write',
})
