import { wholeScope } from '../../issues/model/index.ts'
import {
  DEFAULT_PERIOD,
  DEFAULT_SORT,
  type PerformanceSearch,
  type PerformanceUrl,
  type SortName,
  type TransactionSearch,
  type TransactionUrl,
} from './performance-search.ts'

/** What an address means once a screen shows it. Apart from the reading of addresses, which every page loads. */

export function transactionsFromUrl(url: PerformanceUrl): PerformanceSearch {
  return { ...wholeScope(DEFAULT_PERIOD), query: '', sort: DEFAULT_SORT, ...url }
}

export function transactionFromUrl(url: TransactionUrl): TransactionSearch {
  return { ...wholeScope(DEFAULT_PERIOD), ...url }
}

/** The worst apdex is the smallest, and names begin with A. */
export const SMALLEST_FIRST: readonly SortName[] = ['transaction', 'apdex']
