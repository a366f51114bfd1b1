import { countIssues } from '@firsthand/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { api } from '../../../lib/api.ts'
import { issueKeys } from '../model/keys.ts'
import { DEFAULT_SEARCH, type StreamSearch } from '../model/stream-search.ts'
import type { Kept } from '../saved-searches.ts'

/** What a view opens: its words and its order, in the projects and the time that nobody chose otherwise. */
export const searchOfView = ({ query, sort }: Kept): StreamSearch => ({ ...DEFAULT_SEARCH, query, sort })

/** How many issues each search finds as its view opens it. Live messages about issues make it old, as they do the lists. */
export const viewCountsQuery = (org: string, queries: readonly string[]) =>
  queryOptions({
    queryKey: [...issueKeys.lists(org), 'view-counts', queries] as const,
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, number>> => {
      const count = (asked: readonly string[]): Promise<Readonly<Record<string, number>>> =>
        api.call(countIssues, {
          params: { org },
          query: { query: [...asked], statsPeriod: DEFAULT_SEARCH.statsPeriod },
          signal,
        })
      const all = await count(queries).catch(() => null)
      if (all !== null) return new Map(Object.entries(all))
      // One of them is not answered any more, e.g. as its project is gone: the others are.
      const each = await Promise.all(queries.map((query) => count([query]).catch(() => ({}))))
      return new Map(each.flatMap((answer) => Object.entries(answer)))
    },
    placeholderData: keepPreviousData,
    retry: false,
  })
