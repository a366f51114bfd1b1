import {
  countIssues,
  deleteArtifactBundle,
  deleteDebugFile,
  deleteRelease,
  getRelease,
  getSiteMapSettings,
  listArtifactBundleFiles,
  listArtifactBundles,
  listDebugFiles,
  listDeploys,
  listIssues,
  listIssueStats,
  listReleaseCommits,
  listReleases,
  updateRelease,
  updateSiteMapSettings,
  type BodyInput,
} from '@firsthand/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import { HAPPENED, type Happened, type ReleasesSearch } from './model/releases-search.ts'
import { inRelease } from './model/in-release.ts'
import { type HappenedCounts, searchFor, searchForReview, searchInRelease } from './model/words.ts'
import { releasesKey } from './query-keys.ts'

const PAGE = 50
/** As long as events are kept where nothing else is said. */
const PERIOD = '90d'
/** What is under way changes by itself. */
const UNDER_WAY_MS = 2000

const after = (cursor: string) => (cursor === '' ? {} : { cursor })

export const releaseListQuery = (org: string, { project, query, status }: ReleasesSearch) =>
  infiniteQueryOptions({
    queryKey: [...releasesKey(org), 'list', project, query, status],
    queryFn: ({ pageParam, signal }) =>
      api.page(listReleases, {
        params: { org },
        query: {
          limit: PAGE,
          ...(status !== 'all' && { status }),
          ...(project.length > 0 && { project: [...project] }),
          ...(query !== '' && { query }),
          ...after(pageParam),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
  })

export const releaseQuery = (org: string, version: string) =>
  queryOptions({
    queryKey: [...releasesKey(org), 'one', version],
    queryFn: ({ signal }) => api.call(getRelease, { params: { org, version }, signal }),
  })

export const happenedCountsQuery = (org: string, version: string) =>
  queryOptions({
    queryKey: [...releasesKey(org), 'counts', version],
    queryFn: async ({ signal }): Promise<HappenedCounts & { readonly review: number }> => {
      const review = searchForReview(version)
      const counts = await api.call(countIssues, {
        params: { org },
        query: { query: [...HAPPENED.map((happened) => searchFor(happened, version)), review], statsPeriod: PERIOD },
        signal,
      })
      const of = (happened: Happened): number | null => counts[searchFor(happened, version)] ?? null
      return { new: of('new'), regressed: of('regressed'), resolved: of('resolved'), review: counts[review] ?? 0 }
    },
  })

export const releaseIssuesQuery = (org: string, version: string, happened: Happened) =>
  infiniteQueryOptions({
    queryKey: [...releasesKey(org), 'issues', version, happened],
    queryFn: async ({ pageParam, signal }) => {
      const page = await api.page(listIssues, {
        params: { org },
        query: {
          query: searchFor(happened, version),
          sort: 'freq',
          statsPeriod: PERIOD,
          groupStatsPeriod: '',
          collapse: ['lifetime'],
          limit: 25,
          ...after(pageParam),
        },
        signal,
      })
      if (page.data.length === 0) return { ...page, data: [] }
      const counts = await api.call(listIssueStats, {
        params: { org },
        query: {
          groups: page.data.map(({ id }) => id),
          query: searchInRelease(version),
          groupStatsPeriod: '',
        },
        signal,
      })
      return { ...page, data: inRelease(page.data, counts) }
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next ?? undefined,
  })

export const commitsQuery = (org: string, version: string) =>
  infiniteQueryOptions({
    queryKey: [...releasesKey(org), 'commits', version],
    queryFn: ({ pageParam, signal }) =>
      api.page(listReleaseCommits, { params: { org, version }, query: { limit: 20, ...after(pageParam) }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next ?? undefined,
  })

export const deploysQuery = (org: string, version: string) =>
  infiniteQueryOptions({
    queryKey: [...releasesKey(org), 'deploys', version],
    queryFn: ({ pageParam, signal }) =>
      api.page(listDeploys, { params: { org, version }, query: { limit: 20, ...after(pageParam) }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next ?? undefined,
  })

/** What was uploaded to a project: of one release (`''` for what names none), or what a text finds. */
export interface AskedBundles {
  readonly project: string
  readonly release?: string
  readonly query?: string
}

const bundlesKey = (org: string) => [...releasesKey(org), 'bundles'] as const

export const bundlesQuery = (org: string, { project, query = '', release }: AskedBundles) =>
  infiniteQueryOptions({
    queryKey: [...bundlesKey(org), 'list', project, release ?? null, query],
    queryFn: ({ pageParam, signal }) =>
      api.page(listArtifactBundles, {
        params: { org, project },
        query: {
          limit: 20,
          ...(release !== undefined && { release }),
          ...(query !== '' && { query }),
          ...after(pageParam),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.data.some(({ state }) => state === 'assembling')) === true ? UNDER_WAY_MS : false,
  })

export const bundleFilesQuery = (org: string, project: string, bundle: string) =>
  infiniteQueryOptions({
    queryKey: [...bundlesKey(org), 'files', project, bundle],
    queryFn: async ({ pageParam, signal }) => {
      const page = await api.page(listArtifactBundleFiles, {
        params: { org, project, bundle },
        query: { limit: 50, ...after(pageParam) },
        signal,
      })
      return { data: page.data.files, next: page.next }
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.data.some(({ detail, isReady }) => isReady === false && detail === null)) === true
        ? UNDER_WAY_MS
        : false,
  })

/** Debug files of a project: all of them, or what a text finds. */
export const debugFilesQuery = (
  org: string,
  { project, query }: { readonly project: string; readonly query: string },
) =>
  infiniteQueryOptions({
    queryKey: [...releasesKey(org), 'debug-files', project, query],
    queryFn: ({ pageParam, signal }) =>
      api.page(listDebugFiles, {
        params: { org, project },
        query: { limit: 20, ...(query !== '' && { query }), ...after(pageParam) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.data.some(({ state }) => state === 'assembling')) === true ? UNDER_WAY_MS : false,
  })

export const changeRelease = (org: string, version: string, body: BodyInput<typeof updateRelease>) =>
  api.call(updateRelease, { params: { org, version }, body })

export const removeRelease = (org: string, version: string): Promise<null> =>
  api.call(deleteRelease, { params: { org, version } })

export const removeBundle = (org: string, project: string, bundle: string): Promise<null> =>
  api.call(deleteArtifactBundle, { params: { org, project }, query: { bundleId: bundle } })

export const removeDebugFile = (org: string, project: string, file: string): Promise<null> =>
  api.call(deleteDebugFile, { params: { org, project }, query: { id: file } })

export const siteMapsKey = (org: string, project: string) =>
  [...organizationKeys.project(org, project), 'site-maps'] as const

export const siteMapsQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: siteMapsKey(org, project),
    queryFn: ({ signal }) => api.call(getSiteMapSettings, { params: { org, project }, signal }),
  })

export const saveSiteMaps = (
  org: string,
  project: string,
  body: { readonly enabled: boolean; readonly hosts: string[] },
) => api.call(updateSiteMapSettings, { params: { org, project }, body })
