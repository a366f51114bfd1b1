export { type ToldOfChange, useIssueActions, useIssueMarks } from './actions.ts'
export { AssigneePicker, AssigneePickerAt } from './components/AssigneePicker.tsx'
export { DeleteIssuesDialog } from './components/DeleteIssuesDialog.tsx'
export { ScopeBar } from './components/ScopeBar.tsx'
export {
  ARCHIVE,
  ARCHIVE_FOREVER,
  ArchiveItems,
  REOPEN,
  RESOLVE,
  RESOLVE_IN_NEXT,
  ResolveItems,
  type StatusChoice,
} from './components/StatusMenus.tsx'
export { WiderPeriod } from './components/WiderPeriod.tsx'
export { PeriodSelect } from './components/PeriodSelect.tsx'
export { rememberRow } from './last-row.ts'
export { environmentsQuery, streamQuery } from './queries.ts'
