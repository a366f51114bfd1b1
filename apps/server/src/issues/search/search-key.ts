import { isEventField } from './event-fields.ts'
import { isIssueField } from './issue-keys.ts'

/** Whether a name is certainly meant as a key of a search for issues or events; other names may be tags. */
export const isSearchKey = (name: string): boolean => name === 'has' || isEventField(name) || isIssueField(name)
