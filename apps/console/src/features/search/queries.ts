import { listTagValuesOfOrganization, listTags, queryEvents, type QueryInput } from '@firsthand/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'

import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import type { SearchValue } from './model/vocabulary.ts'

/** Whose tags and values complete a search. */
export interface SearchScope {
  readonly org: string
  /** Project ids; none means all. */
  readonly project: readonly string[]
}

/** New tags may take this long to be offered. */
const STALE_AFTER_MS = 60_000
const VALUES = 12

/** Where keys and values that can be offered come from. */
export interface SearchCompletions {
  /** What they are of: others may have the same names. */
  readonly of: string
  /** Most frequent first. */
  readonly keys: (scope: SearchScope, signal: AbortSignal) => Promise<readonly string[]>
  readonly values: (
    scope: SearchScope,
    key: string,
    typed: string,
    signal: AbortSignal,
  ) => Promise<readonly (SearchValue & { readonly count: number })[]>
}

/** Tags of events. */
export const TAG_COMPLETIONS: SearchCompletions = {
  of: 'tags',
  async keys({ org, project }, signal) {
    const tags = await api.call(listTags, { params: { org }, query: { project: [...project] }, signal })
    return tags.toSorted((a, b) => b.totalValues - a.totalValues).map((tag) => tag.key)
  },
  async values({ org, project }, key, typed, signal) {
    const found = await api.call(listTagValuesOfOrganization, {
      params: { org, key },
      query: { query: typed, project: [...project], limit: VALUES },
      signal,
    })
    return found.map(({ value, count }) => ({ value, count }))
  },
}

const searchKey = (scope: SearchScope, { of }: SearchCompletions) =>
  [...organizationKeys.all(scope.org), 'search', of, scope.project] as const

const keysQuery = (scope: SearchScope, completions: SearchCompletions) =>
  queryOptions({
    queryKey: [...searchKey(scope, completions), 'keys'],
    queryFn: ({ signal }) => completions.keys(scope, signal),
    staleTime: STALE_AFTER_MS,
    refetchOnMount: true,
    retry: false,
  })

const valuesQuery = (scope: SearchScope, completions: SearchCompletions, key: string, typed: string) =>
  queryOptions({
    queryKey: [...searchKey(scope, completions), 'values', key, typed],
    queryFn: async ({ signal }) => ({ key, values: await completions.values(scope, key, typed, signal) }),
    staleTime: STALE_AFTER_MS,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    // Completion is a help: when it fails there is none, and typing goes on.
    retry: false,
  })

export function useSearchKeys(scope: SearchScope, completions: SearchCompletions, enabled: boolean): readonly string[] {
  const { data } = useQuery({ ...keysQuery(scope, completions), enabled })
  return data ?? []
}

export function useSearchValues(
  scope: SearchScope,
  completions: SearchCompletions,
  { key, typed }: { readonly key: string; readonly typed: string },
  enabled: boolean,
): readonly (SearchValue & { readonly count: number })[] {
  const wanted = useDeferredValue(typed.replaceAll('*', ''))
  const { data } = useQuery({ ...valuesQuery(scope, completions, key, wanted), enabled })
  return enabled && data?.key === key ? data.values : []
}

/** Whose rows, of which time, a search was asked of. */
export type TipsScope = Pick<
  QueryInput<typeof queryEvents>,
  'dataset' | 'project' | 'environment' | 'statsPeriod' | 'start' | 'end'
>

/** The server looks for the reason when it finds nothing itself. */
export const tipsQuery = (org: string, scope: TipsScope, query: string) =>
  queryOptions({
    queryKey: [...organizationKeys.all(org), 'search', 'tips', scope, query],
    queryFn: async ({ signal }) => {
      const asked = { ...scope, query, field: ['id'], per_page: 1 }
      const { meta } = await api.call(queryEvents, { params: { org }, query: asked, signal })
      return meta.tips?.query ?? null
    },
    staleTime: STALE_AFTER_MS,
    // It is a help: without it the list still says that nothing matches.
    retry: false,
  })
