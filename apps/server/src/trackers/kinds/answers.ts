/** Reading what trackers answer: it is theirs, and may be anything. */

export const fieldOf = (value: unknown, ...path: readonly (string | number)[]): unknown => {
  let at: unknown = value
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return undefined
    at = (at as Readonly<Record<string | number, unknown>>)[step]
  }
  return at
}

export const textOf = (value: unknown, ...path: readonly (string | number)[]): string => {
  const found = fieldOf(value, ...path)
  return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : ''
}

export const listOf = (value: unknown, ...path: readonly (string | number)[]): readonly unknown[] => {
  const found = fieldOf(value, ...path)
  return Array.isArray(found) ? found : []
}

/** JSON of a webhook; null for what is none. */
export const readJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    // Whoever has the secret can sign anything.
    return null
  }
}

/** Ids of tickets are numbers in most trackers. */
export const isNumber = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text)

/** Without a final slash. */
export const trimmed = (address: string): string => address.replace(/\/+$/, '')

/** The part of an address below a base; null when it is not below. */
export const pathBelow = (base: string, url: URL): readonly string[] | null => {
  const own = URL.parse(`${trimmed(base)}/`)
  if (own === null || own.origin !== url.origin || !url.pathname.startsWith(own.pathname)) return null
  return url.pathname
    .slice(own.pathname.length)
    .split('/')
    .filter((part) => part !== '')
}

export const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Whether a ticket is of a project or team, by what stands before its number: `SHOP-12`. */
export const isKeyOf = (place: string, key: string): boolean => key.slice(0, key.lastIndexOf('-')) === place
