import { DEFAULT_SEARCH, type StreamSearch } from '../model/stream-search.ts'

/** New issues, and those that came back or escalate: the most urgent first. */
export const REVIEW_SEARCH: StreamSearch = { ...DEFAULT_SEARCH, query: 'is:unresolved is:for_review', sort: 'priority' }
