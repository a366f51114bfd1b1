import { FEEDBACK_SOURCES, feedbackSpam } from '@firsthand/contract'
import type { Activity, Feedback, FeedbackDetail, FeedbackMessage } from '@firsthand/contract'
import { isObject } from '@firsthand/protocol'
import { fileName, mediaType } from '../kept-items/index.ts'
import type { AttachmentRecord } from '../kept-items/index.ts'
import type { JsonObject } from '../event/event.ts'
import { LIMITS } from './limits.ts'
import type { FeedbackActivity, FeedbackIssueRecord, FeedbackRecord, FeedbackRow } from './inbox.store.ts'
import type { Way } from './reporter-mail.ts'
import type { ThreadMessage } from './threads.store.ts'

/** Records in the words of the contract. */

export const dateOf = (at: number): string => new Date(at).toISOString()

const personOf = (user: { readonly id: number; readonly name: string; readonly email: string }) => ({
  id: String(user.id),
  name: user.name,
  email: user.email,
  username: user.email,
})

export const activityJson = (entry: FeedbackActivity): Activity => ({
  id: String(entry.id),
  type: entry.type,
  user: entry.user === null ? null : personOf(entry.user),
  data: entry.data,
  dateCreated: dateOf(entry.createdAt),
})

const issueJson = (issue: FeedbackIssueRecord) => ({ ...issue, id: String(issue.id) })

export const assigneeJson = (assigned: FeedbackRow['assigned']): Feedback['assignedTo'] => {
  if (assigned === null) return null
  return assigned.type === 'user'
    ? { type: 'user', id: String(assigned.id), name: assigned.name, email: assigned.email }
    : { type: 'team', id: String(assigned.id), name: assigned.name, slug: assigned.slug }
}

export const feedbackJson = (record: FeedbackRow): Feedback => ({
  id: String(record.id),
  eventId: record.eventId,
  project: { ...record.project, id: String(record.project.id) },
  status: record.status,
  isRead: record.isRead,
  message: record.message,
  name: record.name,
  email: record.email,
  url: record.url,
  source: FEEDBACK_SOURCES.find((source) => source === record.source) ?? 'other',
  browser: record.browser,
  os: record.os,
  environment: record.environment,
  release: record.release,
  assignedTo: assigneeJson(record.assigned),
  tags: [...record.tags],
  spam: feedbackSpam.parse({ ...record.spam, reasons: JSON.parse(record.spam.reasons) as unknown }),
  issue: record.issue === null ? null : issueJson(record.issue),
  attachmentCount: record.attachments,
  noteCount: record.notes,
  replyCount: record.replies,
  awaitsReply: record.awaitsReply,
  mergedCount: record.merged,
  dateCreated: dateOf(record.createdAt),
  lastActivity: dateOf(record.lastActivityAt),
})

/** As much of a message as a list shows. */
export const beginningOf = (message: string): string =>
  message.length <= LIMITS.FEEDBACK_ROW_CHARS
    ? message
    : `${message.slice(0, LIMITS.FEEDBACK_ROW_CHARS).toWellFormed()}…`

const TITLE_CHARS = 120

/** Short enough for a title. */
export const firstLineOf = (message: string): string => {
  const line = message.trim().split('\n', 1)[0] ?? ''
  return line.length <= TITLE_CHARS ? line : `${line.slice(0, TITLE_CHARS).toWellFormed()}…`
}

/** As `feedbackJson`, with the beginning of a long message. */
export const feedbackRowJson = (record: FeedbackRow): Feedback => ({
  ...feedbackJson(record),
  message: beginningOf(record.message),
})

export const messageJson = (message: ThreadMessage): FeedbackMessage => ({
  id: String(message.id),
  from: message.author,
  user: message.user === null ? null : personOf(message.user),
  text: message.text,
  dateCreated: dateOf(message.createdAt),
  delivery:
    message.delivery === null ? null : { state: message.delivery, attempts: message.attempts, error: message.error },
})

const PAINTED: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])

/** A browser can only paint it: no picture with a language inside. */
export const isPicture = (record: AttachmentRecord): boolean => PAINTED.has(mediaType(record))

export const attachmentJson = (
  organization: string,
  { eventId, project }: { readonly eventId: string; readonly project: { readonly slug: string } },
  record: AttachmentRecord,
) => {
  const mimetype = mediaType(record)
  return {
    id: record.id,
    name: fileName(record),
    mimetype,
    size: record.bytes,
    isImage: isPicture(record),
    url: `/projects/${organization}/${project.slug}/events/${eventId}/attachments/${record.id}/?download=1`,
  }
}

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

export const breadcrumbJson = (crumb: JsonObject): FeedbackDetail['breadcrumbs'][number] => {
  const { timestamp, data } = crumb
  const at = typeof timestamp === 'number' ? timestamp * 1000 : Number.NaN
  return {
    timestamp: Number.isFinite(at) && Math.abs(at) < 8.64e15 ? dateOf(at) : null,
    type: text(crumb['type']),
    category: text(crumb['category']),
    level: text(crumb['level']),
    message: text(crumb['message']),
    data: isObject(data) ? { ...data } : {},
  }
}

export const userJson = (user: JsonObject | null): FeedbackDetail['user'] =>
  user === null
    ? null
    : {
        id: text(user['id']),
        username: text(user['username']),
        email: text(user['email']),
        ipAddress: text(user['ip_address']),
      }

export const feedbackDetailJson = (parts: {
  readonly organization: string
  readonly record: FeedbackRecord
  readonly attachments: readonly AttachmentRecord[]
  readonly merged: readonly FeedbackRow[]
  readonly notes: readonly FeedbackActivity[]
  readonly thread: readonly ThreadMessage[]
  readonly eventIssue: FeedbackIssueRecord | null
  readonly way: Way
  /** Milliseconds since the epoch; null when no replay of it came. */
  readonly replayStart: number | null
}): FeedbackDetail => {
  const { record, way } = parts
  const { details } = record
  return {
    ...feedbackJson(record),
    user: userJson(details.user),
    fields: details.fields.map((field) => ({ ...field })),
    userAgent: details.userAgent,
    locale: details.locale,
    sdk: details.sdk,
    attachments: parts.attachments.map((attachment) => attachmentJson(parts.organization, record, attachment)),
    breadcrumbs: details.breadcrumbs.map(breadcrumbJson),
    traceId: record.traceId,
    associatedEvent:
      record.associatedEventId === null
        ? null
        : {
            eventId: record.associatedEventId,
            issue: parts.eventIssue === null ? null : issueJson(parts.eventIssue),
          },
    replay:
      record.replayId === null
        ? null
        : {
            replayId: record.replayId,
            offsetMs: parts.replayStart === null ? null : Math.max(0, record.writtenAt - parts.replayStart),
          },
    merged: parts.merged.map((child) => ({
      id: String(child.id),
      message: child.message,
      name: child.name,
      email: child.email,
      dateCreated: dateOf(child.createdAt),
    })),
    notes: parts.notes.map(activityJson),
    thread: parts.thread.map(messageJson),
    reply: { canReply: way.by !== 'none', by: way.by, reason: way.reason },
  }
}
