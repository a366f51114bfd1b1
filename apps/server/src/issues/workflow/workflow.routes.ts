import {
  createIssueNote,
  deleteIssueNote,
  listIssueActivities,
  listIssueHashes,
  listIssueNotes,
  unmergeIssueHashes,
  updateIssueNote,
} from '@firsthand/contract'
import type { Mention } from '../../accounts/index.ts'
import { badRequest, bind, notFound, readPage, toPage, type Route } from '../../http/index.ts'
import { activityJson, activityOf } from '../issue-json.ts'
import { toDate } from '../../lib/instant-text.ts'
import { findIssue, userIdOf } from '../organization-request.routes.ts'
import { LIMITS } from '../limits.ts'
import type { IssueServices } from '../services.ts'
import type { Mentions } from './workflow.store.ts'

/** What happened to an issue, what people wrote about it, and the hashes that lead to it. */
export const createWorkflowRoutes = (services: IssueServices): Route[] => {
  const { issues, workflow, clock, changed, handles } = services

  const noteJson = async (issueId: number, noteId: number) => {
    const note = await issues.activityEntry(issueId, noteId)
    if (note === null) throw notFound()
    return activityJson(note)
  }

  return [
    bind(listIssueActivities, async ({ params, request }) => {
      const issue = await findIssue(services, request, params.issue)
      const limit = LIMITS.ISSUE_ACTIVITY_ENTRIES
      const activity = await issues.activity(issue.id, { limit: limit + 1, offset: 0 })
      return {
        body: {
          activity: activity.slice(0, limit).map((entry) => activityOf(issue, entry)),
          truncated: activity.length > limit,
        },
      }
    }),

    bind(listIssueNotes, async ({ params, query, request }) => {
      const { id } = await findIssue(services, request, params.issue)
      const asked = readPage(query)
      const notes = await issues.activity(id, { types: ['note'], limit: asked.limit + 1, offset: asked.offset })
      const { rows, page } = toPage(notes, asked)
      return { body: rows.map(activityJson), page }
    }),

    bind(createIssueNote, async ({ params, body, request }) => {
      const { id, project } = await findIssue(services, request, params.issue)
      const actor = { organizationId: request.organization.id, userId: userIdOf(request), now: clock.now() }
      const { organizationId, now } = actor
      const mentions = await handles.mentionsIn(organizationId, body.text)
      const noteId = await workflow.addNote({ ...actor, issueId: id, text: body.text, mentions: named(mentions) })
      changed({ organizationId, projectId: project.id, issueIds: [id], opened: [], at: now })
      return { body: { ...(await noteJson(id, noteId)), mentions: mentions.map(mentionJson) }, status: 201 }
    }),

    bind(updateIssueNote, async ({ params, body, request }) => {
      const { id } = await findIssue(services, request, params.issue)
      const noteId = readId(params.note)
      const actor = { organizationId: request.organization.id, userId: userIdOf(request), now: clock.now() }
      if (!(await workflow.changeNote({ ...actor, issueId: id, noteId, text: body.text }))) throw notFound()
      return { body: await noteJson(id, noteId) }
    }),

    bind(deleteIssueNote, async ({ params, request }) => {
      const { id } = await findIssue(services, request, params.issue)
      const actor = { organizationId: request.organization.id, userId: userIdOf(request), now: clock.now() }
      if (!(await workflow.removeNote({ ...actor, issueId: id, noteId: readId(params.note) }))) throw notFound()
      return { body: null }
    }),

    bind(listIssueHashes, async ({ params, query, request }) => {
      const { id } = await findIssue(services, request, params.issue)
      const asked = readPage(query)
      const { rows, page } = toPage(await issues.hashes(id, asked), asked)
      return {
        body: rows.map(({ hash, groupingVersion, createdAt }) => ({
          id: hash,
          groupingVersion,
          dateCreated: toDate(createdAt),
          latestEvent: null,
        })),
        page,
      }
    }),

    bind(unmergeIssueHashes, async ({ params, query, request }) => {
      const { id, project } = await findIssue(services, request, params.issue)
      const organizationId = request.organization.id
      const targets = await workflow.unmerge({
        organizationId,
        userId: userIdOf(request),
        now: clock.now(),
        issueId: id,
        hashes: query.id,
      })
      if (targets.length === 0) {
        throw badRequest('Some of the hashes must lead to this issue, and one of them must stay with it.')
      }
      changed({ organizationId, projectId: project.id, issueIds: [id, ...targets], opened: [], at: clock.now() })
      return { body: null, status: 202 }
    }),
  ]
}

/** Whom a note names, as it is told them. */
const named = (mentions: readonly Mention[]): Mentions => {
  const idsOf = (type: 'user' | 'team') => mentions.flatMap(({ whom }) => (whom?.type === type ? [whom.id] : []))
  return { userIds: idsOf('user'), teamIds: idsOf('team') }
}

const mentionJson = ({ handle, whom, reason }: Mention) => ({ handle, name: whom?.name ?? null, reason })

const readId = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw notFound()
  return Number(text)
}
