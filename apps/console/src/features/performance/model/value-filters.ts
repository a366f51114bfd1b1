import { chosenValues } from '../../search/model/index.ts'

/** By which attributes of their roots transactions are filtered without typing. */
export interface ValueFilterChoice {
  readonly field: string
  readonly label: string
  /** What stands there while none is chosen, and when several are: "All releases", "3 releases". */
  readonly all: string
  readonly many: string
}

export const VALUE_FILTERS: readonly ValueFilterChoice[] = [
  { field: 'release', label: 'Releases', all: 'All releases', many: 'releases' },
  { field: 'span.op', label: 'Operations', all: 'All operations', many: 'operations' },
]

/** How many of them are set. */
export const activeValueFilters = (query: string): number =>
  VALUE_FILTERS.filter(({ field }) => chosenValues(query, field).length > 0).length
