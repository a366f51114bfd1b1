import {
  type SavedSearch,
  createSavedSearch,
  deleteSavedSearch,
  ISSUE_SORTS,
  listSavedSearches,
  updateSavedSearch,
} from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'

import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import { DEFAULT_SEARCH, type IssueSort, type StreamSearch } from './model/stream-search.ts'

/** What somebody keeps of a search: its words and its order, not the project and the time it was made in. */
export interface Kept {
  readonly name: string
  readonly query: string
  readonly sort: IssueSort
  readonly visibility: SavedSearch['visibility']
}

/** One's own searches and those that all share, by name. */
export const savedSearchesQuery = (org: string) =>
  queryOptions({
    queryKey: [...organizationKeys.all(org), 'saved-searches'],
    queryFn: ({ signal }) => api.call(listSavedSearches, { params: { org }, signal }),
  })

export const keepSearch = (org: string, body: Kept): Promise<SavedSearch> =>
  api.call(createSavedSearch, { params: { org }, body })

export const changeSearch = (org: string, search: string, body: Kept): Promise<SavedSearch> =>
  api.call(updateSavedSearch, { params: { org, search }, body })

export async function forgetSearch(org: string, search: string): Promise<void> {
  await api.call(deleteSavedSearch, { params: { org, search } })
}

export function keptOf({ name, query, visibility, sort }: SavedSearch): Kept {
  return { name, query, visibility, sort: ISSUE_SORTS.find((known) => known === sort) ?? DEFAULT_SEARCH.sort }
}

/** The saved search that is on screen; one's own before a shared one. */
export function savedAs(saved: readonly SavedSearch[], { query, sort }: StreamSearch): SavedSearch | undefined {
  const same = saved.filter((search) => search.query === query && search.sort === sort)
  return same.find(({ visibility }) => visibility === 'owner') ?? same[0]
}
