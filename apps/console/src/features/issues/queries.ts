import {
  type Issue,
  type Page,
  deleteIssues,
  listEnvironments,
  listIssueHashes,
  listIssueStats,
  listIssues,
  restoreIssues,
  unmergeIssueHashes,
  updateIssues,
} from '@firsthand/contract'
import type { IssueChange } from '@firsthand/contract'
import { type InfiniteData, infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'

import { api } from '../../lib/api.ts'
import { firstPage } from '../../lib/first-page.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import { chunks } from '../../lib/undo-steps.ts'
import type { CountQuery } from '../../shell/feature.ts'
import { glanceAt } from './glances.ts'
import { issueKeys } from './model/keys.ts'
import { DEFAULT_SEARCH, scopeQuery, type StreamSearch } from './model/stream-search.ts'
import { REVIEW_SEARCH } from './review/review-search.ts'

export const STREAM_PAGE = 50

export type StreamData = InfiniteData<Page<Issue[]>, string | null>

/** Not below `issueKeys.lists`: the stream takes live updates in itself, so that no row jumps. */
export const streamKey = (org: string) => [...organizationKeys.all(org), 'stream'] as const

/** What a search asks of the server, without its order. */
export function filtersOfSearch(search: StreamSearch) {
  return {
    query: search.query,
    ...scopeQuery(search),
  }
}

export function fetchStreamPage(
  org: string,
  search: StreamSearch,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<Page<Issue[]>> {
  return api.page(listIssues, {
    params: { org },
    query: {
      ...filtersOfSearch(search),
      sort: search.sort,
      limit: STREAM_PAGE,
      groupStatsPeriod: 'auto',
      collapse: ['lifetime'],
      ...(cursor === null ? {} : { cursor }),
    },
    signal,
  })
}

export const streamQuery = (org: string, search: StreamSearch) =>
  infiniteQueryOptions({
    queryKey: [...streamKey(org), search],
    queryFn: ({ pageParam, signal }) => fetchStreamPage(org, search, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    meta: { content: true },
  })

/** The first page alone, in the shape in which the stream keeps its pages: what a route's loader and prefetching ask for. */
export const streamPrefetch = (org: string, search: StreamSearch) =>
  queryOptions({
    queryKey: [...streamKey(org), search],
    queryFn: async (context): Promise<StreamData> =>
      firstPage(context, await fetchStreamPage(org, search, null, context.signal)),
    meta: { content: true },
  })

const countQuery =
  (name: string, query: string) =>
  (org: string): CountQuery => ({
    queryKey: [...issueKeys.lists(org), name],
    queryFn: () => glanceAt(org, scopeQuery(DEFAULT_SEARCH), query),
    retry: false,
  })

/** How many issues the stream shows when it is opened without a search, up to `COUNTED_ISSUES`. */
export const unresolvedCountQuery = countQuery('unresolved-count', DEFAULT_SEARCH.query)

/** How many wait to be looked at. */
export const reviewCountQuery = countQuery('review-count', REVIEW_SEARCH.query)

/** Newer counts of issues that are on screen. */
export function fetchIssueStats(org: string, search: StreamSearch, ids: readonly string[]) {
  return api.call(listIssueStats, {
    params: { org },
    query: {
      groups: [...ids],
      groupStatsPeriod: 'auto',
      ...scopeQuery(search),
    },
  })
}

export const environmentsQuery = (org: string, project: readonly string[]) =>
  queryOptions({
    queryKey: [...organizationKeys.all(org), 'environments', project],
    queryFn: ({ signal }) => api.call(listEnvironments, { params: { org }, query: { project: [...project] }, signal }),
  })

/** Which issues a change is for: ids, or everything that a search matches. */
export type Target = { readonly ids: readonly string[] } | { readonly matching: StreamSearch }

export async function changeIssues(org: string, target: Target, change: IssueChange) {
  if ('matching' in target) {
    const answer = await api.call(updateIssues, {
      params: { org },
      query: filtersOfSearch(target.matching),
      body: change,
    })
    return answer === null
      ? { changed: [], merge: null }
      : { changed: answer.changed ?? null, merge: answer.merge ?? null }
  }
  const changed: string[] = []
  let merge: { parent: string; children: string[] } | null = null
  for (const id of chunks(target.ids)) {
    const answer = await api.call(updateIssues, { params: { org }, query: { id: [...id] }, body: change })
    changed.push(...(answer === null ? [] : (answer.changed ?? id)))
    merge = answer?.merge ?? merge
  }
  return { changed, merge }
}

export async function removeIssues(org: string, target: Target): Promise<void> {
  if ('matching' in target) {
    await api.call(deleteIssues, { params: { org }, query: filtersOfSearch(target.matching) })
    return
  }
  for (const id of chunks(target.ids)) await api.call(deleteIssues, { params: { org }, query: { id: [...id] } })
}

export async function bringBackIssues(org: string, ids: readonly string[]): Promise<void> {
  for (const portion of chunks(ids)) await api.call(restoreIssues, { params: { org }, body: { ids: [...portion] } })
}

/** What leads to an issue, to be able to take a merge back. */
export async function fetchHashes(org: string, issue: string): Promise<readonly string[]> {
  const hashes = await api.call(listIssueHashes, { params: { org, issue }, query: { limit: 100 } })
  return hashes.map((hash) => hash.id)
}

export async function unmerge(org: string, issue: string, hashes: readonly string[]): Promise<void> {
  await api.call(unmergeIssueHashes, { params: { org, issue }, query: { id: [...hashes] } })
}
