import { countIssues } from '@firsthand/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { api } from '../../lib/api.ts'
import { glanceAt } from './glances.ts'
import { issueKeys } from './model/keys.ts'
import type { StreamSearch } from './model/stream-search.ts'
import { TABS, withTab } from './model/stream-tabs.ts'
import { filtersOfSearch } from './queries.ts'

/** How many issues each tab holds under the same filters, counted up to `COUNTED_ISSUES`. */
export const tabCountsQuery = (org: string, search: StreamSearch) =>
  queryOptions({
    queryKey: [
      ...issueKeys.lists(org),
      'tab-counts',
      { ...search, sort: undefined, query: withTab(search.query, TABS[0]) },
    ],
    queryFn: async () => {
      const { query, ...place } = filtersOfSearch(search)
      const counts = await Promise.all(TABS.map((tab) => glanceAt(org, place, withTab(query, tab))))
      return new Map(TABS.map((tab, index) => [tab.id, counts[index] ?? undefined]))
    },
    placeholderData: keepPreviousData,
    retry: false,
  })

/** How many issues a change of all that match reaches: counted to the end. */
export const matchCountQuery = (org: string, search: StreamSearch) =>
  queryOptions({
    queryKey: [...issueKeys.lists(org), 'match-count', { ...search, sort: undefined }],
    queryFn: async ({ signal }) => {
      const { query, ...filters } = filtersOfSearch(search)
      const counts = await api.call(countIssues, { params: { org }, query: { ...filters, query: [query] }, signal })
      return counts[query] ?? null
    },
  })
