/**
 * Search parameters as people and Sentry's links write them: plain texts (`?query=is:unresolved&project=1&project=2`),
 * not JSON. A repeated key is a list; every route's `validateSearch` decides what the texts mean.
 */
export function parseSearch(search: string): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>
  for (const [key, value] of new URLSearchParams(search)) {
    const known = result[key]
    result[key] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value]
  }
  return { ...result }
}

/** One parameter as text; '' where it is none, or a list. */
export function urlText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** More than any search may have: what is too long stays so, and is refused in words in place of being asked without its end. */
const SEARCH_CHARACTERS = 2500

/** A search in an address. */
export function urlQuery(value: unknown): string {
  return urlText(value).slice(0, SEARCH_CHARACTERS)
}

/** The opposite of `parseSearch`. Undefined and null are left out. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(search)) {
    for (const entry of Array.isArray(value) ? value : [value]) {
      if (entry !== undefined && entry !== null) params.append(key, String(entry))
    }
  }
  // These characters may stand as they are in a query, and read better so.
  const text = params
    .toString()
    .replaceAll('%3A', ':')
    .replaceAll('%2F', '/')
    .replaceAll('%40', '@')
    .replaceAll('%2C', ',')
  return text === '' ? '' : `?${text}`
}
