import {
  compareIssueTags,
  createIssueNote,
  deleteIssueNote,
  getEventAttachment,
  getGroupingInfo,
  getIssue,
  getIssueEvent,
  getIssueStats,
  getProjectEventJson,
  listEventAttachments,
  listHandles,
  listIssueActivities,
  listIssueEvents,
  listIssueHashes,
  listIssueTagValues,
  listIssueTags,
  listIssues,
  listSimilarIssues,
  unmergeIssueHashes,
  updateIssueNote,
} from '@firsthand/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'

import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import { issueKeys } from '../issues/model/index.ts'

/** The part of the stream's filters that the issue page keeps. */
export interface IssueScope {
  readonly org: string
  readonly issue: string
  /** A period, or a range of dates. */
  readonly time: { readonly statsPeriod: string } | { readonly start: string; readonly end: string }
  readonly environment: readonly string[]
}

/** Values per tag in the side column. */
const TOP_VALUES = 5
/** So many are compared; the most alike stand first. */
const MERGE_CANDIDATES = 100
const EVENTS_PAGE = 50
const VALUES_PAGE = 50

const key = (scope: Pick<IssueScope, 'org' | 'issue'>) => issueKeys.page(scope.org, scope.issue)
/** Events do not change; live updates must not exchange the one that is being read. */
const eventKey = (scope: Pick<IssueScope, 'org' | 'issue'>) =>
  [...organizationKeys.all(scope.org), 'event', scope.issue] as const

export const issueQuery = (scope: IssueScope) =>
  queryOptions({
    queryKey: [...key(scope), 'detail'],
    queryFn: ({ signal }) => api.call(getIssue, { params: { org: scope.org, issue: scope.issue }, signal }),
  })

export const issueStatsQuery = (scope: IssueScope) =>
  queryOptions({
    queryKey: [...key(scope), 'stats', scope.time, scope.environment],
    queryFn: ({ signal }) =>
      api.call(getIssueStats, {
        params: { org: scope.org, issue: scope.issue },
        query: { ...scope.time, environment: [...scope.environment] },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** @param event an id, `latest`, `oldest` or `recommended` */
export const issueEventQuery = (scope: IssueScope, event: string) =>
  queryOptions({
    queryKey: [...eventKey(scope), event, scope.environment],
    queryFn: ({ signal }) =>
      api.call(getIssueEvent, {
        params: { org: scope.org, issue: scope.issue, event },
        query: { environment: [...scope.environment] },
        signal,
      }),
  })

export const eventJsonQuery = (org: string, project: string, event: string) =>
  queryOptions({
    queryKey: [...organizationKeys.all(org), 'event-json', event],
    queryFn: ({ signal }) => api.call(getProjectEventJson, { params: { org, project, event }, signal }),
  })

/** Files that one page of the list may hold; an event with more is a mistake of its sender. */
export const MAX_ATTACHMENTS = 100

/** They may come after their event, so they are no part of what never changes. */
export const attachmentsQuery = (org: string, project: string, event: string) =>
  queryOptions({
    queryKey: [...organizationKeys.all(org), 'attachments', event],
    queryFn: ({ signal }) =>
      api.call(listEventAttachments, { params: { org, project, event }, query: { limit: MAX_ATTACHMENTS }, signal }),
  })

export const attachmentAddress = (org: string, project: string, event: string, attachment: string) =>
  api.url(getEventAttachment, { params: { org, project, event, attachment }, query: { download: '1' } })

/** @param rules `stored`: what was decided when the event was stored; `today`: what today's rules would decide */
export const groupingQuery = (org: string, project: string, event: string, rules: 'stored' | 'today') =>
  queryOptions({
    queryKey: [...organizationKeys.all(org), 'grouping', event, rules],
    queryFn: ({ signal }) => api.call(getGroupingInfo, { params: { org, project, event }, query: { rules }, signal }),
  })

export const issueTagsQuery = (scope: IssueScope) =>
  queryOptions({
    queryKey: [...key(scope), 'tags', scope.time, scope.environment],
    queryFn: ({ signal }) =>
      api.call(listIssueTags, {
        params: { org: scope.org, issue: scope.issue },
        query: { limit: TOP_VALUES, ...scope.time, environment: [...scope.environment] },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** Not below the issue's page: what is usual in a project does not change with every event of one issue. */
export const tagComparisonQuery = (scope: IssueScope, keys: readonly string[]) =>
  queryOptions({
    queryKey: [...organizationKeys.all(scope.org), 'tags-compared', scope.issue, keys, scope.time, scope.environment],
    queryFn: ({ signal }) =>
      api.call(compareIssueTags, {
        params: { org: scope.org, issue: scope.issue },
        query: { key: [...keys], ...scope.time, environment: [...scope.environment] },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

export const tagValuesQuery = (scope: IssueScope, tag: string, search: string) =>
  infiniteQueryOptions({
    queryKey: [...key(scope), 'tag-values', tag, search, scope.time, scope.environment],
    queryFn: ({ pageParam, signal }) =>
      api.page(listIssueTagValues, {
        params: { org: scope.org, issue: scope.issue, key: tag },
        query: {
          query: search,
          ...scope.time,
          environment: [...scope.environment],
          limit: VALUES_PAGE,
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

export const issueEventsQuery = (scope: IssueScope, query: string) =>
  infiniteQueryOptions({
    queryKey: [...eventKey(scope), 'list', query, scope.time, scope.environment],
    queryFn: ({ pageParam, signal }) =>
      api.page(listIssueEvents, {
        params: { org: scope.org, issue: scope.issue },
        query: {
          query,
          ...scope.time,
          environment: [...scope.environment],
          limit: EVENTS_PAGE,
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

/** The newest event of a time range, for a click on a bar of the graph; null when there is none. */
export async function findEventBetween(scope: IssueScope, start: number, end: number): Promise<string | null> {
  const events = await api.call(listIssueEvents, {
    params: { org: scope.org, issue: scope.issue },
    query: {
      start: new Date(start).toISOString(),
      end: new Date(end).toISOString(),
      environment: [...scope.environment],
      limit: 1,
    },
  })
  return events[0]?.eventID ?? null
}

/** Issues of the same project that a search finds, newest first: what one may be merged with. */
export const mergeCandidatesQuery = (org: string, project: string, query: string) =>
  queryOptions({
    queryKey: [...issueKeys.lists(org), 'merge-candidates', project, query],
    queryFn: ({ signal }) =>
      api.call(listIssues, {
        params: { org },
        query: { project: [project], query, limit: MERGE_CANDIDATES, groupStatsPeriod: '', shortIdLookup: '1' },
        signal,
      }),
    placeholderData: keepPreviousData,
    retry: false,
  })

export const activityQuery = (scope: Pick<IssueScope, 'org' | 'issue'>) =>
  queryOptions({
    queryKey: [...key(scope), 'activity'],
    queryFn: ({ signal }) => api.call(listIssueActivities, { params: { org: scope.org, issue: scope.issue }, signal }),
  })

/** Whom a note can name by words that begin like this. */
export const handlesQuery = (org: string, text: string) =>
  queryOptions({
    queryKey: [...organizationKeys.all(org), 'handles', text],
    queryFn: ({ signal }) => api.call(listHandles, { params: { org }, query: { query: text }, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })

export const hashesQuery = (scope: Pick<IssueScope, 'org' | 'issue'>) =>
  queryOptions({
    queryKey: [...key(scope), 'hashes'],
    queryFn: ({ signal }) =>
      api.page(listIssueHashes, { params: { org: scope.org, issue: scope.issue }, query: { limit: 100 }, signal }),
  })

export const writeNote = (scope: Pick<IssueScope, 'org' | 'issue'>, text: string) =>
  api.call(createIssueNote, { params: { org: scope.org, issue: scope.issue }, body: { text } })

export const rewriteNote = (scope: Pick<IssueScope, 'org' | 'issue'>, note: string, text: string) =>
  api.call(updateIssueNote, { params: { org: scope.org, issue: scope.issue, note }, body: { text } })

export const removeNote = (scope: Pick<IssueScope, 'org' | 'issue'>, note: string) =>
  api.call(deleteIssueNote, { params: { org: scope.org, issue: scope.issue, note } })

export const unmergeHashes = (scope: Pick<IssueScope, 'org' | 'issue'>, hashes: readonly string[]) =>
  api.call(unmergeIssueHashes, { params: { org: scope.org, issue: scope.issue }, query: { id: [...hashes] } })

/** Issues that may be the same problem. */
export const similarQuery = (org: string, issue: string) =>
  queryOptions({
    queryKey: [...issueKeys.page(org, issue), 'similar'] as const,
    queryFn: ({ signal }) => api.call(listSimilarIssues, { params: { org, issue }, signal }),
  })
