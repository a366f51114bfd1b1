import {
  countInbox,
  getInboxEntry,
  getNoticeSettings,
  getWeeklyReport,
  type InboxEntry,
  listInbox,
  listPausedAddresses,
  type Page,
} from '@firsthand/contract'
import { type InfiniteData, infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { firstPage } from '../../lib/first-page.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import { inboxKey } from './unread-query.ts'
import type { InboxSearch } from './model/inbox-search.ts'

const INBOX_PAGE = 50

export type InboxData = InfiniteData<Page<InboxEntry[]>, string | null>

export const inboxListKey = (org: string) => [...inboxKey(org), 'list'] as const

function fetchInbox(org: string, { show, query }: InboxSearch, cursor: string | null, signal?: AbortSignal) {
  const words = query.trim() === '' ? {} : { query }
  const from = cursor === null ? {} : { cursor }
  return api.page(listInbox, { params: { org }, query: { show, ...words, ...from, limit: INBOX_PAGE }, signal })
}

const keyOf = (org: string, { show, query }: InboxSearch) => [...inboxListKey(org), show, query] as const

export const inboxQuery = (org: string, search: InboxSearch) =>
  infiniteQueryOptions({
    queryKey: keyOf(org, search),
    queryFn: ({ pageParam, signal }) => fetchInbox(org, search, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

/** The first page alone, in the shape in which the list keeps its pages: for the route's loader. */
export const inboxPrefetch = (org: string, search: InboxSearch) =>
  queryOptions({
    queryKey: keyOf(org, search),
    queryFn: async (context): Promise<InboxData> =>
      firstPage(context, await fetchInbox(org, search, null, context.signal)),
  })

export const inboxCountsQuery = (org: string) =>
  queryOptions({
    queryKey: [...inboxKey(org), 'counts'],
    queryFn: ({ signal }) => api.call(countInbox, { params: { org }, signal }),
    retry: false,
  })

export { unreadQuery, inboxKey } from './unread-query.ts'

export const entryQuery = (org: string, entry: string) =>
  queryOptions({
    queryKey: [...inboxKey(org), 'entry', entry],
    queryFn: ({ signal }) => api.call(getInboxEntry, { params: { org, entry }, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })

/** What reaches the signed-in person; the same in each organisation. */
export const noticeSettingsQuery = queryOptions({
  queryKey: ['notice-settings'],
  queryFn: ({ signal }) => api.call(getNoticeSettings, { signal }),
})

/** Members to whom no mail is sent. */
export const pausedAddressesQuery = (org: string) =>
  queryOptions({
    queryKey: [...organizationKeys.members(org), 'paused'],
    queryFn: ({ signal }) => api.call(listPausedAddresses, { params: { org }, signal }),
    retry: false,
  })

export const weeklyReportQuery = (org: string) =>
  queryOptions({
    queryKey: [...inboxKey(org), 'weekly'],
    queryFn: ({ signal }) => api.call(getWeeklyReport, { params: { org }, signal }),
    retry: false,
  })
