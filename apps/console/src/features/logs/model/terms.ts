import { chosenValues, withValues } from '../../search/model/index.ts'

/** What the facets change of a search, as `level:[error,warn]`: adds the value to those that are asked for, or takes it out. */
export function toggleValue(query: string, key: string, value: string): string {
  const chosen = chosenValues(query, key)
  return withValues(query, key, chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value])
}
