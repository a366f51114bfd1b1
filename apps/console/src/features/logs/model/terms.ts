import { formatValue } from '@firsthand/search-syntax'

import { filtersOf, isFilterFor, removeFilters, valuesOf } from '../../search/model/index.ts'

/** What the facets say and change of a search: `level:[error,warn]`. */

/** Values of a key that the search asks for. */
export function chosenValues(query: string, key: string): readonly string[] {
  return filtersOf(query)
    .filter((token) => isFilterFor(token, key) && !token.negated && token.operator === '=')
    .flatMap(valuesOf)
}

/** Adds the value to those that are asked for, or takes it out. */
export function toggleValue(query: string, key: string, value: string): string {
  const chosen = chosenValues(query, key)
  const next = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]
  const rest = removeFilters(query, (token) => isFilterFor(token, key) && !token.negated && token.operator === '=')
  if (next.length === 0) return rest
  const name = /^[\w.-]+$/.test(key) ? key : `"${key.replaceAll('"', '')}"`
  const values = next.map(formatValue)
  const term = values.length === 1 ? `${name}:${values[0]}` : `${name}:[${values.join(',')}]`
  return rest === '' ? term : `${rest} ${term}`
}
