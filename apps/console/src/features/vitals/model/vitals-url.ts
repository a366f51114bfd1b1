import type { Sort } from '../../../lib/sort.ts'
import { urlQuery, urlText } from '../../../lib/url-search.ts'
import { compactScope, readScope, type ScopeSearch, type ScopeUrl } from '../../issues/model/index.ts'
import { compactSorted, DEFAULT_PERIOD } from '../../performance/model/performance-search.ts'

/** Addresses of the screens. Every page reads addresses, so nothing else stands here. */

export const VITALS = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const
export type Vital = (typeof VITALS)[number]

/** By what the list of pages is sorted; `gain` is how much better all could be. */
const SORTS = [...VITALS, 'score', 'gain', 'page'] as const
export type SortName = (typeof SORTS)[number]
export type VitalsSort = Sort<SortName>

/** By what one page's values are told apart. */
export const DIMENSIONS = ['browser', 'device', 'system', 'country', 'element'] as const
export type Dimension = (typeof DIMENSIONS)[number]

export interface VitalsSearch extends ScopeSearch {
  readonly query: string
  readonly sort: VitalsSort
}

/** In the URL: what differs from the defaults. */
export interface VitalsUrl extends ScopeUrl {
  readonly query?: string
  readonly sort?: VitalsSort
}

export interface PageSearch extends ScopeSearch {
  readonly page: string
  readonly vital: Vital
  readonly by: Dimension
}

export interface PageUrl extends ScopeUrl {
  readonly page: string
  readonly vital?: Vital
  readonly by?: Dimension
}

export const DEFAULT_SORT: VitalsSort = '-gain'
const MAX_PAGE = 400

/** Reads any URL, also one edited by hand: what cannot be read is the default. */
export function readVitalsUrl(raw: Readonly<Record<string, unknown>>): VitalsUrl {
  const sort = urlText(raw.sort)
  return compactVitals({
    ...readScope(raw, DEFAULT_PERIOD),
    query: urlQuery(raw.query),
    sort: SORTS.some((name) => name === sort.replace(/^-/, '')) ? (sort as VitalsSort) : DEFAULT_SORT,
  })
}

export const compactVitals = (search: VitalsSearch): VitalsUrl => compactSorted(search, DEFAULT_SORT)

export function readPageUrl(raw: Readonly<Record<string, unknown>>): PageUrl {
  return compactPage({
    ...readScope(raw, DEFAULT_PERIOD),
    page: urlText(raw.page).slice(0, MAX_PAGE),
    vital: VITALS.find((vital) => vital === raw.vital) ?? 'lcp',
    by: DIMENSIONS.find((dimension) => dimension === raw.by) ?? 'browser',
  })
}

export function compactPage(search: PageSearch): PageUrl {
  return {
    page: search.page,
    ...(search.vital === 'lcp' ? {} : { vital: search.vital }),
    ...(search.by === 'browser' ? {} : { by: search.by }),
    ...compactScope(search, DEFAULT_PERIOD),
  }
}
