import { parseSearch } from '../search/index.ts'

const isAlternative = (search: string): boolean => {
  const parsed = parseSearch(search)
  return parsed.ok && parsed.value.root?.kind === 'or'
}

/** What all of these searches ask. One with OR stands in brackets: it would reach over the others. */
export const allOf = (...searches: readonly string[]): string => {
  const some = searches.filter((search) => search !== '')
  return some.length === 1
    ? some.join('')
    : some.map((search) => (isAlternative(search) ? `(${search})` : search)).join(' ')
}

/** What is asked besides `first`, with which the search begins; null where it does not. */
export const besides = (first: string, search: string): string | null => {
  if (search === first) return ''
  if (!search.startsWith(`${first} `) || isAlternative(search)) return null
  const rest = search.slice(first.length).trim()
  const within = rest.slice(1, -1)
  return rest.startsWith('(') && rest.endsWith(')') && isAlternative(within) ? within : rest
}
