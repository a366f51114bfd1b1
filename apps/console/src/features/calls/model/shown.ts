import type { ScopeSearch } from '../../issues/model/index.ts'
import {
  type CallSearch,
  type CallsSearch,
  type CallsUrl,
  type CallUrl,
  DEFAULT_PERIOD,
  DEFAULT_SORT,
} from './calls-url.ts'
import type { CallKind } from './kinds.ts'

/** What an address means once a screen shows it. */

const DEFAULT_SCOPE: ScopeSearch = { statsPeriod: DEFAULT_PERIOD, project: [], environment: [] }

/** A column that this kind does not have is not sorted by. */
export function listFromUrl({ columns }: CallKind, url: CallsUrl): CallsSearch {
  const { sort = DEFAULT_SORT } = url
  const key = sort.replace(/^-/, '')
  const isKnown = key === NAME || columns.some((column) => column.key === key)
  return { ...DEFAULT_SCOPE, query: '', ...url, sort: isKnown ? sort : DEFAULT_SORT }
}

export function callFromUrl(url: CallUrl): CallSearch {
  return { ...DEFAULT_SCOPE, ...url }
}

/** Key of the column that says what was done. */
export const NAME = 'name'

/** The head of a column was pressed: largest first, names from A; a second press turns it round. */
export function sortedBy(sort: string, key: string): string {
  const first = key === NAME ? key : `-${key}`
  const other = first === key ? `-${key}` : key
  return sort === first ? other : first
}

export function directionOf(sort: string, key: string): 'ascending' | 'descending' | 'none' {
  return sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : 'none'
}

const MILLISECONDS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** The equally long time before the one that is shown. */
export function timeBefore(
  { statsPeriod, start, end }: Pick<ScopeSearch, 'statsPeriod' | 'start' | 'end'>,
  now: number,
): { readonly start: string; readonly end: string } {
  const length =
    start === undefined || end === undefined
      ? Number.parseInt(statsPeriod, 10) * (MILLISECONDS[statsPeriod.at(-1) ?? ''] ?? 0)
      : Date.parse(end) - Date.parse(start)
  const until = start === undefined || end === undefined ? now - length : Date.parse(start)
  return { start: new Date(until - length).toISOString(), end: new Date(until).toISOString() }
}
