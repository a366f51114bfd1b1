import { formatFilter } from '@firsthand/search-syntax'

import type { ScopeSearch } from '../../issues/model/index.ts'
import { type ClicksColumn, compactReplays, replaysOf, type ReplaysUrl } from '../model/list-search.ts'

/** The list of replays in which an element was clicked in vain, or in anger. */
export function elementPage(
  { statsPeriod, start, end, utc, environment }: ScopeSearch,
  {
    dom_element: selector,
    project_id: project,
  }: { readonly dom_element: string; readonly project_id: number | string },
  by: ClicksColumn,
): ReplaysUrl {
  const key = by === 'count_rage_clicks' ? 'rage.selector' : 'dead.selector'
  return compactReplays({
    ...replaysOf({}),
    statsPeriod,
    start,
    end,
    utc,
    environment,
    project: [String(project)],
    // One of which nothing is known cannot be told apart by a selector.
    query: selector === '' ? `${by}:>0` : formatFilter(key, selector),
  })
}
