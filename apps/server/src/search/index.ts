export { parseSearch } from './parse.ts'
export { isWildcard, textOf, type Pattern, type SearchError, type SearchNode, type SearchQuery } from './query.ts'
export { EVENT_FIELD_NAMES, findEventField, type EventField } from './event-fields.ts'
export { readEventColumn, type EventColumn } from './event-columns.ts'
export { MATCH_EVERYTHING, toEventFilter, toLike, type EventFilter, type EventFilterContext } from './event-filter.ts'
export {
  ISSUE_FIELD_NAMES,
  ISSUE_STATES,
  splitIssueSearch,
  type Assignee,
  type IssueCondition,
  type IssueSearch,
  type IssueState,
} from './issue-filter.ts'
export { parseDuration, parseTimeRange, type TimeRange } from './values.ts'
