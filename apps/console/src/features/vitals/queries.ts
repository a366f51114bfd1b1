import { getEventsTimeseries, queryEvents } from '@firsthand/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import { tableFile } from '../explore/export/index.ts'
import { askInSuitableSteps } from '../explore/model/index.ts'
import { scopeKey, scopeQuery, type ScopeSearch } from '../issues/model/index.ts'
import { conditionOf } from '../performance/frame/index.ts'
import { readCard, readDimension, readPage, readSample } from './model/answers.ts'
import {
  cardFields,
  dimensionQuestion,
  hasVital,
  listQuestion,
  pageCondition,
  samplesQuestion,
} from './model/questions.ts'
import type { PageSearch, Vital, VitalsSearch } from './model/vitals-url.ts'

const vitalsKey = (org: string) => [...organizationKeys.all(org), 'vitals'] as const

const PAGES = 50
const DIMENSION_ROWS = 20
const SAMPLES = 20

const spansOf = (search: ScopeSearch) => ({ ...scopeQuery(search), dataset: 'spans' })

const pagesAsked = (search: VitalsSearch) => ({ ...spansOf(search), ...listQuestion(search) })
const dimensionAsked = (search: PageSearch) => ({ ...spansOf(search), ...dimensionQuestion(search) })
const samplesAsked = (search: PageSearch) => ({ ...spansOf(search), ...samplesQuestion(search) })

export const pagesFile = (org: string, search: VitalsSearch) => tableFile(org, pagesAsked(search))
export const dimensionFile = (org: string, search: PageSearch) => tableFile(org, dimensionAsked(search))
export const samplesFile = (org: string, search: PageSearch) => tableFile(org, samplesAsked(search))

export const pagesQuery = (org: string, search: VitalsSearch) =>
  infiniteQueryOptions({
    queryKey: [...vitalsKey(org), 'pages', search],
    queryFn: async ({ pageParam, signal }) => {
      const { data, next } = await api.page(queryEvents, {
        params: { org },
        query: {
          ...pagesAsked(search),
          per_page: PAGES,
          ...(pageParam !== null && { cursor: pageParam }),
        },
        signal,
      })
      return { rows: data.data.map(readPage), next }
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

/** One vital of all pages that a search finds. */
export const foundCardQuery = (org: string, search: VitalsSearch, vital: Vital) =>
  cardQuery(org, search, vital, conditionOf(search.query, 'transaction'))

/** One vital of one page. */
export const pageCardQuery = (org: string, search: PageSearch, vital: Vital) =>
  cardQuery(org, search, vital, pageCondition(search.page))

const cardQuery = (org: string, scope: ScopeSearch, vital: Vital, condition: string) =>
  queryOptions({
    queryKey: [...vitalsKey(org), 'card', vital, condition, scopeKey(scope)],
    queryFn: async ({ signal }) => {
      const { data } = await api.call(queryEvents, {
        params: { org },
        query: {
          ...spansOf(scope),
          field: [...cardFields(vital)],
          query: `${hasVital(vital)} ${condition}`.trim(),
          per_page: 1,
        },
        signal,
      })
      return readCard(vital, data[0])
    },
    placeholderData: keepPreviousData,
  })

export const overTimeQuery = (org: string, search: PageSearch) =>
  queryOptions({
    queryKey: [...vitalsKey(org), 'over time', search.vital, search.page, scopeKey(search)],
    queryFn: ({ signal }) =>
      askInSuitableSteps(search, (interval) =>
        api.call(getEventsTimeseries, {
          params: { org },
          query: {
            ...spansOf(search),
            query: `${hasVital(search.vital)} ${pageCondition(search.page)}`,
            interval,
            yAxis: percentilesOf(search.vital).map(({ axis }) => axis),
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })

export const percentilesOf = (vital: Vital) =>
  (['p50', 'p75', 'p95'] as const).map((label) => ({ label, axis: `${label}(measurements.${vital})` }))

export const dimensionQuery = (org: string, search: PageSearch) =>
  queryOptions({
    queryKey: [...vitalsKey(org), 'dimension', search.by, search.vital, search.page, scopeKey(search)],
    queryFn: async ({ signal }) => {
      const { data } = await api.call(queryEvents, {
        params: { org },
        query: { ...dimensionAsked(search), per_page: DIMENSION_ROWS },
        signal,
      })
      return data.map((row) => readDimension(search.by, search.vital, row))
    },
    placeholderData: keepPreviousData,
  })

export const samplesQuery = (org: string, search: PageSearch) =>
  queryOptions({
    queryKey: [...vitalsKey(org), 'samples', search.vital, search.page, scopeKey(search)],
    queryFn: async ({ signal }) => {
      const { data } = await api.call(queryEvents, {
        params: { org },
        query: { ...samplesAsked(search), per_page: SAMPLES },
        signal,
      })
      return data.map((row) => readSample(search.vital, row))
    },
    placeholderData: keepPreviousData,
  })
