import { listTagValuesOfOrganization, listTags } from '@firsthand/contract'
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

const searchKey = (scope: SearchScope) => [...organizationKeys.all(scope.org), 'search', scope.project] as const

const tagKeysQuery = (scope: SearchScope) =>
  queryOptions({
    queryKey: [...searchKey(scope), 'keys'],
    queryFn: ({ signal }) =>
      api.call(listTags, { params: { org: scope.org }, query: { project: [...scope.project] }, signal }),
    staleTime: STALE_AFTER_MS,
    refetchOnMount: true,
  })

const tagValuesQuery = (scope: SearchScope, key: string, typed: string) =>
  queryOptions({
    queryKey: [...searchKey(scope), 'values', key, typed],
    queryFn: ({ signal }) =>
      api.call(listTagValuesOfOrganization, {
        params: { org: scope.org, key },
        query: { query: typed, project: [...scope.project], limit: VALUES },
        signal,
      }),
    staleTime: STALE_AFTER_MS,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    // Completion is a help: when it fails there is none, and typing goes on.
    retry: false,
  })

/** Most frequent first. */
export function useTagKeys(scope: SearchScope, enabled: boolean): readonly string[] {
  const { data } = useQuery({ ...tagKeysQuery(scope), enabled, retry: false })
  return data?.toSorted((a, b) => b.totalValues - a.totalValues).map((tag) => tag.key) ?? []
}

export function useTagValues(
  scope: SearchScope,
  key: string,
  typed: string,
  enabled: boolean,
): readonly (SearchValue & { readonly count: number })[] {
  const wanted = useDeferredValue(typed.replaceAll('*', ''))
  const { data } = useQuery({ ...tagValuesQuery(scope, key, wanted), enabled })
  if (!enabled) return []
  return data?.filter((entry) => entry.key === key).map((entry) => ({ value: entry.value, count: entry.count })) ?? []
}
