import { getTransaction, listIssues, listTransactions } from '@firsthand/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import { scopeQuery } from '../issues/model/index.ts'
import { issuesOf } from './model/findings.ts'
import type { PerformanceSearch, TransactionSearch } from './model/performance-search.ts'

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
