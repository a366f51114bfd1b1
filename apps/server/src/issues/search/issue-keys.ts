/** Keys of a search that are asked of issues, and so answered by the ledger. */

/** Names of the keys that the ledger answers. */
export const ISSUE_FIELD_NAMES: readonly string[] = [
  'is',
  'assigned',
  'bookmarks',
  'subscribed',
  'issue',
  'issue.id',
  'issue.priority',
  'issue.category',
  'issue.type',
  'project',
  'timesSeen',
  'firstSeen',
  'lastSeen',
  'age',
  'firstRelease',
  'regressedIn',
  'resolvedIn',
]

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['assigned_to', 'assigned'],
  ['subscribed_by', 'subscribed'],
  ['bookmarked_by', 'bookmarks'],
  ['assigned_or_suggested', 'assigned'],
  ['times_seen', 'timesSeen'],
  ['first_seen', 'firstSeen'],
  ['first-seen', 'firstSeen'],
  ['last_seen', 'lastSeen'],
  ['last-seen', 'lastSeen'],
  ['first-release', 'firstRelease'],
  ['first_release', 'firstRelease'],
  ['project.name', 'project'],
  ['priority', 'issue.priority'],
])

/** The ledger's name of a key; null when events answer it. */
export const issueFieldName = (key: string): string | null => {
  const name = ALIASES.get(key) ?? key
  return ISSUE_FIELD_NAMES.includes(name) ? name : null
}

/** Whether a search says it of issues, by whatever name. */
export const isIssueField = (key: string): boolean => issueFieldName(key) !== null || key === 'status'

/** Events know the first three; the others are good names for a tag. */
const OF_EVENTS_TOO: ReadonlySet<string> = new Set(['issue', 'issue.id', 'project', 'age', 'priority'])

/** Whether only issues can be asked for it, so that a search for events must not take it for a tag that nobody sends. */
export const isIssueKey = (key: string): boolean => {
  const name = issueFieldName(key)
  return name !== null && !OF_EVENTS_TOO.has(name) && !OF_EVENTS_TOO.has(key)
}
