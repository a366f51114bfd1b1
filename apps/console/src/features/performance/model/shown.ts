import type { ScopeSearch } from '../../issues/model/index.ts'
import {
  DEFAULT_PERIOD,
  DEFAULT_SORT,
  type PerformanceSearch,
  type PerformanceUrl,
  type SortName,
  type TransactionSearch,
  type TransactionSort,
  type TransactionUrl,
} from './performance-search.ts'

/** What an address means once a screen shows it. Apart from the reading of addresses, which every page loads. */

const DEFAULT_SCOPE: ScopeSearch = { statsPeriod: DEFAULT_PERIOD, project: [], environment: [] }

export function listFromUrl(url: PerformanceUrl): PerformanceSearch {
  return { ...DEFAULT_SCOPE, query: '', sort: DEFAULT_SORT, ...url }
}

export function transactionFromUrl(url: TransactionUrl): TransactionSearch {
  return { ...DEFAULT_SCOPE, ...url }
}

/** The head of a column was pressed: largest first, names from A; a second press turns it round. */
export function sortedBy(sort: TransactionSort, column: SortName): TransactionSort {
  const first: TransactionSort = column === 'transaction' || column === 'apdex' ? column : `-${column}`
  const other: TransactionSort = first === column ? `-${column}` : column
  return sort === first ? other : first
}

export function directionOf(sort: TransactionSort, column: SortName): 'ascending' | 'descending' | 'none' {
  return sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : 'none'
}
