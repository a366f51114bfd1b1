/** What can be searched for among issues and events, and which store answers it. */
export {
  followMerges,
  isEventColumn,
  readEventColumn,
  standingIssue,
  USER_SHOWN,
  type EventColumn,
} from './event-columns.ts'
export { EVENT_FIELDS, findEventField } from './event-fields.ts'
export { isSearchKey } from './search-key.ts'
export {
  EVENT_TAGS,
  EVENT_WORDS,
  lookUpOfEvents,
  problemOfEvents,
  refusalOfEvents,
  toEventFilter,
  type EventFilterContext,
} from './event-filter.ts'
export {
  splitIssueSearch,
  type Assignee,
  type Bookmarker,
  type IssueCondition,
  type IssueSearch,
  type IssueState,
} from './issue-filter.ts'
