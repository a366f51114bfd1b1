/** What replays are searched and grouped by, where they are counted. */
export const REPLAY_ATTRIBUTES: readonly { readonly key: string; readonly hint: string }[] = [
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

/** Numbers make no groups. */
export const REPLAY_GROUPS = REPLAY_ATTRIBUTES.filter(({ key }) => !key.startsWith('count_'))
