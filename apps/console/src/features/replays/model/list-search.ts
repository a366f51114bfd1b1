import { SEARCH_BOUNDS } from '@firsthand/search-syntax'

import type { Sort } from '../../../lib/sort.ts'
import { urlText } from '../../../lib/url-search.ts'
import { compactScope, readScope, type ScopeSearch, type ScopeUrl, wholeScope } from '../../issues/model/index.ts'

export type ReplayColumn =
  | 'started_at'
  | 'duration'
  | 'activity'
  | 'count_errors'
  | 'count_rage_clicks'
  | 'count_dead_clicks'
export type ReplaySort = Sort<ReplayColumn>

/** What the list of replays shows. */
export interface ReplaysSearch extends ScopeSearch {
  readonly query: string
  readonly sort: ReplaySort
}

/** In the URL: what differs from the defaults. */
export interface ReplaysUrl extends ScopeUrl {
  readonly query?: string
  readonly sort?: ReplaySort
}

export const DEFAULT_PERIOD = '7d'
export const DEFAULT_SORT: ReplaySort = '-started_at'

const SORT = /^-?(started_at|duration|activity|count_errors|count_rage_clicks|count_dead_clicks)$/

/** Reads any URL, also one edited by hand or of Sentry: what cannot be read is the default. */
export function readReplaysUrl(raw: Readonly<Record<string, unknown>>): ReplaysUrl {
  const sort = urlText(raw.sort)
  return compactReplays({
    ...readScope(raw, DEFAULT_PERIOD),
    query: urlText(raw.query).slice(0, SEARCH_BOUNDS.characters),
    sort: SORT.test(sort) ? (sort as ReplaySort) : DEFAULT_SORT,
  })
}

export function compactReplays(search: ReplaysSearch): ReplaysUrl {
  return {
    ...(search.query === '' ? {} : { query: search.query }),
    ...(search.sort === DEFAULT_SORT ? {} : { sort: search.sort }),
    ...compactScope(search, DEFAULT_PERIOD),
  }
}

export function replaysOf(url: ReplaysUrl): ReplaysSearch {
  return { ...wholeScope(DEFAULT_PERIOD), query: '', sort: DEFAULT_SORT, ...url }
}

/** What the page of clicked elements shows. */
export interface ClicksSearch extends ScopeSearch {
  readonly sort: ClicksSort
}

export type ClicksColumn = 'count_rage_clicks' | 'count_dead_clicks'
export type ClicksSort = Sort<ClicksColumn>

/** In the URL: what differs from the defaults. */
export interface ClicksUrl extends ScopeUrl {
  readonly sort?: ClicksSort
}

export const DEFAULT_CLICKS_SORT: ClicksSort = '-count_rage_clicks'

const CLICKS_SORT = /^-?count_(?:rage|dead)_clicks$/

export function readClicksUrl(raw: Readonly<Record<string, unknown>>): ClicksUrl {
  const sort = urlText(raw.sort)
  return compactClicks({
    ...readScope(raw, DEFAULT_PERIOD),
    sort: CLICKS_SORT.test(sort) ? (sort as ClicksSort) : DEFAULT_CLICKS_SORT,
  })
}

export function compactClicks({ sort, ...scope }: ClicksSearch): ClicksUrl {
  return { ...(sort === DEFAULT_CLICKS_SORT ? {} : { sort }), ...compactScope(scope, DEFAULT_PERIOD) }
}

export function clicksOf(url: ClicksUrl): ClicksSearch {
  return { ...wholeScope(DEFAULT_PERIOD), sort: DEFAULT_CLICKS_SORT, ...url }
}
