import { getEventsTimeseries, getTransaction, listIssues, listTransactions, queryEvents } from '@firsthand/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import { askInSuitableSteps, secondsOf, timeBefore } from '../explore/model/index.ts'
import { scopeKey, scopeQuery, type ScopeSearch } from '../issues/model/index.ts'
import { issuesOf } from './model/findings.ts'
import type { PerformanceSearch, TransactionSearch } from './model/performance-search.ts'
import { COUNT, SUMMARY, SUMMARY_CONDITION, type Totals } from './model/summary.ts'
import { WAIT_COUNT, WAIT_LOOKED, WAIT_P95, waitCondition, waitsOf } from './model/waits.ts'

const PAGE = 50
const SAMPLES = 20
const MOST_ISSUES = 12

const performanceKey = (org: string) => [...organizationKeys.all(org), 'performance'] as const

const fetchTransactions = (org: string, search: PerformanceSearch, cursor: string | null, signal: AbortSignal) =>
  api.page(listTransactions, {
    params: { org },
    query: {
      ...scopeQuery(search),
      sort: search.sort,
      limit: PAGE,
      ...(search.query !== '' && { query: search.query }),
      ...(cursor !== null && { cursor }),
    },
    signal,
  })

export const transactionsQuery = (org: string, search: PerformanceSearch) =>
  infiniteQueryOptions({
    queryKey: [...performanceKey(org), 'list', search],
    queryFn: ({ pageParam, signal }) => fetchTransactions(org, search, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

const SUMMARY_FIELDS = SUMMARY.map(({ field }) => field)

const fetchTotals = async (org: string, scope: ScopeSearch, signal: AbortSignal): Promise<Totals | undefined> => {
  const { data } = await api.call(queryEvents, {
    params: { org },
    query: {
      ...scopeQuery(scope),
      dataset: 'spans',
      field: [...SUMMARY_FIELDS, COUNT],
      query: SUMMARY_CONDITION,
      per_page: 1,
    },
    signal,
  })
  return data[0]
}

/** All transactions: over time, now and in the time before. */
export const summaryQuery = (org: string, search: ScopeSearch) =>
  queryOptions({
    queryKey: [...performanceKey(org), 'summary', scopeKey(search)],
    queryFn: async ({ signal }) => {
      const [chart, now, before] = await Promise.all([
        askInSuitableSteps(search, (interval) =>
          api.call(getEventsTimeseries, {
            params: { org },
            query: {
              ...scopeQuery(search),
              dataset: 'spans',
              query: SUMMARY_CONDITION,
              interval,
              yAxis: SUMMARY_FIELDS,
              comparisonDelta: Math.round(secondsOf(search)),
            },
            signal,
          }),
        ),
        fetchTotals(org, search, signal),
        fetchTotals(org, { ...search, ...timeBefore(search, Date.now()) }, signal),
      ])
      return { chart, now: now ?? {}, before }
    },
    placeholderData: keepPreviousData,
  })

export const transactionQuery = (org: string, search: TransactionSearch) =>
  queryOptions({
    queryKey: [...performanceKey(org), 'transaction', search],
    queryFn: ({ signal }) =>
      api.call(getTransaction, {
        params: { org },
        query: {
          ...scopeQuery(search),
          transaction: search.transaction,
          samples: SAMPLES,
          ...(search.op !== undefined && { op: search.op }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** Unresolved issues with events in the transaction, the most frequent first. */
export const relatedIssuesQuery = (org: string, search: TransactionSearch) =>
  queryOptions({
    queryKey: [...performanceKey(org), 'issues', search],
    queryFn: ({ signal }) =>
      api.call(listIssues, {
        params: { org },
        query: {
          ...scopeQuery(search),
          query: issuesOf(search.transaction),
          sort: 'freq',
          limit: MOST_ISSUES,
          groupStatsPeriod: '',
          collapse: ['lifetime'],
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** p95 of a transaction by the values of an attribute, the most frequent of them. */
export const waitsQuery = (org: string, search: TransactionSearch, field: string) =>
  queryOptions({
    queryKey: [...performanceKey(org), 'waits', field, search],
    queryFn: async ({ signal }) => {
      const { data } = await api.call(queryEvents, {
        params: { org },
        query: {
          ...scopeQuery(search),
          dataset: 'spans',
          field: [field, WAIT_P95, WAIT_COUNT],
          query: waitCondition(search),
          sort: [`-${WAIT_COUNT}`],
          per_page: WAIT_LOOKED,
        },
        signal,
      })
      return waitsOf(field, data)
    },
    placeholderData: keepPreviousData,
  })
