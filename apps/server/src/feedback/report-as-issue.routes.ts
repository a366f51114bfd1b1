import {
  createIssueComment,
  createIssueNote,
  deleteIssue,
  deleteIssueNote,
  getIssue,
  getIssueEvent,
  getShortId,
  listIssueActivities,
  listIssueComments,
  listIssueEvents,
  listIssueNotes,
  updateIssue,
  updateIssueNote,
} from '@firsthand/contract'
import type { Activity, BodyOutput, IssueDetail, QueryOutput } from '@firsthand/contract'
import { badRequest, bindFor, notFound, orBadRequest, readPage, toPage } from '../http/index.ts'
import type { Route } from '../http/index.ts'
import { readStatusRequest, releaseJson } from '../issues/index.ts'
import { readPeriod } from '../search/index.ts'
import { activityJson, dateOf } from './feedback-json.ts'
import { actorOf, asShown, findReport, mayRead, type InboxParts, type InboxRequest } from './inbox-request.routes.ts'
import type {
  FeedbackActivity,
  FeedbackChangeRequest,
  FeedbackRecord,
  FeedbackReference,
  FeedbackRow,
} from './inbox.store.ts'
import { LIMITS } from './limits.ts'
import { reportAsEvent, reportAsEventRow, tagsOf } from './report-as-event.ts'
import { readReportReference, reportIssueId } from './report-short-id.ts'
import { reportAsIssue, type ReportIssueContext } from './reports-as-issues.ts'
import { assigneeOf, type ReportIssueParts } from './reports-as-issues.routes.ts'

export interface ReportAsIssueParts extends ReportIssueParts, Pick<InboxParts, 'changed'> {
  /** Removes what came with reports that are gone. */
  readonly forget: (reports: readonly FeedbackReference[]) => Promise<void>
}

type Parts = ReportAsIssueParts
type Request = InboxRequest & { readonly publicUrl: string }

/** Whether the id of an issue is that of a report. */
export const isReport = (_: unknown, { issue }: { readonly issue: string }): boolean =>
  readReportReference(issue) !== null

/** Whoever found a report among issues opens, reads and changes it by the same addresses, as in Sentry. */
export const createReportAsIssueRoutes = (parts: Parts): Route[] => {
  const { inbox, clock, changed } = parts
  const notesOf = async (
    issue: string,
    query: { readonly cursor?: string | undefined; readonly limit?: number | undefined },
    request: Request,
  ) => {
    const { id } = await findByReference(parts, request, issue)
    const page = readPage(query)
    const notes = await inbox.activity(request.organization.id, id, { type: 'note', limit: page.offset + page.limit })
    const { rows, page: links } = toPage(notes.slice(page.offset), page)
    return { body: rows.map(activityJson), page: links }
  }
  const write = async (issue: string, text: string, request: Request) => {
    const { id } = await findByReference(parts, request, issue)
    const note = await inbox.note(actorOf(request, clock), id, text)
    if (note === null) throw notFound()
    changed(request.organization.id)
    return { body: activityJson(note), status: 201 }
  }
  return [
    bindFor(
      getShortId,
      (_, { shortId }) => readReportReference(shortId) !== null,
      async ({ params, request }) => {
        const record = await findByReference(parts, request, params.shortId)
        const group = reportAsIssue(record, contextOf(request))
        const { id: groupId, shortId } = group
        const [organizationSlug, projectSlug] = [request.organization.slug, record.project.slug]
        return { body: { organizationSlug, projectSlug, groupId, shortId, group } }
      },
    ),
    bindFor(getIssue, isReport, async ({ params, request }) => ({
      body: await detailOf(parts, request, await findByReference(parts, request, params.issue)),
    })),
    bindFor(updateIssue, isReport, async ({ params, body, request }) => {
      const record = await findByReference(parts, request, params.issue)
      await inbox.change(actorOf(request, clock), [record.id], await readChange(parts, request, record, body))
      changed(request.organization.id)
      return { body: await detailOf(parts, request, await findByReference(parts, request, params.issue)) }
    }),
    bindFor(listIssueEvents, isReport, async ({ params, query, request }) => {
      const record = await findByReference(parts, request, params.issue)
      const page = readPage(query)
      const found = (await occurrencesOf(parts, request, record)).filter(selects(parts, query))
      const { rows, page: links } = toPage(found.slice(page.offset), page)
      return { body: rows.map((row) => reportAsEventRow(row, reportIssueId(record))), page: links }
    }),
    bindFor(getIssueEvent, isReport, async ({ params, query, request }) => {
      const record = await findByReference(parts, request, params.issue)
      const found = (await occurrencesOf(parts, request, record)).filter(selects(parts, query))
      const at = placeOf(found, record, params.event)
      const row = found[at]
      if (row === undefined) throw notFound()
      const whole = row.id === record.id ? record : await findReport(parts, request, String(row.id))
      const [next, previous] = [found[at - 1]?.eventId ?? null, found[at + 1]?.eventId ?? null]
      return { body: reportAsEvent(whole, { groupID: reportIssueId(record), next, previous }) }
    }),
    bindFor(listIssueActivities, isReport, async ({ params, request }) => {
      const record = await findByReference(parts, request, params.issue)
      return { body: await activityOf(parts, request, record, LIMITS.FEEDBACK_ACTIVITY_ENTRIES) }
    }),
    bindFor(listIssueNotes, isReport, ({ params, query, request }) => notesOf(params.issue, query, request)),
    bindFor(listIssueComments, isReport, ({ params, query, request }) => notesOf(params.issue, query, request)),
    bindFor(createIssueNote, isReport, ({ params, body, request }) => write(params.issue, body.text, request)),
    bindFor(createIssueComment, isReport, ({ params, body, request }) => write(params.issue, body.text, request)),
    bindFor(updateIssueNote, isReport, async ({ params, body, request }) => {
      const { id } = await findByReference(parts, request, params.issue)
      const note = await inbox.changeNote(actorOf(request, clock), id, noteIdOf(params.note), body.text)
      if (note === null) throw notFound()
      changed(request.organization.id)
      return { body: activityJson(note) }
    }),
    bindFor(deleteIssueNote, isReport, async ({ params, request }) => {
      const { id } = await findByReference(parts, request, params.issue)
      if (!(await inbox.removeNote(actorOf(request, clock), id, noteIdOf(params.note)))) throw notFound()
      changed(request.organization.id)
      return { body: null }
    }),
    bindFor(deleteIssue, isReport, async ({ params, request }) => {
      const record = await findByReference(parts, request, params.issue)
      const gone = await occurrencesOf(parts, request, record)
      await parts.forget(
        await inbox.remove(
          actorOf(request, clock),
          gone.map(({ id }) => id),
        ),
      )
      changed(request.organization.id)
      return { body: null, status: 202 }
    }),
  ]
}

/** @throws HttpError 404 where it is no number */
const noteIdOf = (note: string): number => {
  if (!/^\d{1,15}$/.test(note)) throw notFound()
  return Number(note)
}

/** @throws HttpError 404, also for reports of other organisations */
export const findByReference = async (parts: Parts, request: Request, text: string): Promise<FeedbackRecord> => {
  const reference = readReportReference(text)
  if (reference === null) throw notFound()
  if ('eventId' in reference) return findReport(parts, request, reference.eventId)
  const record = await findReport(parts, request, String(reference.id))
  const { projectSlug } = reference
  if (projectSlug !== null && record.project.slug.toLowerCase() !== projectSlug) throw notFound()
  return record
}

/** The report and those that say the same, newest first. */
export const occurrencesOf = async ({ inbox }: Parts, { organization }: Request, record: FeedbackRecord) => {
  const same: readonly FeedbackRow[] = record.merged === 0 ? [] : await inbox.merged(organization.id, record.id)
  return [record, ...same].toSorted((one, other) => other.createdAt - one.createdAt || other.id - one.id)
}

type Asked = Pick<QueryOutput<typeof getIssueEvent>, 'query' | 'environment' | 'statsPeriod' | 'start' | 'end'>

/** @throws HttpError 400 where reports do not have what is asked for */
const selects = ({ clock }: Parts, asked: Asked): ((row: FeedbackRow) => boolean) => {
  if ((asked.query ?? '').trim() !== '') {
    const detail = 'What is under one report cannot be searched. Leave out the query.'
    throw badRequest(detail, { query: detail })
  }
  const period = orBadRequest(readPeriod(asked, clock.now()))
  const environments = (asked.environment ?? []).filter((name) => name !== '')
  return ({ createdAt, environment }) =>
    (period === null || (createdAt >= period.from && createdAt < period.to)) &&
    (environments.length === 0 || environments.includes(environment))
}

const placeOf = (found: readonly FeedbackRow[], record: FeedbackRecord, reference: string): number => {
  if (reference === 'latest') return 0
  if (reference === 'oldest') return found.length - 1
  const eventId = reference === 'recommended' ? record.eventId : reference.replaceAll('-', '').toLowerCase()
  return found.findIndex((row) => row.eventId === eventId)
}

/** What the inbox calls things, in the words of an issue's activity. */
const ACTIVITY_TYPES: Readonly<Record<string, string>> = {
  set_open: 'set_unresolved',
  set_not_spam: 'set_unresolved',
  set_archived: 'set_ignored',
  set_spam: 'set_ignored',
}

/** Its arrival is no entry of its own; ids begin with 1. */
const NO_ENTRY = '0'

const activityOf = async (
  { inbox }: Parts,
  { organization }: Request,
  record: FeedbackRecord,
  limit: number,
): Promise<{ activity: Activity[]; truncated: boolean }> => {
  const entries = await inbox.activity(organization.id, record.id, { limit })
  const json = (entry: FeedbackActivity): Activity => {
    const { type, ...rest } = activityJson(entry)
    return { ...rest, type: ACTIVITY_TYPES[type] ?? type }
  }
  const truncated = entries.length > limit
  const came = { id: NO_ENTRY, type: 'first_seen', user: null, data: {}, dateCreated: dateOf(record.createdAt) }
  return { activity: [...entries.slice(0, limit).map(json), ...(truncated ? [] : [came])], truncated }
}

const contextOf = ({ publicUrl, organization }: Request): ReportIssueContext => ({
  publicUrl,
  organizationSlug: organization.slug,
  lifetime: false,
})

const detailOf = async (parts: Parts, request: Request, found: FeedbackRecord): Promise<IssueDetail> => {
  const record = asShown(request, found)
  const entries = mayRead(request) ? await activityOf(parts, request, record, LIMITS.FEEDBACK_NOTES_SHOWN) : null
  const release = record.release === '' ? null : releaseJson(record.release, undefined)
  return {
    ...reportAsIssue(record, contextOf(request)),
    activity: entries?.activity ?? [],
    seenBy: [],
    participants: [],
    pluginActions: [],
    pluginIssues: [],
    pluginContexts: [],
    userReportCount: 0,
    tags: tagsOf(record).map(({ key }) => ({ key, name: key, totalValues: 1 })),
    firstRelease: release,
    lastRelease: release,
  }
}

/** What of a change a report does not have. */
const ONLY_ISSUES = ['priority', 'isBookmarked', 'isSubscribed', 'merge', 'discard'] as const

/** @throws HttpError 400 for whatever would change nothing */
const readChange = async (
  parts: Parts,
  request: Request,
  record: FeedbackRecord,
  body: BodyOutput<typeof updateIssue>,
): Promise<FeedbackChangeRequest> => {
  const alien = ONLY_ISSUES.find((name) => body[name] !== undefined && body[name] !== false)
  if (alien !== undefined) {
    throw badRequest(
      `What visitors say has no "${alien}", so nothing was changed. Known are: status, assignedTo, hasSeen.`,
    )
  }
  const status = statusOf(parts, record, body)
  return {
    ...(status === undefined ? {} : { status }),
    ...(body.hasSeen === undefined ? {} : { isRead: body.hasSeen }),
    ...(body.assignedTo === undefined
      ? {}
      : { assignee: await assigneeOf(parts, request, body.assignedTo, 'assignedTo') }),
  }
}

const statusOf = (
  { clock }: Parts,
  { status }: FeedbackRecord,
  body: BodyOutput<typeof updateIssue>,
): FeedbackChangeRequest['status'] => {
  const asked = orBadRequest(readStatusRequest(body, clock.now()))
  switch (asked?.kind) {
    case undefined:
      return undefined
    case 'unresolved':
      return 'open'
    case 'resolved':
      return 'resolved'
    case 'archivedForever':
    // It never escalates.
    case 'archivedUntilEscalating':
      return status === 'spam' ? 'spam' : 'archived'
    case 'archivedUntil':
    case 'resolvedInNextRelease':
    case 'resolvedInRelease':
    default:
      throw badRequest(
        'What visitors say is resolved or archived at once and for good: it has no releases and no conditions.',
      )
  }
}
