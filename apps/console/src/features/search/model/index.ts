/** The language of searches, without the search bar. */
export { addFilter, filtersOf, isFilterFor, removeFilters, replaceFilters, valuesOf } from './edit.ts'
export { EVENT_KEYS, ISSUE_KEYS, type SearchKey } from './vocabulary.ts'
