import { formatFilter } from '@firsthand/search-syntax'

import type { ScopeSearch } from '../../issues/model/index.ts'
import { type ClicksColumn, compactReplays, replaysOf, type ReplaysUrl } from '../model/list-search.ts'
import type { ClickedElement } from './queries.ts'

/** The list of replays in which an element was clicked in vain, or in anger. */
export function elementPage(
  { statsPeriod, start, end, utc, environment }: ScopeSearch,
  { dom_element: selector, project_id: project }: Pick<ClickedElement, 'dom_element' | 'project_id'>,
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
    project: [project],
    // One of which nothing is known cannot be told apart by a selector.
    query: selector === '' ? `${by}:>0` : formatFilter(key, selector),
  })
}
