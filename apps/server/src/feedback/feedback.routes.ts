import {
  FEEDBACK_SOURCES,
  countFeedback,
  createFeedbackNote,
  deleteFeedbackNote,
  feedbackSpam,
  listFeedback,
  listFeedbackActivity,
  mergeFeedback,
  unmergeFeedback,
  updateFeedbackList,
} from '@firsthand/contract'
import type { Activity, Feedback } from '@firsthand/contract'
import { badRequest, bind, notFound, readPage, toPage } from '../http/index.ts'
import type { Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { FeedbackActivity, FeedbackRecord, Inbox } from './inbox.store.ts'

const MOST_AT_ONCE = 1000

/** The inbox over HTTP. */
export const createFeedbackRoutes = (parts: {
  readonly inbox: Inbox
  readonly clock: Clock
  /** Null: all projects of the organisation. */
  resolveProjects(organizationId: number, references: readonly string[]): Promise<readonly number[] | null>
}): Route[] => {
  const { inbox, clock } = parts

  const projectsOf = async (organizationId: number, references: readonly string[] | undefined) =>
    references === undefined || references.includes('-1') ? null : parts.resolveProjects(organizationId, references)

  interface Selection {
    readonly mailbox?: 'unread' | 'open' | 'resolved' | 'spam' | 'archived' | 'all' | undefined
    readonly query?: string | undefined
    readonly assigned?: string | undefined
    readonly tag?: readonly string[] | undefined
    readonly project?: readonly string[] | undefined
  }

  const selectionOf = async (organizationId: number, userId: number | null, query: Selection) => {
    const assignedUserId = query.assigned === undefined ? undefined : readUser(query.assigned, userId)
    return {
      organizationId,
      projectIds: await projectsOf(organizationId, query.project),
      mailbox: query.mailbox ?? 'open',
      words: (query.query ?? '').split(/\s+/).filter((word) => word !== ''),
      tags: (query.tag ?? []).map((tag): [string, string] => {
        const at = tag.indexOf(':')
        if (at < 1) throw badRequest('A tag is written key:value.', { tag: 'A tag is written key:value.' })
        return [tag.slice(0, at), tag.slice(at + 1)]
      }),
      ...(assignedUserId === undefined ? {} : { assignedUserId }),
    }
  }

  return [
    bind(listFeedback, async ({ query, request }) => {
      const page = readPage(query)
      const selection = await selectionOf(request.organization.id, request.caller.user?.id ?? null, query)
      const found = await inbox.list(selection, { ...page, sort: query.sort })
      const { rows, page: links } = toPage(found.rows, page)
      return { body: rows.map(toJson), hits: found.hits, page: links }
    }),
    bind(countFeedback, async ({ query, request }) => ({
      body: await inbox.counts(request.organization.id, await projectsOf(request.organization.id, query.project)),
    })),
    bind(updateFeedbackList, async ({ query, body, request }) => {
      const organizationId = request.organization.id
      const userId = request.caller.user?.id ?? null
      if (query.id === undefined && query.mailbox === undefined && query.query === undefined) {
        throw badRequest('Say which reports are meant: give their ids, or a mailbox or query.')
      }
      const ids =
        query.id?.map(Number) ?? (await inbox.ids(await selectionOf(organizationId, userId, query), MOST_AT_ONCE))
      const { assignedTo, isRead, status } = body
      const assignedUserId =
        assignedTo === undefined
          ? undefined
          : assignedTo === null || assignedTo === ''
            ? null
            : readUser(assignedTo, userId)
      const changed = await inbox.change({ organizationId, userId, now: clock.now() }, ids, {
        ...(status === undefined ? {} : { status }),
        ...(isRead === undefined ? {} : { isRead }),
        ...(assignedUserId === undefined ? {} : { assignedUserId }),
      })
      return { body: { changed: changed.map(String) } }
    }),
    bind(mergeFeedback, async ({ body, request }) => {
      const actor = {
        organizationId: request.organization.id,
        userId: request.caller.user?.id ?? null,
        now: clock.now(),
      }
      const children = await inbox.merge(actor, Number(body.parent), body.children.map(Number))
      if (children === null) throw badRequest('Merging needs two or more reports of one project.')
      return { body: { parent: body.parent, children: children.map(String) } }
    }),
    bind(unmergeFeedback, async ({ body, request }) => {
      const actor = {
        organizationId: request.organization.id,
        userId: request.caller.user?.id ?? null,
        now: clock.now(),
      }
      return { body: { children: (await inbox.unmerge(actor, body.children.map(Number))).map(String) } }
    }),
    bind(listFeedbackActivity, async ({ params, request }) => {
      const record = await inbox.find(request.organization.id, params.feedback)
      if (record === null) throw notFound()
      const activity = await inbox.activity(request.organization.id, record.id)
      return { body: { activity: activity.map(activityJson).toReversed() } }
    }),
    bind(createFeedbackNote, async ({ params, body, request }) => {
      const record = await inbox.find(request.organization.id, params.feedback)
      const actor = {
        organizationId: request.organization.id,
        userId: request.caller.user?.id ?? null,
        now: clock.now(),
      }
      const note = record === null ? null : await inbox.note(actor, record.id, body.text)
      if (note === null) throw notFound()
      return { body: activityJson(note), status: 201 }
    }),
    bind(deleteFeedbackNote, async ({ params, request }) => {
      const record = await inbox.find(request.organization.id, params.feedback)
      const actor = {
        organizationId: request.organization.id,
        userId: request.caller.user?.id ?? null,
        now: clock.now(),
      }
      if (record === null || !/^\d{1,15}$/.test(params.note)) throw notFound()
      if (!(await inbox.removeNote(actor, record.id, Number(params.note)))) throw notFound()
      return { body: null }
    }),
  ]
}

const readUser = (text: string, own: number | null): number | null => {
  if (text === 'none') return null
  if (text === 'me' && own !== null) return own
  const id = /^(?:user:)?(\d{1,15})$/.exec(text)?.[1]
  if (id === undefined) throw badRequest(`"${text}" is nobody: write user:<id>, me or none.`)
  return Number(id)
}

const date = (at: number): string => new Date(at).toISOString()

const activityJson = (entry: FeedbackActivity): Activity => ({
  id: String(entry.id),
  type: entry.type,
  user: entry.user === null ? null : { ...entry.user, id: String(entry.user.id), username: entry.user.email },
  data: entry.data,
  dateCreated: date(entry.createdAt),
})

const toJson = (record: FeedbackRecord): Feedback => ({
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
  assignedTo: record.assigned === null ? null : { type: 'user', ...record.assigned, id: String(record.assigned.id) },
  tags: [...record.tags],
  spam: feedbackSpam.parse({ ...record.spam, reasons: JSON.parse(record.spam.reasons) as unknown }),
  attachmentCount: record.attachments,
  noteCount: record.notes,
  mergedCount: record.merged,
  dateCreated: date(record.createdAt),
  lastActivity: date(record.lastActivityAt),
})
