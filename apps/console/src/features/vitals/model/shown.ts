import type { ScopeSearch } from '../../issues/model/index.ts'
import {
  DEFAULT_PERIOD,
  DEFAULT_SORT,
  type PageSearch,
  type PageUrl,
  type SortName,
  type VitalsSearch,
  type VitalsSort,
  type VitalsUrl,
} from './vitals-url.ts'

/** What an address means once a screen shows it. */

const DEFAULT_SCOPE: ScopeSearch = { statsPeriod: DEFAULT_PERIOD, project: [], environment: [] }

export function listFromUrl(url: VitalsUrl): VitalsSearch {
  return { ...DEFAULT_SCOPE, query: '', sort: DEFAULT_SORT, ...url }
}

export function pageFromUrl(url: PageUrl): PageSearch {
  return { ...DEFAULT_SCOPE, vital: 'lcp', by: 'browser', ...url }
}

/** The head of a column was pressed: the worst first, names from A; a second press turns it round. */
export function sortedBy(sort: VitalsSort, column: SortName): VitalsSort {
  const first: VitalsSort = column === 'page' || column === 'score' ? column : `-${column}`
  const other: VitalsSort = first === column ? `-${column}` : column
  return sort === first ? other : first
}

export function directionOf(sort: VitalsSort, column: SortName): 'ascending' | 'descending' | 'none' {
  return sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : 'none'
}
