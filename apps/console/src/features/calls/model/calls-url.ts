import { compactScope, readScope, type ScopeSearch, type ScopeUrl } from '../../issues/model/index.ts'

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

export const DEFAULT_PERIOD = '24h'
/** The time that was spent over all decides what to look at first. */
export const DEFAULT_SORT = '-total'
const MAX_QUERY = 200

/** Reads any URL, also one edited by hand: what cannot be read is the default. */
export function readCallsUrl(raw: Readonly<Record<string, unknown>>): CallsUrl {
  const sort = text(raw.sort)
  return compactCalls({
    ...readScope(raw, DEFAULT_PERIOD),
    query: text(raw.query).slice(0, MAX_QUERY),
    sort: /^-?[a-z0-9]{1,20}$/i.test(sort) ? sort : DEFAULT_SORT,
  })
}

export function compactCalls(search: CallsSearch): CallsUrl {
  return {
    ...(search.query === '' ? {} : { query: search.query }),
    ...(search.sort === DEFAULT_SORT ? {} : { sort: search.sort }),
    ...compactScope(search, DEFAULT_PERIOD),
  }
}

export function readCallUrl(raw: Readonly<Record<string, unknown>>): CallUrl {
  const group = text(raw.group)
  return compactCall({ ...readScope(raw, DEFAULT_PERIOD), group: /^[0-9a-f]{16}$/.test(group) ? group : '' })
}

export function compactCall(search: CallSearch): CallUrl {
  return { group: search.group, ...compactScope(search, DEFAULT_PERIOD) }
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
