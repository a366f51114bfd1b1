/**
 * Remembers the results of a pure function of one string. When it is full, the older half of what was remembered is
 * forgotten unless it was asked for since (two generations: as good as an LRU here, and cheaper).
 *
 * Inputs longer than `maxChars` are computed each time, so that hostile input cannot fill the memory.
 */
export const memoise = <Value>(
  compute: (input: string) => Value,
  maxEntries: number,
  maxChars: number,
): ((input: string) => Value) => {
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  return (input) => {
    const known = young.get(input)
    if (known !== undefined) return known
    if (input.length > maxChars) return compute(input)
    const value = old.get(input) ?? compute(input)
    if (young.size >= maxEntries / 2) {
      old = young
      young = new Map()
    }
    young.set(input, value)
    return value
  }
}
