/** A search beyond these is refused before anything is asked of a store. */
export const SEARCH_BOUNDS = {
  /** Of the whole text, in UTF-16 code units. */
  characters: 2000,
  terms: 50,
  /** Nested parentheses. */
  depth: 10,
  /** Values of `key:[a,b,…]`. */
  listValues: 100,
} as const
