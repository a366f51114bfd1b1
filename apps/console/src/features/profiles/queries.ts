import {
  getProfile,
  getTraceProfileLanes,
  getTransactionProfile,
  listProfiles,
  listTraceProfiles,
} from '@firsthand/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import type { FileAddress } from '../explore/export/index.ts'
import { type ScopeSearch, scopeQuery } from '../issues/model/index.ts'
import type { TransactionSearch } from '../performance/model/performance-search.ts'
import type { ProfileUrl } from './model/profile-search.ts'

const PAGE = 50
const PROFILES_BESIDE_TRANSACTION = 5

const profilesKey = (org: string) => [...organizationKeys.all(org), 'profiles'] as const

/** Comparing a hundred thousand samples with those of before would take longer than drawing them. */
const LARGE = { structuralSharing: false, meta: { page: true } } as const

type Wanted = Pick<ProfileUrl, 'project' | 'thread' | 'from' | 'to'>

export const profileQuery = (org: string, profile: string, { project, thread, from, to }: Wanted) =>
  queryOptions({
    queryKey: [...profilesKey(org), profile, project, thread, from, to],
    queryFn: ({ signal }) =>
      api.call(getProfile, {
        params: { org, profile },
        query: {
          ...(project !== undefined && { project: [project] }),
          ...(thread !== undefined && { thread }),
          ...(from !== undefined && to !== undefined && { from, to }),
        },
        signal,
      }),
    ...LARGE,
  })

export const sumQuery = (org: string, search: TransactionSearch) =>
  queryOptions({
    queryKey: [...profilesKey(org), 'sum', search],
    queryFn: ({ signal }) =>
      api.call(getTransactionProfile, {
        params: { org },
        query: { ...scopeQuery(search), transaction: search.transaction },
        signal,
      }),
    ...LARGE,
  })

const profilesAsked = (search: ScopeSearch, transaction?: string) => ({
  ...scopeQuery(search),
  ...(transaction !== undefined && { transaction }),
})

/** @param transaction without it, all profiles */
export const profilesFile =
  (org: string, search: ScopeSearch, transaction?: string): FileAddress =>
  (format) =>
    api.url(listProfiles, { params: { org }, query: { ...profilesAsked(search, transaction), format } })

export const profilesQuery = (org: string, search: ScopeSearch) =>
  infiniteQueryOptions({
    queryKey: [...profilesKey(org), 'list', search],
    queryFn: ({ pageParam, signal }) =>
      api.page(listProfiles, {
        params: { org },
        query: { ...profilesAsked(search), limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

/** The latest of a transaction. */
export const transactionProfilesQuery = (org: string, search: ScopeSearch, transaction: string) =>
  queryOptions({
    queryKey: [...profilesKey(org), 'transaction', transaction, search],
    queryFn: ({ signal }) =>
      api.call(listProfiles, {
        params: { org },
        query: { ...profilesAsked(search, transaction), limit: PROFILES_BESIDE_TRANSACTION },
        signal,
      }),
  })

export const traceProfilesQuery = (org: string, trace: string) =>
  queryOptions({
    queryKey: [...profilesKey(org), 'trace', trace],
    queryFn: ({ signal }) => api.call(listTraceProfiles, { params: { org, trace }, signal }),
  })

/** Where the time went while a trace ran. It is read out of the profiles, so it is asked for where there are any. */
export const profileLanesQuery = (org: string, trace: string) =>
  queryOptions({
    queryKey: [...profilesKey(org), 'lanes', trace],
    queryFn: ({ signal }) => api.call(getTraceProfileLanes, { params: { org, trace }, signal }),
    ...LARGE,
  })
