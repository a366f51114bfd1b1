import { ISSUE_SORTS } from '@firsthand/contract'
import { SEARCH_BOUNDS } from '@firsthand/search-syntax'

/** Which time, which projects, which environments a list is about. */
export interface ScopeSearch {
  readonly statsPeriod: string
  /** From one instant to another, ISO in UTC; then `statsPeriod` is not asked for. Both or neither. */
  readonly start?: string | undefined
  readonly end?: string | undefined
  /** `true`: the range is shown in UTC, not in the reader's time zone. */
  readonly utc?: 'true' | undefined
  /** Project ids. */
  readonly project: readonly string[]
  readonly environment: readonly string[]
}

/** In the URL: what differs from the defaults. */
export interface ScopeUrl {
  readonly statsPeriod?: string
  readonly start?: string
  readonly end?: string
  readonly utc?: 'true'
  readonly project?: readonly string[]
  readonly environment?: readonly string[]
}

/** What the stream shows, as its URL says it: everything that somebody else needs to see the same list. */
export interface StreamSearch extends ScopeSearch {
  readonly query: string
  readonly sort: IssueSort
}

export type IssueSort = (typeof ISSUE_SORTS)[number]

/** In the URL: what differs from the defaults. */
export interface StreamUrl extends ScopeUrl {
  readonly query?: string
  readonly sort?: IssueSort
}

export const DEFAULT_SEARCH: StreamSearch = {
  query: 'is:unresolved',
  sort: 'date',
  statsPeriod: '14d',
  project: [],
  environment: [],
}

/** Longest query and most list entries that a URL may carry; the contract refuses more. */
const MAX_QUERY = SEARCH_BOUNDS.characters
const MAX_ENTRIES = 100

/** Reads any URL, also one that was edited by hand or comes from Sentry: what cannot be read is the default. */
export function readStreamUrl(raw: Readonly<Record<string, unknown>>): StreamUrl {
  const query = text(raw.query)
  const sort = ISSUE_SORTS.find((candidate) => candidate === raw.sort)
  return compactUrl({
    query: query === null ? DEFAULT_SEARCH.query : query.slice(0, MAX_QUERY),
    sort: sort ?? DEFAULT_SEARCH.sort,
    ...readScope(raw, DEFAULT_SEARCH.statsPeriod),
  })
}

/** @param period is asked for when the URL names none */
export function readScope(raw: Readonly<Record<string, unknown>>, period: string): ScopeSearch {
  const statsPeriod = text(raw.statsPeriod)
  return {
    statsPeriod: statsPeriod !== null && /^\d{1,5}[smhdw]$/.test(statsPeriod) ? statsPeriod : period,
    ...readRange(raw),
    project: list(raw.project).filter((project) => project !== '-1'),
    environment: list(raw.environment),
  }
}

/** A time without a zone is UTC, as in Sentry's links. Nothing when it is no range. */
function readRange(raw: Readonly<Record<string, unknown>>): Pick<StreamUrl, 'start' | 'end' | 'utc'> {
  const [from = NaN, to = NaN] = [text(raw.start), text(raw.end)].map((moment) =>
    moment === null ? NaN : Date.parse(/T.*(Z|[+-]\d\d:?\d\d)$|^[^T]*$/.test(moment) ? moment : `${moment}Z`),
  )
  if (!(from < to)) return {}
  return {
    start: new Date(from).toISOString(),
    end: new Date(to).toISOString(),
    ...(text(raw.utc) === 'true' && { utc: 'true' }),
  }
}

/** What is shown until somebody chooses: all projects and environments. */
export function wholeScope(statsPeriod: string): ScopeSearch {
  return { statsPeriod, project: [], environment: [] }
}

/** What a stretch that somebody drew on a chart changes. */
export function rangeBetween(fromMs: number, toMs: number): Pick<ScopeSearch, 'start' | 'end' | 'utc'> {
  return { start: new Date(fromMs).toISOString(), end: new Date(toMs).toISOString(), utc: undefined }
}

/** Which time, projects and environments a request is about. */
export function scopeQuery(search: ScopeSearch) {
  return { ...timeOf(search), project: [...search.project], environment: [...search.environment] }
}

/** What of a search decides what is asked for its scope: a part of a query's key. */
export function scopeKey({ statsPeriod, start, end, project, environment }: ScopeSearch) {
  return { statsPeriod, start, end, project, environment }
}

/** Which time a request is about. */
export function timeOf({
  statsPeriod,
  start,
  end,
}: Pick<StreamSearch, 'statsPeriod' | 'start' | 'end'>): { statsPeriod: string } | { start: string; end: string } {
  return start === undefined || end === undefined ? { statsPeriod } : { start, end }
}

export function fromUrl(url: StreamUrl): StreamSearch {
  return { ...DEFAULT_SEARCH, ...url }
}

export function compactUrl(search: StreamSearch): StreamUrl {
  return {
    ...(search.query === DEFAULT_SEARCH.query ? {} : { query: search.query }),
    ...(search.sort === DEFAULT_SEARCH.sort ? {} : { sort: search.sort }),
    ...compactScope(search, DEFAULT_SEARCH.statsPeriod),
  }
}

export function compactScope(search: ScopeSearch, period: string): ScopeUrl {
  return {
    ...(search.statsPeriod === period ? {} : { statsPeriod: search.statsPeriod }),
    ...(search.start === undefined || search.end === undefined ? {} : { start: search.start, end: search.end }),
    ...(search.utc === undefined ? {} : { utc: search.utc }),
    ...(search.project.length === 0 ? {} : { project: search.project }),
    ...(search.environment.length === 0 ? {} : { environment: search.environment }),
  }
}

function text(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

function list(value: unknown): readonly string[] {
  const entries = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
  const texts = entries.map(text).filter((entry): entry is string => entry !== null && entry !== '')
  return [...new Set(texts)].slice(0, MAX_ENTRIES)
}
