import type { ExploreSearch } from './explore-search.ts'

interface Table {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** How many were counted, for each row. */
  readonly samples: readonly Readonly<Record<string, number>>[]
}

/** Without groups there is always one row; when nothing was found, nothing is counted in it. */
export function isNothing(
  { rows: [only], samples }: Table,
  { show, group, visualise }: Pick<ExploreSearch, 'show' | 'group' | 'visualise'>,
): boolean {
  if (only === undefined) return true
  // A gauge may be 0.
  if (Object.values(samples[0] ?? {}).some((count) => count > 0)) return false
  return show === 'groups' && group.length === 0 && visualise.every((one) => !only[one])
}
