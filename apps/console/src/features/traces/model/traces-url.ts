import { urlQuery } from '../../../lib/url-search.ts'
import { compactScope, readScope, type ScopeSearch, type ScopeUrl, wholeScope } from '../../issues/model/index.ts'

/** Which traces are looked for. */
export interface TracesSearch extends ScopeSearch {
  /** Each is of a span; a trace is found that has one for each of them. At least one, which may be empty. */
  readonly query: readonly string[]
}

/** In the URL: what differs from the defaults. */
export interface TracesUrl extends ScopeUrl {
  readonly query?: readonly string[]
}

const DEFAULT_PERIOD = '24h'
/** Conditions on so many spans. */
export const MAX_SPANS = 3

/** Reads any URL, also one edited by hand. */
export function readTracesUrl(raw: Readonly<Record<string, unknown>>): TracesUrl {
  const query = [raw.query].flat().filter((entry) => typeof entry === 'string' && entry !== '')
  return tracesUrl({
    ...readScope(raw, DEFAULT_PERIOD),
    query: query.map(urlQuery).slice(0, MAX_SPANS),
  })
}

export function tracesUrl(search: TracesSearch): TracesUrl {
  const query = search.query.filter((one) => one !== '')
  return { ...(query.length === 0 ? {} : { query }), ...compactScope(search, DEFAULT_PERIOD) }
}

export function tracesOf({ query = [], ...scope }: TracesUrl): TracesSearch {
  return {
    ...wholeScope(DEFAULT_PERIOD),
    ...scope,
    query: query.length === 0 ? [''] : query,
  }
}
