import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { glanceAt } from '../glances.ts'
import { issueKeys } from '../model/keys.ts'
import { DEFAULT_SEARCH, scopeQuery, type StreamSearch } from '../model/stream-search.ts'
import type { Kept } from '../saved-searches.ts'

/** What a view opens: its words and its order, in the projects and the time that nobody chose otherwise. */
export const searchOfView = ({ query, sort }: Kept): StreamSearch => ({ ...DEFAULT_SEARCH, query, sort })

/** How many issues each search finds as its view opens it, up to `COUNTED_ISSUES`; null for one that cannot be asked any more. */
export const viewCountsQuery = (org: string, queries: readonly string[]) =>
  queryOptions({
    queryKey: [...issueKeys.viewCounts(org), queries] as const,
    queryFn: async () => {
      const place = scopeQuery(DEFAULT_SEARCH)
      const counts = await Promise.all(queries.map((query) => glanceAt(org, place, query)))
      return Object.fromEntries(queries.map((query, index) => [query, counts[index] ?? null]))
    },
    placeholderData: keepPreviousData,
    retry: false,
  })
