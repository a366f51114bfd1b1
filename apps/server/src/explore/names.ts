import type { Column } from './columns.ts'
import type { Row } from './explore.view.ts'
import type { Scope } from './question.ts'
import type { ExploreServices } from './scope.ts'

/** Of an id that nobody knows any more. */
const UNKNOWN = 'unknown'

/** Rows with names in place of the ids that only the capability of the dataset can name. */
export const withNames = async (
  { ask }: Pick<ExploreServices, 'ask'>,
  { dataset: { namesOf }, organizationId }: Pick<Scope, 'dataset' | 'organizationId'>,
  columns: readonly Pick<Column, 'lookup'>[],
  rows: readonly Row[],
): Promise<readonly Row[]> => {
  const places = new Set(columns.flatMap(({ lookup }, place) => (lookup === 'named' ? [place] : [])))
  if (namesOf === undefined || places.size === 0 || rows.length === 0) return rows
  const ids = new Set(rows.flatMap((row) => row.filter((_, place) => places.has(place)).map(Number)))
  const names = await ask(namesOf, { organizationId, ids: [...ids] })
  return rows.map((row) => row.map((value, place) => (places.has(place) ? nameOf(value, names) : value)))
}

const nameOf = (id: unknown, names: ReadonlyMap<number, string>): string | null =>
  id === null || id === undefined ? null : (names.get(Number(id)) ?? UNKNOWN)
