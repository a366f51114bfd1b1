import { ISSUE_SORTS } from '@firsthand/contract'

import { filtersOf, removeFilters, replaceFilters } from '../../search/model/index.ts'

/** What the stream shows, as its URL says it: everything that somebody else needs to see the same list. */
export interface StreamSearch {
  readonly query: string
  readonly sort: IssueSort
  readonly statsPeriod: string
  /** Project ids. */
  readonly project: readonly string[]
  readonly environment: readonly string[]
}

export type IssueSort = (typeof ISSUE_SORTS)[number]

/** In the URL: what differs from the defaults. */
export interface StreamUrl {
  readonly query?: string
  readonly sort?: IssueSort
  readonly statsPeriod?: string
  readonly project?: readonly string[]
  readonly environment?: readonly string[]
}

export const DEFAULT_SEARCH: StreamSearch = {
  query: 'is:unresolved',
  sort: 'date',
  statsPeriod: '14d',
  project: [],
  environment: [],
}

export const PERIODS: readonly { readonly value: string; readonly label: string }[] = [
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '14d', label: 'Last 14 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
]

export const SORTS: readonly { readonly value: IssueSort; readonly label: string }[] = [
  { value: 'date', label: 'Last seen' },
  { value: 'new', label: 'First seen' },
  { value: 'freq', label: 'Events' },
  { value: 'user', label: 'Users' },
  { value: 'trends', label: 'Trend' },
]

/** Longest query and most list entries that a URL may carry; the contract refuses more. */
const MAX_QUERY = 2000
const MAX_ENTRIES = 100

/** Reads any URL, also one that was edited by hand or comes from Sentry: what cannot be read is the default. */
export function readStreamUrl(raw: Readonly<Record<string, unknown>>): StreamUrl {
  const query = text(raw.query)
  const sort = ISSUE_SORTS.find((candidate) => candidate === raw.sort)
  const statsPeriod = text(raw.statsPeriod)
  return compactUrl({
    query: query === null ? DEFAULT_SEARCH.query : query.slice(0, MAX_QUERY),
    sort: sort ?? DEFAULT_SEARCH.sort,
    statsPeriod:
      statsPeriod !== null && /^\d{1,5}[smhdw]$/.test(statsPeriod) ? statsPeriod : DEFAULT_SEARCH.statsPeriod,
    project: list(raw.project).filter((project) => project !== '-1'),
    environment: list(raw.environment),
  })
}

export function fromUrl(url: StreamUrl): StreamSearch {
  return { ...DEFAULT_SEARCH, ...url }
}

export function compactUrl(search: StreamSearch): StreamUrl {
  return {
    ...(search.query === DEFAULT_SEARCH.query ? {} : { query: search.query }),
    ...(search.sort === DEFAULT_SEARCH.sort ? {} : { sort: search.sort }),
    ...(search.statsPeriod === DEFAULT_SEARCH.statsPeriod ? {} : { statsPeriod: search.statsPeriod }),
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

export function periodLabel(value: string): string {
  return PERIODS.find((period) => period.value === value)?.label ?? `Last ${value}`
}

/** Tabs are searches: each stands for its `is:` filters, the rest of the search stays. */
export const TABS = [
  { id: 'unresolved', label: 'Unresolved', states: ['unresolved'] },
  { id: 'for_review', label: 'For review', states: ['unresolved', 'for_review'] },
  { id: 'regressed', label: 'Regressed', states: ['regressed'] },
  { id: 'escalating', label: 'Escalating', states: ['escalating'] },
  { id: 'archived', label: 'Archived', states: ['archived'] },
] as const
export type Tab = (typeof TABS)[number]

/** The tab that the query says, or null for a search of one's own. */
export function activeTab(query: string): Tab | null {
  const states = statesOf(query)
  return (
    TABS.find((tab) => tab.states.length === states.length && tab.states.every((state) => states.includes(state))) ??
    null
  )
}

export function withTab(query: string, tab: Tab): string {
  return replaceFilters(query, 'is', tab.states)
}

function statesOf(query: string): readonly string[] {
  return filtersOf(query)
    .filter((token) => token.key === 'is')
    .map((token) => (token.negated ? `!${token.value}` : token.value))
}

/** One thing that narrows the list, with the search that is left when it goes; offered when nothing matches. */
export interface Narrowing {
  readonly label: string
  readonly without: StreamSearch
}

export function narrowings(search: StreamSearch): readonly Narrowing[] {
  const filters = filtersOf(search.query).map((token) => ({
    label: search.query.slice(token.start, token.end),
    without: { ...search, query: removeFilters(search.query, (other) => other.start === token.start) },
  }))
  const words = filtersOf(search.query).length === 0 || hasWords(search.query) ? wordsNarrowing(search) : []
  return [
    ...filters,
    ...words,
    ...(search.environment.length > 0
      ? [{ label: search.environment.join(', '), without: { ...search, environment: [] } }]
      : []),
    ...(search.project.length > 0 ? [{ label: 'the project', without: { ...search, project: [] } }] : []),
    ...(search.statsPeriod !== '90d'
      ? [{ label: periodLabel(search.statsPeriod).toLowerCase(), without: { ...search, statsPeriod: '90d' } }]
      : []),
  ]
}

function hasWords(query: string): boolean {
  return removeFilters(query, () => true) !== ''
}

function wordsNarrowing(search: StreamSearch): readonly Narrowing[] {
  const words = removeFilters(search.query, () => true)
  if (words === '') return []
  const query = filtersOf(search.query)
    .map((token) => search.query.slice(token.start, token.end))
    .join(' ')
  return [{ label: `“${words}”`, without: { ...search, query } }]
}
