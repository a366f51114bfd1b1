import { getEventsTimeseries, getTransaction, listIssues, listTransactions, queryEvents } from '@firsthand/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import { type FileAddress, tableFile } from '../explore/export/index.ts'
import { askInSuitableSteps, secondsOf, timeBefore } from '../explore/model/index.ts'
import { scopeKey, scopeQuery, type ScopeSearch } from '../issues/model/index.ts'
import { issuesOf } from './model/findings.ts'
import { foundCondition } from './model/found.ts'
import type { PerformanceSearch, TransactionSearch } from './model/performance-search.ts'
import { COUNT, SUMMARY, SUMMARY_CONDITION, type Totals, totalsOf } from './model/summary.ts'
import { WAIT_COUNT, WAIT_LOOKED, WAIT_P95, waitCondition, waitsOf } from './model/waits.ts'

const PAGE = 50
const SAMPLES = 20
const MOST_ISSUES = 12

const performanceKey = (org: string) => [...organizationKeys.all(org), 'performance'] as const

/** What is asked for the list, whatever page of it. */
const askedTransactions = (search: PerformanceSearch) => ({
  ...scopeQuery(search),
  sort: search.sort,
  ...(search.query !== '' && { query: search.query }),
})

export const transactionsFile =
  (org: string, search: PerformanceSearch): FileAddress =>
  (format) =>
    api.url(listTransactions, { params: { org }, query: { ...askedTransactions(search), format } })

const fetchTransactions = (org: string, search: PerformanceSearch, cursor: string | null, signal: AbortSignal) =>
  api.page(listTransactions, {
    params: { org },
    query: {
      ...askedTransactions(search),
      limit: PAGE,
      ...(cursor !== null && { cursor }),
    },
    signal,
  })

export type TransactionsPage = Awaited<ReturnType<typeof fetchTransactions>>

export const transactionsQuery = (org: string, search: PerformanceSearch) =>
  infiniteQueryOptions({
    queryKey: [...performanceKey(org), 'list', search],
    queryFn: ({ pageParam, signal }) => fetchTransactions(org, search, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

/** Values of a filter that are offered. */
const VALUES_OFFERED = 100
/** New ones may take this long to be offered. */
const VALUES_STALE_AFTER_MS = 60_000

/** What the roots of transactions have of an attribute, the most frequent first. */
export const valuesQuery = (org: string, search: ScopeSearch, field: string) =>
  queryOptions({
    queryKey: [...performanceKey(org), 'values', field, scopeKey(search)],
    queryFn: async ({ signal }) => {
      const { data } = await api.call(queryEvents, {
        params: { org },
        query: {
          ...scopeQuery(search),
          dataset: 'spans',
          field: [field, COUNT],
          query: `${SUMMARY_CONDITION} has:${field}`,
          sort: [`-${COUNT}`],
          per_page: VALUES_OFFERED,
        },
        signal,
      })
      return data.flatMap((row) => {
        const [value, count] = [row[field], row[COUNT]]
        return typeof value === 'string' && value !== '' ? [{ value, count: Number(count) }] : []
      })
    },
    staleTime: VALUES_STALE_AFTER_MS,
  })

const SUMMARY_FIELDS = SUMMARY.map(({ field }) => field)

const fetchTotals = async (
  org: string,
  scope: ScopeSearch,
  query: string,
  signal: AbortSignal,
): Promise<Totals | undefined> => {
  const answer = await api.call(queryEvents, {
    params: { org },
    query: {
      ...scopeQuery(scope),
      dataset: 'spans',
      field: [...SUMMARY_FIELDS, COUNT],
      query,
      per_page: 1,
    },
    signal,
  })
  return totalsOf(answer)
}

/** All transactions that the search finds: over time, now and in the time before. */
export const summaryQuery = (org: string, search: PerformanceSearch) =>
  queryOptions({
    queryKey: [...performanceKey(org), 'summary', search.query, scopeKey(search)],
    queryFn: async ({ signal }) => {
      const condition = `${SUMMARY_CONDITION} ${foundCondition(search.query)}`.trim()
      const [chart, now, before] = await Promise.all([
        askInSuitableSteps(search, (interval) =>
          api.call(getEventsTimeseries, {
            params: { org },
            query: {
              ...scopeQuery(search),
              dataset: 'spans',
              query: condition,
              interval,
              yAxis: SUMMARY_FIELDS,
              comparisonDelta: Math.round(secondsOf(search)),
            },
            signal,
          }),
        ),
        fetchTotals(org, search, condition, signal),
        fetchTotals(org, { ...search, ...timeBefore(search, Date.now()) }, condition, signal),
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
          ...(search.query !== undefined && { query: search.query }),
          ...(search.op !== undefined && { op: search.op }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** Of a sample, what the list of the slowest shows. */
const SAMPLE_FIELDS = ['trace', 'id', 'project', 'span.duration', 'span.status', 'user', 'release', 'timestamp']

/** All runs of the transaction, the slowest first: those of the list and what follows them. */
export const runsFile = (org: string, search: TransactionSearch): FileAddress =>
  tableFile(org, {
    ...scopeQuery(search),
    dataset: 'spans',
    field: SAMPLE_FIELDS,
    query: waitCondition(search),
    sort: ['-span.duration'],
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
