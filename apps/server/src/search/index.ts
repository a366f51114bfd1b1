export { parseSearch } from './parse.ts'
export { isWildcard, textOf, type Pattern, type SearchError, type SearchNode, type SearchQuery } from './query.ts'
export { findEventField, type EventField } from './event-fields.ts'
export { followMerges, readEventColumn, type EventColumn } from './event-columns.ts'
export { toEventFilter, toLike, type EventFilter, type EventFilterContext } from './event-filter.ts'
export {
  splitIssueSearch,
  type Assignee,
  type Bookmarker,
  type IssueCondition,
  type IssueSearch,
  type IssueState,
} from './issue-filter.ts'
export { parseDuration, type TimeRange } from './values.ts'
