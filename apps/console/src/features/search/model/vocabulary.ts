/** What the search bar can offer without asking the server: the keys that every project has, and fixed values. */

export interface SearchKey {
  readonly key: string
  readonly hint: string
  /** Fixed values; absent when they come from the events. */
  readonly values?: readonly SearchValue[]
  /** Compared as a number, a time or an age: `>`, `<` are offered. */
  readonly ordered?: boolean
}

export interface SearchValue {
  readonly value: string
  readonly hint?: string
}

export const ISSUE_KEYS: readonly SearchKey[] = [
  {
    key: 'is',
    hint: 'state of the issue',
    values: [
      { value: 'unresolved' },
      { value: 'resolved' },
      { value: 'archived' },
      { value: 'for_review', hint: 'new or regressed, not looked at' },
      { value: 'new', hint: 'first seen in the last 7 days' },
      { value: 'ongoing' },
      { value: 'regressed', hint: 'came back after it was resolved' },
      { value: 'escalating', hint: 'much more often than before' },
      { value: 'assigned' },
      { value: 'unassigned' },
    ],
  },
  {
    key: 'level',
    hint: 'how bad it is',
    values: [{ value: 'fatal' }, { value: 'error' }, { value: 'warning' }, { value: 'info' }, { value: 'debug' }],
  },
  { key: 'release', hint: 'its whole name, as in shop@1.2.0', values: [{ value: 'latest' }] },
  { key: 'release.version', hint: 'its number alone, as in >=1.2', ordered: true },
  { key: 'firstRelease', hint: 'release where the issue began', values: [{ value: 'latest' }] },
  { key: 'regressedIn', hint: 'release in which it came back', values: [{ value: 'latest' }] },
  { key: 'resolvedIn', hint: 'release in which it is resolved', values: [{ value: 'latest' }] },
  { key: 'environment', hint: 'where it ran' },
  { key: 'assigned', hint: 'me, nobody, a person or #team', values: [{ value: 'me' }, { value: 'none' }] },
  { key: 'bookmarks', hint: 'bookmarked by me, or by a person', values: [{ value: 'me' }] },
  { key: 'subscribed', hint: 'followed by me, or by a person', values: [{ value: 'me' }] },
  { key: 'user.email', hint: 'e-mail of the user' },
  { key: 'user.id', hint: 'id of the user' },
  { key: 'user.username', hint: 'name of the user' },
  { key: 'user.ip', hint: 'address of the user' },
  { key: 'error.type', hint: 'class of the error' },
  { key: 'error.value', hint: 'message of the error' },
  { key: 'error.mechanism', hint: 'how it was caught' },
  {
    key: 'error.unhandled',
    hint: 'nothing caught it',
    values: [{ value: 'true' }, { value: 'false' }],
  },
  { key: 'message', hint: 'message or title' },
  { key: 'title', hint: 'title of the event' },
  { key: 'transaction', hint: 'route or job' },
  { key: 'url', hint: 'address of the page or request' },
  { key: 'http.method', hint: 'method of the request' },
  { key: 'stack.filename', hint: 'file in the stack' },
  { key: 'stack.function', hint: 'function in the stack' },
  { key: 'stack.module', hint: 'module in the stack' },
  { key: 'browser', hint: 'browser and version' },
  { key: 'browser.name', hint: 'browser' },
  { key: 'os.name', hint: 'operating system' },
  { key: 'device.family', hint: 'device' },
  { key: 'platform', hint: 'language' },
  { key: 'sdk.name', hint: 'SDK that sent it' },
  { key: 'server_name', hint: 'machine' },
  { key: 'logger', hint: 'logger' },
  { key: 'dist', hint: 'build of the release' },
  { key: 'trace', hint: 'id of the trace' },
  { key: 'id', hint: 'id of the event' },
  { key: 'issue', hint: 'short id' },
  { key: 'has', hint: 'the event has this tag' },
  { key: 'timesSeen', hint: 'number of events, as in >100', ordered: true },
  { key: 'firstSeen', hint: 'age, as in -24h or +7d', ordered: true, values: ages() },
  { key: 'lastSeen', hint: 'age, as in -24h or +7d', ordered: true, values: ages() },
  { key: 'age', hint: 'since first seen, as in -24h', ordered: true, values: ages() },
  {
    key: 'issue.priority',
    hint: 'priority',
    values: [{ value: 'high' }, { value: 'medium' }, { value: 'low' }],
  },
  {
    key: 'issue.type',
    hint: 'error, default, csp …',
    values: [{ value: 'error' }, { value: 'default' }, { value: 'csp' }],
  },
]

/** Keys about the issue make no sense when one looks for events inside one issue. */
const ISSUE_ONLY = new Set([
  'is',
  'assigned',
  'bookmarks',
  'subscribed',
  'firstRelease',
  'regressedIn',
  'resolvedIn',
  'issue',
  'timesSeen',
  'firstSeen',
  'lastSeen',
  'age',
  'issue.priority',
  'issue.type',
])

export const EVENT_KEYS: readonly SearchKey[] = ISSUE_KEYS.filter((key) => !ISSUE_ONLY.has(key.key))

function ages(): readonly SearchValue[] {
  return [
    { value: '-1h', hint: 'in the last hour' },
    { value: '-24h', hint: 'in the last 24 hours' },
    { value: '-7d', hint: 'in the last 7 days' },
    { value: '+7d', hint: 'more than 7 days ago' },
  ]
}
