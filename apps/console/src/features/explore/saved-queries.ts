import {
  createSavedQuery,
  deleteSavedQuery,
  listSavedQueries,
  type SavedQuery,
  updateSavedQuery,
} from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import { type ExploreSearch, fromUrl, toUrl } from './model/explore-search.ts'
import { readExploreUrl } from './model/explore-url.ts'

/** A question under a name. */
export interface Kept {
  readonly name: string
  readonly visibility: SavedQuery['visibility']
}

/** One's own questions and those that all share. */
export const savedQueriesQuery = (org: string) =>
  queryOptions({
    queryKey: [...organizationKeys.all(org), 'saved-queries'],
    queryFn: ({ signal }) => api.call(listSavedQueries, { params: { org }, query: {}, signal }),
  })

/** It is kept as the address says it; a box on the heat map is of one moment. */
const bodyOf = ({ name, visibility }: Kept, search: ExploreSearch) => ({
  name,
  visibility,
  query: { ...toUrl({ ...search, box: '' }) },
})

export const keepQuery = (org: string, kept: Kept, search: ExploreSearch): Promise<SavedQuery> =>
  api.call(createSavedQuery, { params: { org }, body: bodyOf(kept, search) })

export const changeQuery = (org: string, query: string, kept: Kept, search: ExploreSearch): Promise<SavedQuery> =>
  api.call(updateSavedQuery, { params: { org, query }, body: bodyOf(kept, search) })

export async function forgetQuery(org: string, query: string): Promise<void> {
  await api.call(deleteSavedQuery, { params: { org, query } })
}

/** What it asks, whoever kept it and however. */
export function searchOf({ query }: SavedQuery): ExploreSearch {
  return fromUrl(readExploreUrl(query))
}

/** The one that is on screen; one's own before one of somebody else. */
export function savedAs(saved: readonly SavedQuery[], search: ExploreSearch): SavedQuery | undefined {
  const shown = JSON.stringify(toUrl({ ...search, box: '' }))
  const same = saved.filter((one) => JSON.stringify(toUrl(searchOf(one))) === shown)
  return same.find(({ isOwn }) => isOwn) ?? same[0]
}
