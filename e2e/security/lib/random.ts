/** Random choices that a seed repeats. */
export interface Random {
  /** 0 ≤ n < 1 */
  next(): number
  /** 0 ≤ n < bound, whole */
  below(bound: number): number
  pick<Entry>(entries: readonly Entry[]): Entry
}

/** mulberry32: small, and the same on every machine. */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number): number => Math.floor(next() * bound)
  return {
    next,
    below,
    pick: (entries) => {
      const entry = entries[below(entries.length)]
      if (entry === undefined) throw new Error('there is nothing to pick from')
      return entry
    },
  }
}

/** `FIRSTHAND_SEED`, or one of the clock's. */
export const seedOf = (): number => {
  const given = Number(process.env['FIRSTHAND_SEED'] ?? '')
  return Number.isSafeInteger(given) && given > 0 ? given : Date.now() % 1_000_000_000
}
