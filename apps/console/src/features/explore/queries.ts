import { compareBox, getEventsTimeseries, getHeatMap, listTags, queryEvents } from '@firsthand/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import { scopeQuery, timeOf } from '../issues/model/index.ts'
import { tableFile } from './export/index.ts'
import { readBefore, timeBefore } from './model/before.ts'
import { datasetOf } from './model/datasets.ts'
import { type ExploreSearch, secondsOf, sortOf } from './model/explore-search.ts'
import { type BoxRange, mappedAttribute } from './model/heat.ts'
import { askInSuitableSteps, type Chart, chartOf } from './model/lines.ts'
import { metricOf, metricOfRow, searchOfMetric } from './model/metrics.ts'

const exploreKey = (org: string) => [...organizationKeys.all(org), 'explore'] as const

/** Rows of one page of the table. */
const PAGE = 50

/** What every question has in common. */
function scopeOf(search: ExploreSearch, query = search.query) {
  return {
    ...scopeQuery(search),
    dataset: datasetOf(search.dataset).askedAs ?? search.dataset,
    ...(query !== '' && { query }),
    ...(search.raw && { disableAggregateExtrapolation: '1' }),
  }
}

/** Single values have no function that says of which metric they are. */
function scopeOfValues(search: ExploreSearch) {
  const metric = metricOf(search.visualise)
  return scopeOf(search, metric === null ? search.query : searchOfMetric(search.query, metric))
}

/** What of a search a part of the screen depends on, so that the rest can change without asking again. */
function questionOf(search: ExploreSearch) {
  const { show: _, form: __, heat: ___, box: ____, ...question } = search
  return question
}

/** Columns of the table. */
export function columnsOf(search: ExploreSearch): readonly string[] {
  const { samples } = datasetOf(search.dataset)
  return search.show === 'groups' ? [...search.group, ...search.visualise] : samples
}

/** What tells where a row leads, beside what it shows. */
const IDENTIFYING = ['id', 'trace']
const IDENTIFYING_VALUES = [...IDENTIFYING, 'span_id']

/** What is asked for the table. */
function tableOf(search: ExploreSearch) {
  const isSamples = search.show === 'samples'
  const identifying = search.dataset === 'tracemetrics' ? IDENTIFYING_VALUES : IDENTIFYING
  return {
    ...(isSamples ? scopeOfValues(search) : scopeOf(search)),
    field: [...columnsOf(search), ...(isSamples ? identifying : [])],
    sort: [sortOf(search, datasetOf(search.dataset).samples)],
  }
}

export const rowsFile = (org: string, search: ExploreSearch) => tableFile(org, tableOf(search))

/** What the rows are of. Those of something else have none of the values by which these are told apart. */
const kindOfRows = ({ dataset, show, group }: ExploreSearch): string =>
  JSON.stringify(show === 'groups' ? [dataset, group] : [dataset])

export const tableQuery = (org: string, search: ExploreSearch) =>
  infiniteQueryOptions({
    queryKey: [...exploreKey(org), 'table', kindOfRows(search), questionOf(search)],
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
    placeholderData: (before, query) => (query?.queryKey.at(-2) === kindOfRows(search) ? before : undefined),
  })

/** New tags may take this long to be offered. */
const TAGS_STALE_AFTER_MS = 60_000

/** Of errors in the time that is asked about, most frequent first. */
export const tagsQuery = (org: string, search: ExploreSearch) => {
  const asked = { ...timeOf(search), project: [...search.project] }
  return queryOptions({
    queryKey: [...exploreKey(org), 'tags', asked],
    queryFn: async ({ signal }) => {
      const tags = await api.call(listTags, { params: { org }, query: asked, signal })
      return tags.map(({ key }) => key)
    },
    staleTime: TAGS_STALE_AFTER_MS,
    // Without them there are those that every project has.
    retry: false,
  })
}

/** More are not compared. */
const GROUPS_BEFORE = 100

/** What the groups of the table had of the first function in the time before. */
export const beforeQuery = (org: string, search: ExploreSearch) => {
  const { form: _, heat: __, box: ___, ...question } = search
  return queryOptions({
    queryKey: [...exploreKey(org), 'before', question],
    queryFn: async ({ signal }) => {
      const query = { ...tableOf({ ...search, ...timeBefore(search, Date.now()) }), per_page: GROUPS_BEFORE }
      const { data, meta } = await api.call(queryEvents, { params: { org }, query, signal })
      return readBefore(data, meta.accuracy?.sampleCount ?? [], search.group, search.visualise[0] ?? '')
    },
  })
}

export const chartQuery = (org: string, search: ExploreSearch) => {
  const { sort: _, ...question } = questionOf(search)
  return queryOptions({
    queryKey: [...exploreKey(org), 'chart', question, search.form === 'compared'],
    queryFn: ({ signal }) => askChart(org, search, signal),
    placeholderData: keepPreviousData,
  })
}

const scopeOfMap = (search: ExploreSearch) => {
  const attribute = mappedAttribute(search)
  return { ...scopeOfValues(search), ...(attribute !== null && { attribute }) }
}

/** Of what the dataset measures, or is asked about. */
export const heatQuery = (org: string, search: ExploreSearch) =>
  queryOptions({
    queryKey: [...exploreKey(org), 'heat', scopeOfMap(search)],
    queryFn: ({ signal }) => api.call(getHeatMap, { params: { org }, query: scopeOfMap(search), signal }),
  })

/** What is different in a part of the heat map. */
export const boxQuery = (org: string, search: ExploreSearch, { from, to, start, end }: BoxRange) =>
  queryOptions({
    queryKey: [...exploreKey(org), 'box', scopeOfMap(search), from, to, start, end],
    queryFn: ({ signal }) =>
      api.call(compareBox, {
        params: { org },
        query: { ...scopeOfMap(search), from, to, boxStart: start, boxEnd: end },
        signal,
      }),
  })

async function askChart(org: string, search: ExploreSearch, signal: AbortSignal): Promise<Chart> {
  const { visualise, group, top, interval } = search
  const [first = 'count()'] = visualise
  const shared = {
    ...scopeOf(search),
    ...(group.length > 0 && { topEvents: Number(top), sort: [`-${first}`] }),
  }
  const ask = (step: string) =>
    api.call(getEventsTimeseries, {
      params: { org },
      query: {
        ...shared,
        interval: step,
        yAxis: [...visualise],
        ...(group.length > 0 && { groupBy: [...group] }),
        ...(search.form === 'compared' && { comparisonDelta: Math.round(secondsOf(search)) }),
      },
      signal,
    })
  return interval === '' ? askInSuitableSteps(search, ask) : chartOf(await ask(interval))
}

/** Metrics of the time that are offered in the picker, those with the most values first. */
const METRICS_OFFERED = 200

export const metricsQuery = (org: string, search: ExploreSearch) => {
  const query = {
    ...scopeOf(search, ''),
    field: ['metric.name', 'metric.type', 'metric.unit', 'count()'],
    sort: ['-count()'],
    per_page: METRICS_OFFERED,
  }
  return queryOptions({
    queryKey: [...exploreKey(org), 'metrics', query],
    queryFn: async ({ signal }) => {
      const { data } = await api.call(queryEvents, { params: { org }, query, signal })
      return data.map(metricOfRow).filter((metric) => metric !== null)
    },
    placeholderData: keepPreviousData,
  })
}
