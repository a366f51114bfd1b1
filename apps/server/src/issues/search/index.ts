/** What can be searched for among issues and events, and which store answers it. */
export { followMerges, readEventColumn, type EventColumn } from './event-columns.ts'
export { findEventField } from './event-fields.ts'
export { isSearchKey } from './search-key.ts'
export { toEventFilter } from './event-filter.ts'
export {
  splitIssueSearch,
  type Assignee,
  type Bookmarker,
  type IssueCondition,
  type IssueSearch,
  type IssueState,
} from './issue-filter.ts'
