import { randomUUID } from 'node:crypto'
import {
  createFeedbackIssue,
  createFeedbackNote,
  deleteFeedbackNote,
  getFeedback,
  linkFeedbackIssue,
  listFeedbackActivity,
  replyToFeedback,
  updateFeedback,
} from '@firsthand/contract'
import type { FeedbackDetail } from '@firsthand/contract'
import { badRequest, bind, conflict, notFound } from '../http/index.ts'
import type { Route } from '../http/index.ts'
import { DEFAULT_PROJECT_SETTINGS } from '../accounts/index.ts'
import type { ProjectLookup } from '../accounts/index.ts'
import type { Submission } from '../ingest/index.ts'
import type { AttachmentView } from '../kept-items/index.ts'
import type { Ask } from '../lib/questions.ts'
import { LIMITS } from './limits.ts'
import { activityJson, feedbackDetailJson, messageJson } from './feedback-json.ts'
import { readChange } from './feedback.routes.ts'
import { actorOf, asShown, findReport } from './inbox-request.routes.ts'
import type { InboxParts, InboxRequest } from './inbox-request.routes.ts'
import type { FeedbackRecord } from './inbox.store.ts'
import { issueEventOf } from './issue-of-report.ts'
import { START_OF_REPLAY } from './replay-of-report.ts'
import { wayToReporter } from './reporter-mail.ts'
import type { Threads } from './ledger/threads.ts'

const ATTACHMENTS = 100

export interface ReportParts extends InboxParts {
  readonly threads: Threads
  readonly attachments: Pick<AttachmentView, 'list'>
  readonly settings: Pick<ProjectLookup, 'byProjectId'>
  readonly canSendEmail: boolean
  readonly ask: Ask
  /** An issue by id or short id; null when there is none. */
  readonly findIssue: (organizationId: number, reference: string) => Promise<number | null>
  readonly submit: (submission: Submission) => Promise<void>
  /** The issue that an event became; null when it does not come within `FEEDBACK_ISSUE_WAIT_MS`. */
  readonly awaitIssue: (event: {
    readonly organizationId: number
    readonly projectId: number
    readonly eventId: string
    readonly signal: AbortSignal
  }) => Promise<number | null>
}

/** One report over HTTP: all that is known of it, its notes, its issue, its thread. */
export const createReportRoutes = (parts: ReportParts): Route[] => [
  getFeedbackRoute(parts),
  updateFeedbackRoute(parts),
  linkFeedbackIssueRoute(parts),
  createFeedbackIssueRoute(parts),
  replyToFeedbackRoute(parts),
  listFeedbackActivityRoute(parts),
  createFeedbackNoteRoute(parts),
  deleteFeedbackNoteRoute(parts),
]

const wayTo = async (parts: ReportParts, { email, project, threadToken }: FeedbackRecord) => {
  const { feedback } = (await parts.settings.byProjectId(project.id))?.settings ?? DEFAULT_PROJECT_SETTINGS
  return wayToReporter({ email, token: threadToken }, feedback.reply, parts.canSendEmail)
}

const detail = async (parts: ReportParts, request: InboxRequest, reference: string): Promise<FeedbackDetail> => {
  const { inbox, threads } = parts
  const record = asShown(request, await findReport(parts, request, reference))
  const organizationId = request.organization.id
  const event = { organizationId, projectId: record.project.id, eventId: record.eventId }
  const { replayId } = record
  const [attachments, merged, notes, thread, eventIssue, way, replayStart] = await Promise.all([
    record.attachments === 0 ? [] : parts.attachments.list(event, { limit: ATTACHMENTS, offset: 0 }),
    record.merged === 0 ? [] : inbox.merged(organizationId, record.id),
    record.notes === 0 ? [] : newestNotes(parts, organizationId, record.id),
    record.replies === 0 ? [] : threads.messages(organizationId, record.id),
    inbox.eventIssue(record),
    wayTo(parts, record),
    replayId === null ? null : parts.ask(START_OF_REPLAY, { organizationId, projectId: record.project.id, replayId }),
  ])
  const organization = request.organization.slug
  return feedbackDetailJson({ organization, record, attachments, merged, notes, thread, eventIssue, way, replayStart })
}

/** Oldest first, as they are read. */
const newestNotes = async ({ inbox }: ReportParts, organizationId: number, feedbackId: number) => {
  const limit = LIMITS.FEEDBACK_NOTES_SHOWN
  const notes = await inbox.activity(organizationId, feedbackId, { type: 'note', limit })
  return notes.slice(0, limit).toReversed()
}

const getFeedbackRoute = (parts: ReportParts): Route =>
  bind(getFeedback, async ({ params, request }) => ({ body: await detail(parts, request, params.feedback) }))

const updateFeedbackRoute = (parts: ReportParts): Route =>
  bind(updateFeedback, async ({ params, body, request }) => {
    const { inbox, clock, changed } = parts
    const record = await findReport(parts, request, params.feedback)
    const added = new Set(body.addTags?.map((tag) => tag.key))
    const kept = record.tags.filter((tag) => !added.has(tag.key) && !(body.removeTags ?? []).includes(tag.key))
    if (kept.length + added.size > LIMITS.FEEDBACK_TAGS && added.size > 0) {
      throw badRequest(`A report has at most ${LIMITS.FEEDBACK_TAGS} tags.`)
    }
    await inbox.change(actorOf(request, clock), [record.id], await readChange(parts, request, body))
    changed(request.organization.id)
    return { body: await detail(parts, request, params.feedback) }
  })

const linkFeedbackIssueRoute = (parts: ReportParts): Route =>
  bind(linkFeedbackIssue, async ({ params, body, request }) => {
    const { inbox, clock, changed } = parts
    const record = await findReport(parts, request, params.feedback)
    const issueId = body.issue === null ? null : await parts.findIssue(request.organization.id, body.issue.trim())
    const unknown = `There is no issue "${body.issue ?? ''}" in this report’s project.`
    if (body.issue !== null && issueId === null) throw badRequest(unknown, { issue: unknown })
    if (!(await inbox.link(actorOf(request, clock), record.id, issueId))) throw badRequest(unknown, { issue: unknown })
    changed(request.organization.id)
    return { body: await detail(parts, request, params.feedback) }
  })

const createFeedbackIssueRoute = (parts: ReportParts): Route =>
  bind(createFeedbackIssue, async ({ params, body, request }) => {
    const { inbox, clock, changed } = parts
    const record = await findReport(parts, request, params.feedback)
    if (record.issue !== null)
      throw conflict(`This report belongs to ${record.issue.shortId} already. Unlink it first.`)
    const organizationId = request.organization.id
    const projectId = record.project.id
    const eventId = randomUUID().replaceAll('-', '')
    const payload = issueEventOf(record, eventId, body.title ?? null)
    await parts.submit({ organizationId, projectId, eventId, itemType: 'event', payload })
    const issueId = await parts.awaitIssue({ organizationId, projectId, eventId, signal: request.signal })
    if (issueId === null) {
      throw conflict(
        'No issue came of it yet: the server is behind, or a filter of the project keeps such events out. Look at the receipts.',
      )
    }
    await inbox.link(actorOf(request, clock), record.id, issueId)
    changed(organizationId)
    return { body: await detail(parts, request, params.feedback), status: 201 }
  })

const replyToFeedbackRoute = (parts: ReportParts): Route =>
  bind(replyToFeedback, async ({ params, body, request }) => {
    const { threads, clock, changed } = parts
    const record = await findReport(parts, request, params.feedback)
    const way = await wayTo(parts, record)
    if (way.by === 'none') throw conflict(way.reason)
    const message = await threads.reply(actorOf(request, clock), record.id, {
      text: body.text,
      delivery: way.by === 'email' ? 'queued' : 'page',
      resolve: body.resolve === true,
    })
    if (message === null) throw notFound()
    if (message === 'full') throw conflict(`A thread has at most ${LIMITS.FEEDBACK_THREAD_MESSAGES} messages.`)
    changed(request.organization.id)
    return { body: messageJson(message), status: 201 }
  })

const listFeedbackActivityRoute = (parts: ReportParts): Route =>
  bind(listFeedbackActivity, async ({ params, request }) => {
    const { inbox } = parts
    const record = await findReport(parts, request, params.feedback)
    const limit = LIMITS.FEEDBACK_ACTIVITY_ENTRIES
    const activity = await inbox.activity(request.organization.id, record.id, { limit })
    return { body: { activity: activity.slice(0, limit).map(activityJson), truncated: activity.length > limit } }
  })

const createFeedbackNoteRoute = (parts: ReportParts): Route =>
  bind(createFeedbackNote, async ({ params, body, request }) => {
    const { inbox, clock, changed } = parts
    const record = await findReport(parts, request, params.feedback)
    const note = await inbox.note(actorOf(request, clock), record.id, body.text)
    if (note === null) throw notFound()
    changed(request.organization.id)
    return { body: activityJson(note), status: 201 }
  })

const deleteFeedbackNoteRoute = (parts: ReportParts): Route =>
  bind(deleteFeedbackNote, async ({ params, request }) => {
    const { inbox, clock, changed } = parts
    const record = await findReport(parts, request, params.feedback)
    if (!/^\d{1,15}$/.test(params.note)) throw notFound()
    if (!(await inbox.removeNote(actorOf(request, clock), record.id, Number(params.note)))) throw notFound()
    changed(request.organization.id)
    return { body: null }
  })
