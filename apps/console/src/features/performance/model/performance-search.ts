import type { TRANSACTION_SORTS } from '@firsthand/contract'
import type { Sort } from '../../../lib/sort.ts'
import { urlQuery, urlText } from '../../../lib/url-search.ts'
import { compactScope, readScope, type ScopeSearch, type ScopeUrl } from '../../issues/model/index.ts'

export type SortName = (typeof TRANSACTION_SORTS)[number]
export type TransactionSort = Sort<SortName>

/** What the list of transactions shows. */
export interface PerformanceSearch extends ScopeSearch {
  readonly query: string
  readonly sort: TransactionSort
}

/** In the URL: what differs from the defaults. */
export interface PerformanceUrl extends ScopeUrl {
  readonly query?: string
  readonly sort?: TransactionSort
}

/** The time that was lost over all decides what to look at first. */
export const DEFAULT_SORT: TransactionSort = '-total'
export const DEFAULT_PERIOD = '24h'
const MAX_TRANSACTION = 400
const MAX_OP = 128

/** Written out: every page reads addresses, and none but these screens needs the schemas beside the contract's list. */
const SORT = /^-?(transaction|count|failureRate|p50|p75|p95|p99|apdex|userMisery|users|total)$/

/** Reads any URL, also one edited by hand: what cannot be read is the default. */
export function readPerformanceUrl(raw: Readonly<Record<string, unknown>>): PerformanceUrl {
  const query = urlQuery(raw.query)
  return compactList({
    ...readScope(raw, DEFAULT_PERIOD),
    query,
    sort: SORT.test(urlText(raw.sort)) ? (raw.sort as TransactionSort) : DEFAULT_SORT,
  })
}

export const compactList = (search: PerformanceSearch): PerformanceUrl => compactSorted(search, DEFAULT_SORT)

/** The address of a list that is searched and sorted: what differs from the defaults. */
export function compactSorted<By extends string>(
  search: ScopeSearch & { readonly query: string; readonly sort: By },
  usual: By,
): ScopeUrl & { readonly query?: string; readonly sort?: By } {
  return {
    ...(search.query === '' ? {} : { query: search.query }),
    ...(search.sort === usual ? {} : { sort: search.sort }),
    ...compactScope(search, DEFAULT_PERIOD),
  }
}

/** What the page of one transaction shows. */
export interface TransactionSearch extends ScopeSearch {
  readonly transaction: string
  /** Of its root; without it, all. */
  readonly op?: string
  /** Of the list that it was opened from: only runs that it finds are told of. */
  readonly query?: string
}

export interface TransactionUrl extends ScopeUrl {
  readonly transaction: string
  readonly op?: string
  readonly query?: string
}

export function readTransactionUrl(raw: Readonly<Record<string, unknown>>): TransactionUrl {
  const op = urlText(raw.op).slice(0, MAX_OP)
  const query = urlQuery(raw.query)
  return compactTransaction({
    ...readScope(raw, DEFAULT_PERIOD),
    transaction: urlText(raw.transaction).slice(0, MAX_TRANSACTION),
    ...(op !== '' && { op }),
    ...(query !== '' && { query }),
  })
}

export function compactTransaction(search: TransactionSearch): TransactionUrl {
  return {
    transaction: search.transaction,
    ...(search.op === undefined ? {} : { op: search.op }),
    ...(search.query === undefined ? {} : { query: search.query }),
    ...compactScope(search, DEFAULT_PERIOD),
  }
}
