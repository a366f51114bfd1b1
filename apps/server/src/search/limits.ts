import { SEARCH_BOUNDS } from '@firsthand/search-syntax'

/** Limits of a search, and of what is drawn over its time. */
export const LIMITS = {
  /** A search, before it is parsed. */
  SEARCH_CHARACTERS: SEARCH_BOUNDS.characters,
  SEARCH_TERMS: SEARCH_BOUNDS.terms,
  /** Nested parentheses of a search. */
  SEARCH_DEPTH: SEARCH_BOUNDS.depth,
  /** Values of `key:[a,b,…]`. */
  SEARCH_LIST_VALUES: SEARCH_BOUNDS.listValues,
  /** Rows that are read at once of columns whose values are as large as their senders made them. */
  MAP_BLOCK_ROWS: 64,
  SPARKLINE_BUCKETS: 48,
  CHART_BUCKETS: 300,
} as const
