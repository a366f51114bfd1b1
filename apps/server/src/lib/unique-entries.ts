/**
 * A map of what several parts declare.
 *
 * @param what how a message calls an entry, e.g. `rule of an item type`
 * @throws Error when two parts declare the same key: the later one would silently take the place of the earlier
 */
export const uniqueEntries = <Value>(what: string, entries: Iterable<readonly [string, Value]>): Map<string, Value> => {
  const joined = new Map<string, Value>()
  for (const [key, value] of entries) {
    if (joined.has(key)) throw new Error(`There are two declarations of the ${what} ${key}; there may be one.`)
    joined.set(key, value)
  }
  return joined
}
