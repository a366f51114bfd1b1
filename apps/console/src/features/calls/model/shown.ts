import { secondsOf } from '../../explore/model/index.ts'
import { type ScopeSearch, wholeScope } from '../../issues/model/index.ts'
import { DEFAULT_PERIOD } from '../../performance/model/performance-search.ts'
import { type CallSearch, type CallsSearch, type CallsUrl, type CallUrl, DEFAULT_SORT } from './calls-url.ts'
import type { CallKind } from './kinds.ts'

/** What an address means once a screen shows it. */

const SECOND_MS = 1000

/** A column that this kind does not have is not sorted by. */
export function callsFromUrl({ columns }: CallKind, url: CallsUrl): CallsSearch {
  const { sort = DEFAULT_SORT } = url
  const key = sort.replace(/^-/, '')
  const isKnown = key === NAME || columns.some((column) => column.key === key)
  return { ...wholeScope(DEFAULT_PERIOD), query: '', ...url, sort: isKnown ? sort : DEFAULT_SORT }
}

export function callFromUrl(url: CallUrl): CallSearch {
  return { ...wholeScope(DEFAULT_PERIOD), ...url }
}

/** Key of the column that says what was done. */
export const NAME = 'name'

/** The equally long time before the one that is shown. */
export function rangeBefore(
  time: Pick<ScopeSearch, 'statsPeriod' | 'start' | 'end'>,
  now: number,
): { readonly start: string; readonly end: string } {
  const length = secondsOf(time) * SECOND_MS
  const until = time.start === undefined || time.end === undefined ? now - length : Date.parse(time.start)
  return { start: new Date(until - length).toISOString(), end: new Date(until).toISOString() }
}
