import { compareBox, getEventsTimeseries, getHeatMap, queryEvents, queryEventStats } from '@firsthand/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import { timeOf } from '../issues/model/index.ts'
import { datasetOf } from './model/datasets.ts'
import { type ExploreSearch, sortOf, usualStep } from './model/explore-search.ts'
import type { BoxRange } from './model/heat.ts'
import { type Chart, chartOf, chartOfStats } from './model/lines.ts'

const exploreKey = (org: string) => [...organizationKeys.all(org), 'explore'] as const

/** Rows of one page of the table. */
const PAGE = 50

/** What every question has in common. */
function scopeOf(search: ExploreSearch) {
  return {
    ...timeOf(search),
    dataset: search.dataset,
    project: [...search.project],
    environment: [...search.environment],
    ...(search.query !== '' && { query: search.query }),
    ...(search.raw && { disableAggregateExtrapolation: '1' }),
  }
}

/** What of a search a part of the screen depends on, so that the rest can change without asking again. */
function questionOf(search: ExploreSearch) {
  const { show: _, form: __, heat: ___, ...question } = search
  return question
}

/** Columns of the table. */
export function columnsOf(search: ExploreSearch): readonly string[] {
  const { samples } = datasetOf(search.dataset)
  return search.show === 'groups' ? [...search.group, ...search.visualise] : samples
}

/** What tells where a row leads, beside what it shows. */
const IDENTIFYING = ['id', 'trace']

/** What is asked for the table. */
function tableOf(search: ExploreSearch) {
  return {
    ...scopeOf(search),
    field: [...columnsOf(search), ...(search.show === 'samples' ? IDENTIFYING : [])],
    sort: [sortOf(search, datasetOf(search.dataset).samples)],
  }
}

/** Where all pages of the table are a file. */
export const fileAddress = (org: string, search: ExploreSearch, format: 'csv' | 'json'): string =>
  api.url(queryEvents, { params: { org }, query: { ...tableOf(search), format } })

export const tableQuery = (org: string, search: ExploreSearch) =>
  infiniteQueryOptions({
    queryKey: [...exploreKey(org), 'table', search.show, questionOf(search)],
    queryFn: ({ pageParam, signal }) =>
      api.page(queryEvents, {
        params: { org },
        query: {
          ...tableOf(search),
          per_page: PAGE,
          ...(pageParam !== null && { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

export const chartQuery = (org: string, search: ExploreSearch) => {
  const { sort: _, ...question } = questionOf(search)
  return queryOptions({
    queryKey: [...exploreKey(org), 'chart', question],
    queryFn: ({ signal }) => askChart(org, search, signal),
    placeholderData: keepPreviousData,
  })
}

/** Of what the dataset measures. */
export const heatQuery = (org: string, search: ExploreSearch) =>
  queryOptions({
    queryKey: [...exploreKey(org), 'heat', scopeOf(search)],
    queryFn: ({ signal }) => api.call(getHeatMap, { params: { org }, query: scopeOf(search), signal }),
  })

/** What is different in a part of the heat map. */
export const boxQuery = (org: string, search: ExploreSearch, { from, to, start, end }: BoxRange) =>
  queryOptions({
    queryKey: [...exploreKey(org), 'box', scopeOf(search), from, to, start, end],
    queryFn: ({ signal }) =>
      api.call(compareBox, {
        params: { org },
        query: { ...scopeOf(search), from, to, boxStart: start, boxEnd: end },
        signal,
      }),
  })

async function askChart(org: string, search: ExploreSearch, signal: AbortSignal): Promise<Chart> {
  const { visualise, group, top, interval } = search
  const [first = 'count()'] = visualise
  const shared = {
    ...scopeOf(search),
    interval: interval === '' ? `${usualStep(search)}` : interval,
    ...(group.length > 0 && { topEvents: Number(top), sort: [`-${first}`] }),
  }
  if (search.dataset !== 'errors') {
    return chartOf(
      await api.call(getEventsTimeseries, {
        params: { org },
        query: { ...shared, yAxis: [...visualise], ...(group.length > 0 && { groupBy: [...group] }) },
        signal,
      }),
    )
  }
  // Of errors there are series in the older shape only, in which groups are told apart by one axis.
  const answer = await api.call(queryEventStats, {
    params: { org },
    query: { ...shared, yAxis: [first], ...(group.length > 0 && { field: [...group, first] }) },
    signal,
  })
  return chartOfStats(answer, first)
}
