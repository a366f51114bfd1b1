import { getLog, getLogFacets, getLogVolume, listLogs, LOG_TAIL_MAX, tailLogs } from '@firsthand/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import type { FileAddress } from '../explore/export/index.ts'
import { scopeQuery } from '../issues/model/index.ts'
import type { SearchCompletions } from '../search/index.ts'
import type { LogsSearch } from './model/logs-search.ts'

const PAGE = 200

/** What lines are asked for. */
export type LogScope = Omit<LogsSearch, 'line' | 'facet'>

const logsKey = (org: string) => [...organizationKeys.all(org), 'logs'] as const

function scopeOf(search: LogScope) {
  return {
    ...scopeQuery(search),
    ...(search.query !== '' && { query: search.query }),
  }
}

/** All lines that the search finds, the newest first. */
export const linesFile =
  (org: string, search: LogScope): FileAddress =>
  (format) =>
    api.url(listLogs, { params: { org }, query: { ...scopeOf(search), format } })

export type Page = Awaited<ReturnType<typeof fetchLines>>

/** @param from where the page begins; the newest lines without it */
export const fetchLines = (
  org: string,
  search: LogScope,
  from: { readonly before?: string; readonly after?: string },
  signal: AbortSignal,
) => api.call(listLogs, { params: { org }, query: { ...scopeOf(search), ...from, limit: PAGE }, signal })

/** What came since the last answer. @param after null to be told where to begin */
export function fetchTail(org: string, search: LogScope, after: string | null, signal: AbortSignal) {
  const { project, environment, query } = scopeOf(search)
  return api.call(tailLogs, {
    params: { org },
    query: {
      project,
      environment,
      limit: LOG_TAIL_MAX,
      ...(query !== undefined && { query }),
      ...(after !== null && { after }),
    },
    signal,
  })
}

/** What is counted until now is counted again while one looks at it. */
const REFRESH_MS = 15_000

export const refreshOf = ({ start }: LogScope): number | false => (start === undefined ? REFRESH_MS : false)

export const volumeQuery = (org: string, search: LogScope) =>
  queryOptions({
    queryKey: [...logsKey(org), 'volume', search],
    queryFn: ({ signal }) => api.call(getLogVolume, { params: { org }, query: scopeOf(search), signal }),
    placeholderData: keepPreviousData,
  })

export const facetsQuery = (org: string, search: LogScope, attribute: readonly string[]) =>
  queryOptions({
    queryKey: [...logsKey(org), 'facets', search, attribute],
    queryFn: ({ signal }) =>
      api.call(getLogFacets, { params: { org }, query: { ...scopeOf(search), attribute: [...attribute] }, signal }),
    placeholderData: keepPreviousData,
  })

export const lineQuery = (org: string, line: string) =>
  queryOptions({
    queryKey: [...logsKey(org), 'line', line],
    queryFn: ({ signal }) => api.call(getLog, { params: { org, log: line }, signal }),
    staleTime: Infinity,
  })

const OFFERED_PERIOD = '24h'

/** Attributes of the newest lines complete a search, and the values that they have most. */
export const LOG_COMPLETIONS: SearchCompletions = {
  of: 'logs',
  async keys({ org, project }, signal) {
    const { attributes } = await api.call(getLogFacets, {
      params: { org },
      query: { statsPeriod: OFFERED_PERIOD, project: [...project] },
      signal,
    })
    return attributes.map(({ name }) => name)
  },
  async values({ org, project }, key, typed, signal) {
    const { facets } = await api.call(getLogFacets, {
      params: { org },
      query: { statsPeriod: OFFERED_PERIOD, project: [...project], attribute: [key] },
      signal,
    })
    const wanted = typed.toLowerCase()
    const found = facets.find((facet) => facet.key === key && facet.values.length > 0)
    return found?.values.filter(({ value }) => value.toLowerCase().includes(wanted)) ?? []
  },
}
