/** The language of searches, without the search bar. */
export { addFilter, filtersOf, removeFilters, replaceFilters } from './edit.ts'
export { EVENT_KEYS, ISSUE_KEYS } from './vocabulary.ts'
