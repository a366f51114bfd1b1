/**
 * Looks for many words in a text at once (Aho and Corasick's way): each character of the text is looked at about once,
 * however many words there are, how long they are, and however much the text resembles them. A regular expression of the
 * same words begins anew for each word at each character.
 */
export interface WordFinder {
  /** The first of the list that is anywhere in the text: its index, or -1. */
  first(text: string): number
  /** True when any is. */
  isIn(text: string): boolean
}

/** Characters whose class stands in a table; those beyond are looked up one by one. */
const ASCII = 128
/** Of a table with the next state for every state and class: 2 MB. Longer lists of words are followed step by step. */
const TABLE_ENTRIES = 2 ** 20
const STATES = 2 ** 16

/**
 * @param words empty ones are not looked for
 * @param fold what a UTF-16 unit is compared as, e.g. without its case; as it is when not given
 */
export const createWordFinder = (
  words: readonly string[],
  fold: (unit: number) => number = (unit) => unit,
): WordFinder => {
  const folded = words.map((word) => Array.from({ length: word.length }, (_, index) => fold(word.charCodeAt(index))))
  /** By folded unit. 0 is the class of all that is in no word. */
  const classes = new Map<number, number>()
  for (const units of folded) for (const unit of units) if (!classes.has(unit)) classes.set(unit, classes.size + 1)
  const width = classes.size + 1
  const asciiClasses = Uint16Array.from({ length: ASCII }, (_, unit) => classes.get(fold(unit)) ?? 0)
  /** From `state * width + class` to the state behind it; 0 is the state in which nothing has been found. */
  const next = new Map<number, number>()
  const NOT_FOUND = words.length
  /** By state: the lowest index of the words that end there. */
  const found = [NOT_FOUND]
  for (const [index, units] of folded.entries()) {
    let state = 0
    for (const unit of units) {
      const key = state * width + (classes.get(unit) ?? 0)
      let after = next.get(key)
      if (after === undefined) {
        after = found.length
        found.push(NOT_FOUND)
        next.set(key, after)
      }
      state = after
    }
    if (units.length > 0) found[state] = Math.min(found[state] ?? NOT_FOUND, index)
  }

  /** By state: the state of the longest ending of its text that is the beginning of a word as well. */
  const fallback = new Uint32Array(found.length)
  const step = (from: number, of: number): number => {
    let state = from
    for (;;) {
      const after = next.get(state * width + of)
      if (after !== undefined) return after
      if (state === 0) return 0
      state = fallback[state] ?? 0
    }
  }
  // By levels: what a state falls back to is nearer to the root.
  const isSmall = found.length < STATES && found.length * width <= TABLE_ENTRIES
  /** The same as `step`, worked out for all. */
  const table = isSmall ? new Uint16Array(found.length * width) : null
  for (const [key, child] of next) if (table !== null && key < width) table[key] = child
  let level = [...next].filter(([key]) => key < width).map(([, state]) => state)
  const children = Map.groupBy(next, ([key]) => Math.floor(key / width))
  while (level.length > 0) {
    const below: number[] = []
    for (const state of level) {
      const back = (fallback[state] ?? 0) * width
      table?.copyWithin(state * width, back, back + width)
      for (const [key, child] of children.get(state) ?? []) {
        if (table !== null) table[key] = child
        const target = step(fallback[state] ?? 0, key % width)
        fallback[child] = target
        found[child] = Math.min(found[child] ?? NOT_FOUND, found[target] ?? NOT_FOUND)
        below.push(child)
      }
    }
    level = below
  }

  const find = (text: string, any: boolean): number => {
    let best = NOT_FOUND
    let state = 0
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index)
      const of = (unit < ASCII ? asciiClasses[unit] : classes.get(fold(unit))) ?? 0
      state = (table === null ? (of === 0 ? 0 : step(state, of)) : table[state * width + of]) ?? 0
      const here = found[state] ?? NOT_FOUND
      if (here < best) {
        best = here
        if (any || best === 0) break
      }
    }
    return best === NOT_FOUND ? -1 : best
  }
  return { first: (text) => find(text, false), isIn: (text) => width > 1 && find(text, true) >= 0 }
}

/** As a regular expression with the flag `i` compares: a plain letter never equals one that is not. */
export const withoutCase = (unit: number): number => {
  if (unit < 0x80) return unit >= 0x61 && unit <= 0x7a ? unit - 0x20 : unit
  let upper = upperCase.get(unit)
  if (upper === undefined) {
    const text = String.fromCharCode(unit).toUpperCase()
    const code = text.charCodeAt(0)
    upper = text.length === 1 && code >= 0x80 ? code : unit
    upperCase.set(unit, upper)
  }
  return upper
}

const upperCase = new Map<number, number>()
