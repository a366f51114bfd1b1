import { COUNTED_ISSUES, countIssues } from '@firsthand/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { api } from '../../../lib/api.ts'
import { issueKeys } from '../model/keys.ts'
import { DEFAULT_SEARCH, type StreamSearch } from '../model/stream-search.ts'
import type { Kept } from '../saved-searches.ts'

/** What a view opens: its words and its order, in the projects and the time that nobody chose otherwise. */
export const searchOfView = ({ query, sort }: Kept): StreamSearch => ({ ...DEFAULT_SEARCH, query, sort })

/** How many issues each search finds as its view opens it, up to `COUNTED_ISSUES`; null for one that cannot be asked any more. */
export const viewCountsQuery = (org: string, queries: readonly string[]) =>
  queryOptions({
    queryKey: [...issueKeys.viewCounts(org), queries] as const,
    queryFn: ({ signal }) =>
      api.call(countIssues, {
        params: { org },
        query: { query: [...queries], statsPeriod: DEFAULT_SEARCH.statsPeriod, upTo: COUNTED_ISSUES },
        signal,
      }),
    placeholderData: keepPreviousData,
    retry: false,
  })
