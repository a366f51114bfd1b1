import { COUNTED_ISSUES } from '@firsthand/contract'

import { formatCount } from '../../../lib/format.ts'
import { timeZone } from '../../../lib/moments.ts'
import { filtersOf, removeFilters } from '../../search/model/index.ts'
import type { IssueSort, ScopeSearch, StreamSearch } from './stream-search.ts'

/** What the screen offers beside the search itself. Apart from the shape of the URL, which every page loads at its start. */
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
  { value: 'harmed', label: 'Harmed people' },
  { value: 'trends', label: 'Trend' },
  { value: 'priority', label: 'Priority' },
]

export function periodLabel(value: string): string {
  return PERIODS.find((period) => period.value === value)?.label ?? `Last ${value}`
}

const MOMENT = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const

/** Takes the range of a search away. */
export const NO_DATES = { start: undefined, end: undefined, utc: undefined } as const

/** The time that a search is about, in words. */
export function timeLabel({ start, end, utc, statsPeriod }: ScopeSearch): string {
  if (start === undefined || end === undefined) return periodLabel(statsPeriod)
  const format = new Intl.DateTimeFormat('en-GB', { ...MOMENT, timeZone: utc === undefined ? timeZone() : 'UTC' })
  return `${format.format(Date.parse(start))} – ${format.format(Date.parse(end))}${utc === undefined ? '' : ' UTC'}`
}

/** A number of matches, which were counted up to `COUNTED_ISSUES`: `812`, `1,000+`. */
export function matchesText(hits: number): string {
  return `${formatCount(hits)}${hits === COUNTED_ISSUES ? '+' : ''}`
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
    ...timeNarrowing(search),
  ]
}

function timeNarrowing(search: StreamSearch): readonly Narrowing[] {
  if (search.start === undefined && search.statsPeriod === '90d') return []
  const label = search.start === undefined ? periodLabel(search.statsPeriod).toLowerCase() : 'the dates'
  return [{ label, without: { ...search, ...NO_DATES, statsPeriod: '90d' } }]
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
