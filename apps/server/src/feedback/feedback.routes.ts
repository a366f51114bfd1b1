import {
  countFeedback,
  deleteFeedbackList,
  listFeedback,
  listFeedbackTags,
  mergeFeedback,
  unmergeFeedback,
  updateFeedbackList,
} from '@firsthand/contract'
import type { FeedbackChange } from '@firsthand/contract'
import { badRequest, bind, readPage, toPage } from '../http/index.ts'
import type { Route } from '../http/index.ts'
import { LIMITS } from './limits.ts'
import { feedbackRowJson } from './feedback-json.ts'
import { actorOf, projectsOf, readAssignee, readSelection } from './inbox-request.routes.ts'
import type { InboxParts, InboxRequest } from './inbox-request.routes.ts'
import type { FeedbackChangeRequest, FeedbackReference } from './inbox.store.ts'

const MOST_AT_ONCE = 1000

/** @throws HttpError 400 when the assignee is nobody of the organisation */
export const readChange = async (
  { findAssignee }: Pick<InboxParts, 'findAssignee'>,
  { caller, organization }: InboxRequest,
  { addTags, assignedTo, isRead, removeTags, status }: FeedbackChange,
): Promise<FeedbackChangeRequest> => {
  let assignee: FeedbackChangeRequest['assignee']
  if (assignedTo !== undefined) {
    const asked = assignedTo === null ? null : readAssignee(assignedTo, caller.user.id)
    assignee = asked === null ? null : await findAssignee(organization.id, asked)
    if (asked !== null && assignee === null) {
      const detail = `"${assignedTo}" is neither a member nor a team of this organisation.`
      throw badRequest(detail, { assignedTo: detail })
    }
  }
  return {
    ...(status === undefined ? {} : { status }),
    ...(isRead === undefined ? {} : { isRead }),
    ...(assignee === undefined ? {} : { assignee }),
    ...(addTags === undefined ? {} : { addTags }),
    ...(removeTags === undefined ? {} : { removeTags }),
  }
}

/** The inbox over HTTP: lists, and changes of many. */
export const createFeedbackRoutes = (
  parts: InboxParts & {
    /** Deletes what came with reports. */
    readonly forget: (reports: readonly FeedbackReference[]) => Promise<void>
  },
): Route[] => {
  const { inbox, clock, changed } = parts

  return [
    bind(listFeedback, async ({ query, request }) => {
      const page = readPage(query)
      const asked = { ...page, sort: query.sort, messageChars: LIMITS.FEEDBACK_ROW_CHARS + 1 }
      const found = await inbox.list(await readSelection(parts, request, query), asked)
      const { rows, page: links } = toPage(found.rows, page)
      return { body: rows.map(feedbackRowJson), hits: found.hits, page: links }
    }),
    bind(countFeedback, async ({ query, request }) => ({
      body: await inbox.counts(
        request.organization.id,
        await projectsOf(parts, request.organization.id, query.project),
      ),
    })),
    bind(listFeedbackTags, async ({ query, request }) => {
      const projectIds = await projectsOf(parts, request.organization.id, query.project)
      const tags = await inbox.tags(request.organization.id, projectIds, LIMITS.FEEDBACK_TAG_VALUES)
      const keys = [...Map.groupBy(tags, (tag) => tag.key)]
      return {
        body: keys.map(([key, values]) => ({ key, values: values.map(({ value, count }) => ({ value, count })) })),
      }
    }),
    bind(updateFeedbackList, async ({ query, body, request }) => {
      if (query.id === undefined && query.mailbox === undefined && query.query === undefined) {
        throw badRequest('Say which reports are meant: give their ids, or a mailbox or query.')
      }
      const ids = query.id?.map(Number) ?? (await inbox.ids(await readSelection(parts, request, query), MOST_AT_ONCE))
      const done = await inbox.change(actorOf(request, clock), ids, await readChange(parts, request, body))
      changed(request.organization.id)
      return { body: { changed: done.map(String) } }
    }),
    bind(deleteFeedbackList, async ({ query, request }) => {
      await parts.forget(await inbox.remove(actorOf(request, clock), query.id.map(Number)))
      changed(request.organization.id)
      return { body: null }
    }),
    bind(mergeFeedback, async ({ body, request }) => {
      const children = await inbox.merge(actorOf(request, clock), Number(body.parent), body.children.map(Number))
      if (children === null) throw badRequest('Merging needs two or more reports of one project.')
      changed(request.organization.id)
      return { body: { parent: body.parent, children: children.map(String) } }
    }),
    bind(unmergeFeedback, async ({ body, request }) => {
      const children = await inbox.unmerge(actorOf(request, clock), body.children.map(Number))
      changed(request.organization.id)
      return { body: { children: children.map(String) } }
    }),
  ]
}
