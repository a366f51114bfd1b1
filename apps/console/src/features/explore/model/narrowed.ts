import { formatFilter } from '@firsthand/search-syntax'
import { addFilter } from '../../search/model/index.ts'
import { plainText } from './values.ts'

/** The search, with a condition that only rows with this value fulfil. */
export function narrowed(query: string, key: string, value: unknown): string {
  if (value !== null && value !== undefined && value !== '') return addFilter(query, key, plainText(value))
  const without = formatFilter('has', key, true)
  return query.includes(without) ? query : `${query} ${without}`.trim()
}
