import { createUserFeedback, listUserFeedback } from '@firsthand/contract'
import { bind, notFound, readPage, toPage } from '../http/index.ts'
import type { Route } from '../http/index.ts'
import type { Submission } from '../ingest/index.ts'
import { dateOf } from './feedback-json.ts'
import type { InboxParts } from './inbox-request.routes.ts'
import type { FeedbackRow } from './inbox.store.ts'

/** Sentry's older calls for reports about events (protocol.md 2.8), for programs with a token. */
export const createUserFeedbackRoutes = (
  parts: Pick<InboxParts, 'inbox' | 'clock' | 'resolveProjects'> & {
    readonly submit: (submission: Submission) => Promise<void>
  },
): Route[] => {
  const projectOf = async (organizationId: number, reference: string): Promise<number> => {
    const [projectId] = (await parts.resolveProjects(organizationId, [reference])) ?? []
    if (projectId === undefined) throw notFound()
    return projectId
  }
  const json = (record: FeedbackRow) => ({
    id: String(record.id),
    eventID: record.associatedEventId ?? record.eventId,
    name: record.name,
    email: record.email,
    comments: record.message,
    dateCreated: dateOf(record.createdAt),
    issue: record.issue === null ? null : { ...record.issue, id: String(record.issue.id) },
  })
  return [
    bind(listUserFeedback, async ({ params, query, request }) => {
      const page = readPage(query)
      const projectIds = [await projectOf(request.organization.id, params.project)]
      const organizationId = request.organization.id
      const selection = { organizationId, projectIds, mailbox: 'all', words: [], tags: [], period: null } as const
      const { rows, page: links } = toPage((await parts.inbox.list(selection, { ...page, sort: 'date' })).rows, page)
      return { body: rows.map(json), page: links }
    }),
    bind(createUserFeedback, async ({ params, body, request }) => {
      const projectId = await projectOf(request.organization.id, params.project)
      const eventId = body.event_id.replaceAll('-', '').toLowerCase()
      const { name = '', email = '', comments } = body
      await parts.submit({
        organizationId: request.organization.id,
        projectId,
        eventId,
        itemType: 'user_report',
        payload: { event_id: eventId, name, email, comments, source: 'user_feedback' },
      })
      const dateCreated = dateOf(parts.clock.now())
      return { body: { id: eventId, eventID: eventId, name, email, comments, dateCreated, issue: null } }
    }),
  ]
}
