import {
  countReplayDeletion,
  createReplayDeletion,
  deleteReplay,
  getReplayAssetSettings,
  getReplayDeletion,
  getReplayKeeping,
  getReplayVisitor,
  listReplayDeletions,
  starReplay,
  unstarReplay,
  updateReplayAssetSettings,
  updateReplayKeeping,
  type ReplayDeletionJob,
} from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'

import { api } from '../../../lib/api.ts'
import { organizationKeys } from '../../../lib/query-keys.ts'
import { scopeKey, scopeQuery } from '../../issues/model/index.ts'
import type { ReplaysSearch } from '../model/list-search.ts'

const DELETIONS = 20
const RUNNING_POLL_MS = 2000

/** A replay by its id and its project's, in their organisation. */
export interface NamedReplay {
  readonly org: string
  readonly project: string
  readonly replay: string
}

export const keepingKey = (org: string, project: string) =>
  [...organizationKeys.project(org, project), 'replay-keeping'] as const

export const keepingQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: keepingKey(org, project),
    queryFn: ({ signal }) => api.call(getReplayKeeping, { params: { org, project }, signal }),
  })

export const saveKeeping = (
  org: string,
  project: string,
  body: { readonly days: number | null; readonly gigabytes: number | null },
) => api.call(updateReplayKeeping, { params: { org, project }, body })

export const assetsKey = (org: string, project: string) =>
  [...organizationKeys.project(org, project), 'replay-assets'] as const

export const assetsQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: assetsKey(org, project),
    queryFn: ({ signal }) => api.call(getReplayAssetSettings, { params: { org, project }, signal }),
  })

export const saveAssets = (
  org: string,
  project: string,
  body: { readonly enabled: boolean; readonly hosts: string[] },
) => api.call(updateReplayAssetSettings, { params: { org, project }, body })

const isRunning = ({ status }: ReplayDeletionJob): boolean => status === 'pending' || status === 'in-progress'

/** The last deletions of many replays; asked again while one of them runs. */
export const deletionsQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: [...organizationKeys.project(org, project), 'replay-deletions'],
    queryFn: async ({ signal }) =>
      (await api.call(listReplayDeletions, { params: { org, project }, query: { limit: DELETIONS }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.some(isRunning) === true ? RUNNING_POLL_MS : false),
  })

/** One of them, as long as it runs. */
export const deletionQuery = (org: string, project: string, job: number) =>
  queryOptions({
    queryKey: [...organizationKeys.project(org, project), 'replay-deletions', job],
    queryFn: async ({ signal }) =>
      (await api.call(getReplayDeletion, { params: { org, project, job: String(job) }, signal })).data,
    refetchInterval: ({ state }) => (state.data === undefined || isRunning(state.data) ? RUNNING_POLL_MS : false),
  })

/** How many replays a search finds in a project, and from when to when these are. */
export const matchingQuery = (org: string, project: string, search: ReplaysSearch) =>
  queryOptions({
    queryKey: [...organizationKeys.project(org, project), 'replay-matches', scopeKey(search), search.query],
    queryFn: async ({ signal }) => {
      const { environment, project: _, ...time } = scopeQuery(search)
      const query = { ...time, environment, query: search.query }
      return (await api.call(countReplayDeletion, { params: { org, project }, query, signal })).data
    },
    // Who deletes for good is told how many there are now, and of which moment that is.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  })

export const deleteMatching = (
  org: string,
  project: string,
  { environment, query }: ReplaysSearch,
  { rangeEnd, rangeStart }: { readonly rangeStart: string; readonly rangeEnd: string },
) =>
  api.call(createReplayDeletion, {
    params: { org, project },
    body: { data: { rangeStart, rangeEnd, environments: [...environment], query } },
  })

export const visitorQuery = ({ org, project, replay }: NamedReplay) =>
  queryOptions({
    queryKey: [...organizationKeys.project(org, project), 'replay-visitor', replay],
    queryFn: async ({ signal }) =>
      (await api.call(getReplayVisitor, { params: { org, project }, query: { replay }, signal })).data,
    // Who deletes for good is told how many there are now.
    staleTime: 0,
    retry: false,
  })

export const deleteVisitor = ({ org, project, replay }: NamedReplay) =>
  api.call(createReplayDeletion, { params: { org, project }, body: { data: { visitor: { replay } } } })

export const deleteOne = (params: NamedReplay) => api.call(deleteReplay, { params: { ...params } })

export const setStar = (params: NamedReplay, starred: boolean) =>
  api.call(starred ? starReplay : unstarReplay, { params: { ...params } })
