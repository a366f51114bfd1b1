import { urlQuery } from '../../../lib/url-search.ts'
import { compactScope, readScope, type ScopeSearch, type ScopeUrl, wholeScope } from '../../issues/model/index.ts'

/** What the screen of logs shows. */
export interface LogsSearch extends ScopeSearch {
  readonly query: string
  /** Id of the open line. */
  readonly line?: string | undefined
  /** Attributes whose values are counted besides the usual ones. */
  readonly facet: readonly string[]
}

/** In the URL: what differs from the defaults. */
export interface LogsUrl extends ScopeUrl {
  readonly query?: string
  readonly line?: string
  readonly facet?: readonly string[]
}

export const DEFAULT_PERIOD = '1h'
const MAX_FACETS = 5
const MAX_FACET = 200

/** Reads any URL, also one edited by hand: what cannot be read is left out. */
export function readLogsUrl(raw: Readonly<Record<string, unknown>>): LogsUrl {
  const line = typeof raw.line === 'string' && /^[0-9a-f]{32}$/.test(raw.line) ? raw.line : undefined
  const facets = (Array.isArray(raw.facet) ? raw.facet : [raw.facet]).filter((one) => typeof one === 'string')
  return compactLogs({
    ...readScope(raw, DEFAULT_PERIOD),
    query: urlQuery(raw.query),
    line,
    facet: facets.filter((one) => one !== '' && one.length <= MAX_FACET).slice(0, MAX_FACETS),
  })
}

export function compactLogs(search: LogsSearch): LogsUrl {
  return {
    ...(search.query === '' ? {} : { query: search.query }),
    ...(search.line === undefined ? {} : { line: search.line }),
    ...(search.facet.length === 0 ? {} : { facet: search.facet }),
    ...compactScope(search, DEFAULT_PERIOD),
  }
}

export function logsFromUrl(url: LogsUrl): LogsSearch {
  return { ...wholeScope(DEFAULT_PERIOD), query: '', facet: [], ...url }
}
