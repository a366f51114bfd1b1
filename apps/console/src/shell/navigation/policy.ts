/** The numbers of navigation (specification.md 1, "console's page data"). They stand nowhere else. */

/** Prefetched data of dynamic pages lives this long: shown at once, revalidated behind. */
export const PREFETCH_TTL = 3600
export const PREFETCH_TTL_MS = PREFETCH_TTL * 1000

/** Prefetches at a time. */
export const MAX_PREFETCHES = 5

/** A route that does not load within this time falls back to a full page load. Milliseconds. */
export const ROUTE_TIMEOUT = 3800

/** Data younger than this is not fetched again when its screen opens: it was fetched for that very opening. */
export const JUST_FETCHED_MS = 2000

/** Rest of the pointer on a link before it is prefetched. */
export const INTENT_DELAY_MS = 50

/**
 * For screens with a search in their address: a new search must never exchange the screen for an outline, as the search
 * field would lose the focus.
 */
export const PENDING_AFTER_SEARCH_MS = 2000
