/**
 * Of things that stand below each other: what the nearest one that knows it says, the thing itself included; null when none
 * of those above that are there knows it. Without recursion, and each thing is visited once, however many are asked for.
 */
export const createNearestAbove = <Thing, Value>(parts: {
  readonly keyOf: (thing: Thing) => string
  readonly above: (thing: Thing) => Thing | undefined
  readonly valueOf: (thing: Thing) => Value | null
}): ((thing: Thing) => Value | null) => {
  const { keyOf, above, valueOf } = parts
  /** By key; null for what nobody above knows, or that stands above itself. */
  const known = new Map<string, Value | null>()
  return (thing) => {
    const path: string[] = []
    let found: Value | null = null
    for (let at: Thing | undefined = thing; at !== undefined; at = above(at)) {
      const key = keyOf(at)
      const before = known.get(key)
      found = before === undefined ? valueOf(at) : before
      if (before !== undefined || found !== null) break
      // Who comes back here goes in a circle, and stops.
      known.set(key, null)
      path.push(key)
    }
    if (found !== null) for (const key of path) known.set(key, found)
    return found
  }
}
