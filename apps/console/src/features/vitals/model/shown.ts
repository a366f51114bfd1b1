import { wholeScope } from '../../issues/model/index.ts'
import { DEFAULT_PERIOD } from '../../performance/model/performance-search.ts'
import {
  DEFAULT_SORT,
  type PageSearch,
  type PageUrl,
  type SortName,
  type VitalsSearch,
  type VitalsUrl,
} from './vitals-url.ts'

/** What an address means once a screen shows it. */

export function vitalsFromUrl(url: VitalsUrl): VitalsSearch {
  return { ...wholeScope(DEFAULT_PERIOD), query: '', sort: DEFAULT_SORT, ...url }
}

export function pageFromUrl(url: PageUrl): PageSearch {
  return { ...wholeScope(DEFAULT_PERIOD), vital: 'lcp', by: 'browser', ...url }
}

/** The worst score is the smallest, and names begin with A. */
export const SMALLEST_FIRST: readonly SortName[] = ['page', 'score']
