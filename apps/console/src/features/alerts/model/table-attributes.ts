/** What tables are searched and grouped by that can be watched, and not explored. */

export type UnexploredName = 'replays' | 'sessions' | 'feedback' | 'check_ins'

type Attributes = readonly { readonly key: string; readonly hint: string }[]

const REPLAYS: Attributes = [
  { key: 'url', hint: 'an address that was visited' },
  { key: 'release', hint: 'of the page' },
  { key: 'project', hint: 'that it belongs to' },
  { key: 'user', hint: 'the visitor' },
  { key: 'user.email', hint: 'of the visitor' },
  { key: 'browser.name', hint: 'of the visitor' },
  { key: 'os.name', hint: 'of the visitor' },
  { key: 'device.name', hint: 'of the visitor' },
  { key: 'count_rage_clicks', hint: 'a number, of a part of a replay' },
  { key: 'count_dead_clicks', hint: 'a number, of a part of a replay' },
  { key: 'count_noted_errors', hint: 'a number, that the recorder saw in a part of a replay' },
]

const SESSIONS: Attributes = [
  { key: 'release', hint: 'of the program' },
  { key: 'environment', hint: 'in which it ran' },
  { key: 'project', hint: 'that it belongs to' },
]

const REPORTS: Attributes = [
  { key: 'message', hint: 'words of the visitor' },
  { key: 'url', hint: 'of the page' },
  { key: 'release', hint: 'of the page' },
  { key: 'environment', hint: 'of the page' },
  { key: 'project', hint: 'that it belongs to' },
  { key: 'screenshot', hint: 'has:screenshot, it came with a picture' },
  { key: 'replay', hint: 'has:replay, what happened before was recorded' },
  { key: 'user', hint: 'who wrote' },
  { key: 'user.email', hint: 'of who wrote' },
  { key: 'browser', hint: 'of who wrote' },
  { key: 'os', hint: 'of who wrote' },
  { key: 'source', hint: 'widget, api, user_report, error_page' },
]

const CHECK_INS: Attributes = [
  { key: 'monitor', hint: 'what runs, by its slug' },
  { key: 'status', hint: 'ok, error, missed, timeout or unknown' },
  { key: 'late', hint: 'late:true, it came after it was missed' },
  { key: 'environment', hint: 'in which it runs' },
  { key: 'release', hint: 'of the program' },
  { key: 'project', hint: 'that it belongs to' },
  { key: 'duration', hint: 'how long it took, as in duration:>5m' },
]

export const ATTRIBUTES: Readonly<Record<UnexploredName, Attributes>> = {
  replays: REPLAYS,
  sessions: SESSIONS,
  feedback: REPORTS,
  check_ins: CHECK_INS,
}

/** What nearly each row has another of: a group of each would be a list of all. */
const NO_GROUPS: ReadonlySet<string> = new Set(['message', 'replay', 'duration'])

export const isUnexplored = (name: string): name is UnexploredName => Object.hasOwn(ATTRIBUTES, name)

/** Numbers make no groups either. */
export const groupsOf = (name: UnexploredName): Attributes =>
  ATTRIBUTES[name].filter(({ key }) => !key.startsWith('count_') && !NO_GROUPS.has(key))
