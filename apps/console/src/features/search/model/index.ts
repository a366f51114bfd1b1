/** The language of searches, without the search bar. */
export {
  addFilter,
  chosenValues,
  filtersOf,
  isFilterFor,
  removeFilters,
  replaceFilters,
  valuesOf,
  withValues,
} from './edit.ts'
export { EVENT_KEYS, ISSUE_KEYS, type SearchKey } from './vocabulary.ts'
