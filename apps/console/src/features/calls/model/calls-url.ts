import { urlQuery, urlText } from '../../../lib/url-search.ts'
import { compactScope, readScope, type ScopeSearch, type ScopeUrl } from '../../issues/model/index.ts'
import { compactSorted, DEFAULT_PERIOD } from '../../performance/model/performance-search.ts'

/** Addresses of the screens. Every page reads addresses, so nothing else stands here. */

export interface CallsSearch extends ScopeSearch {
  readonly query: string
  /** Key of a column, with `-` for the largest first. */
  readonly sort: string
}

/** In the URL: what differs from the defaults. */
export interface CallsUrl extends ScopeUrl {
  readonly query?: string
  readonly sort?: string
}

/** One of the calls: all that did alike. */
export interface CallSearch extends ScopeSearch {
  readonly group: string
}

export interface CallUrl extends ScopeUrl {
  readonly group: string
}

/** The time that was spent over all decides what to look at first. */
export const DEFAULT_SORT = '-total'

/** Reads any URL, also one edited by hand: what cannot be read is the default. */
export function readCallsUrl(raw: Readonly<Record<string, unknown>>): CallsUrl {
  const sort = urlText(raw.sort)
  return compactCalls({
    ...readScope(raw, DEFAULT_PERIOD),
    query: urlQuery(raw.query),
    sort: /^-?[a-z0-9]{1,20}$/i.test(sort) ? sort : DEFAULT_SORT,
  })
}

export const compactCalls = (search: CallsSearch): CallsUrl => compactSorted(search, DEFAULT_SORT)

export function readCallUrl(raw: Readonly<Record<string, unknown>>): CallUrl {
  const group = urlText(raw.group)
  return compactCall({ ...readScope(raw, DEFAULT_PERIOD), group: /^[0-9a-f]{16}$/.test(group) ? group : '' })
}

export function compactCall(search: CallSearch): CallUrl {
  return { group: search.group, ...compactScope(search, DEFAULT_PERIOD) }
}
