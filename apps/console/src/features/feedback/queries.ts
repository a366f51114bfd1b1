import {
  type Feedback,
  type FeedbackChange,
  type Page,
  countFeedback,
  createFeedbackIssue,
  createFeedbackNote,
  deleteFeedbackList,
  deleteFeedbackNote,
  getFeedback,
  linkFeedbackIssue,
  listFeedback,
  listFeedbackActivity,
  listFeedbackTags,
  listIssues,
  mergeFeedback,
  replyToFeedback,
  unmergeFeedback,
  updateFeedbackList,
} from '@firsthand/contract'
import { type InfiniteData, infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'

import { api } from '../../lib/api.ts'
import { firstPage } from '../../lib/first-page.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import { chunks } from '../../lib/undo-steps.ts'
import { feedbackKey } from './unread-query.ts'
import { issueKeys } from '../issues/model/index.ts'
import type { InboxSearch } from './model/inbox-search.ts'

const INBOX_PAGE = 50

export type InboxData = InfiniteData<Page<Feedback[]>, string | null>

export const inboxKey = (org: string) => [...feedbackKey(org), 'list'] as const

const selection = ({ mailbox, query, project, assigned, tag }: InboxSearch) => ({
  mailbox,
  ...(query.trim() === '' ? {} : { query }),
  ...(project.length === 0 ? {} : { project: [...project] }),
  ...(assigned === '' ? {} : { assigned }),
  ...(tag.length === 0 ? {} : { tag: [...tag] }),
})

function fetchInboxPage(org: string, search: InboxSearch, cursor: string | null, signal?: AbortSignal) {
  const query = { ...selection(search), sort: search.sort, limit: INBOX_PAGE, ...(cursor === null ? {} : { cursor }) }
  return api.page(listFeedback, { params: { org }, query, signal })
}

/** Which report is open does not change the list. */
const listOf = (search: InboxSearch) => ({ ...search, report: undefined })

export const inboxQuery = (org: string, search: InboxSearch) =>
  infiniteQueryOptions({
    queryKey: [...inboxKey(org), listOf(search)],
    queryFn: ({ pageParam, signal }) => fetchInboxPage(org, search, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

/** The first page alone, in the shape in which the list keeps its pages: for the route's loader. */
export const inboxPrefetch = (org: string, search: InboxSearch) =>
  queryOptions({
    queryKey: [...inboxKey(org), listOf(search)],
    queryFn: async (context): Promise<InboxData> =>
      firstPage(context, await fetchInboxPage(org, search, null, context.signal)),
  })

/** How many reports each mailbox has, under the same projects. */
export const mailboxCountsQuery = (org: string, project: readonly string[]) =>
  queryOptions({
    queryKey: [...feedbackKey(org), 'counts', project],
    queryFn: ({ signal }) =>
      api.call(countFeedback, {
        params: { org },
        query: project.length === 0 ? {} : { project: [...project] },
        signal,
      }),
    placeholderData: keepPreviousData,
    retry: false,
  })

export { unreadCountQuery, feedbackKey } from './unread-query.ts'

export const reportQuery = (org: string, feedback: string) =>
  queryOptions({
    queryKey: [...feedbackKey(org), 'report', feedback],
    queryFn: ({ signal }) => api.call(getFeedback, { params: { org, feedback }, signal }),
    retry: false,
  })

export const activityQuery = (org: string, feedback: string) =>
  queryOptions({
    queryKey: [...feedbackKey(org), 'activity', feedback],
    queryFn: ({ signal }) => api.call(listFeedbackActivity, { params: { org, feedback }, signal }),
  })

export const tagsQuery = (org: string, project: readonly string[]) =>
  queryOptions({
    queryKey: [...feedbackKey(org), 'tags', project],
    queryFn: ({ signal }) =>
      api.call(listFeedbackTags, {
        params: { org },
        query: project.length === 0 ? {} : { project: [...project] },
        signal,
      }),
  })

/** Issues of the report's project that a search finds, to link one. */
export const linkableIssuesQuery = (org: string, project: string, text: string) =>
  queryOptions({
    queryKey: [...issueKeys.lists(org), 'linkable', project, text],
    queryFn: ({ signal }) => {
      const query = { query: text, project: [project], statsPeriod: '90d', limit: 10, groupStatsPeriod: '' } as const
      return api.call(listIssues, { params: { org }, query: { ...query, project: [project] }, signal })
    },
    placeholderData: keepPreviousData,
    retry: false,
  })

/** What was typed to a reporter or to the team and is not sent yet. */
export interface Draft {
  readonly reply: string
  readonly note: string
}

export const draftKey = (org: string, feedback: string) => [...organizationKeys.all(org), 'draft', feedback] as const

/** Where the browser finds a file that came with a report. */
export const fileAddress = (url: string): string => `/api/0${url}`

export async function changeReports(org: string, ids: readonly string[], change: FeedbackChange): Promise<void> {
  for (const id of chunks(ids))
    await api.call(updateFeedbackList, { params: { org }, query: { id: [...id] }, body: change })
}

export async function removeReports(org: string, ids: readonly string[]): Promise<void> {
  for (const id of chunks(ids)) await api.call(deleteFeedbackList, { params: { org }, query: { id: [...id] } })
}

export const mergeReports = (org: string, parent: string, children: readonly string[]) =>
  api.call(mergeFeedback, { params: { org }, body: { parent, children: [...children] } })

export const separateReports = (org: string, children: readonly string[]) =>
  api.call(unmergeFeedback, { params: { org }, body: { children: [...children] } })

export const linkIssue = (org: string, feedback: string, issue: string | null) =>
  api.call(linkFeedbackIssue, { params: { org, feedback }, body: { issue } })

export const createIssue = (org: string, feedback: string) =>
  api.call(createFeedbackIssue, { params: { org, feedback }, body: {} })

export const sendReply = (org: string, feedback: string, text: string, resolve: boolean) =>
  api.call(replyToFeedback, { params: { org, feedback }, body: { text, resolve } })

export const writeNote = (org: string, feedback: string, text: string) =>
  api.call(createFeedbackNote, { params: { org, feedback }, body: { text } })

export const removeNote = (org: string, feedback: string, note: string) =>
  api.call(deleteFeedbackNote, { params: { org, feedback, note } })
