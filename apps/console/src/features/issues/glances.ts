import { COUNTED_ISSUES, countIssues } from '@firsthand/contract'
import { api } from '../../lib/api.ts'
import { createGlances } from './model/glances.ts'
import type { scopeQuery } from './model/stream-search.ts'

/** Where and when a search is asked, without its words. */
type Place = ReturnType<typeof scopeQuery>

const glances = createGlances<Place>(({ org, place, queries }) =>
  api.call(countIssues, { params: { org }, query: { ...place, query: [...queries], upTo: COUNTED_ISSUES } }),
)

/**
 * How many issues a search finds, up to `COUNTED_ISSUES`; null for one that cannot be asked. The side bar, its views and the
 * tabs of the list ask at the same time, and mostly the same: they are answered together.
 */
export const glanceAt = (org: string, place: Place, query: string): Promise<number | null> =>
  glances({ org, place, query })
