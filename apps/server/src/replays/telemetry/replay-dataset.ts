import { MERGED_LATER } from '../../search/index.ts'
import { hidden, named, projectOf, text, timeOf, uuidOf, wordsOf } from '../../search/dataset-attributes.ts'
import type { Dataset, DatasetAttribute } from '../../search/index.ts'

/**
 * Segments of replays as questions of any kind see them: how many replays there were is `count_unique(replay)`, how often
 * somebody clicked in anger `sum(count_rage_clicks)`.
 */

const TABLE = 'replay_segments'

const word = wordsOf(TABLE)

const column = (name: string): string => `${TABLE}.${name}`

const counted = (name: string): DatasetAttribute => ({ sql: column(name), type: 'integer' })

/** By the first of what is known, as lists of replays call a visitor (`display_name`). */
const USER = ['name', 'email', 'id', 'ip'].map((name) => `nullIf(${column(`user_${name}`)}, '')`).join(', ')

/** All that a segment went through can be searched, and the first is shown. */
const ADDRESS: DatasetAttribute = {
  ...text(`${column('urls')}[1]`),
  search: { kind: 'list', sql: column('urls'), ignoreCase: true },
}

const WORDS = ['browser', 'os', 'sdk'].flatMap((of) =>
  ['name', 'version'].map((part) => [`${of}.${part}`, word(`${of}_${part}`)] as const),
)
const DEVICES = ['name', 'brand', 'model', 'family'].map((part) => [`device.${part}`, word(`device_${part}`)] as const)

/** In the words by which replays are searched. */
const ATTRIBUTES: ReadonlyMap<string, DatasetAttribute> = new Map<string, DatasetAttribute>([
  ...named(uuidOf(column('replay_id'), 'a replay'), 'replay', 'replay_id', 'replay.id'),
  ['segment', counted('segment_id')],
  ['replay_type', word('replay_type')],
  ['timestamp', timeOf(column('timestamp'))],
  ['observed_timestamp', timeOf(column('received'))],
  ...projectOf(TABLE),
  ['environment', word('environment')],
  ['release', word('release')],
  ['dist', word('dist')],
  ['platform', word('platform')],
  ...WORDS,
  ['browser', hidden(word('browser_name'))],
  ['os', hidden(word('os_name'))],
  ...DEVICES,
  ['user', text(`coalesce(${USER}, '')`)],
  ['user.id', text(column('user_id'))],
  ['user.email', text(column('user_email'))],
  ['user.username', text(column('user_name'))],
  ['user.ip', text(column('user_ip'))],
  ...named(ADDRESS, 'url', 'urls', 'screen', 'screens'),
  ['count_clicks', counted('clicks')],
  ['count_dead_clicks', counted('dead_clicks')],
  ['count_rage_clicks', counted('rage_clicks')],
  // What was reported beside that, or as a warning, is known of a whole replay alone.
  ['count_noted_errors', { sql: `length(${column('error_ids')})`, type: 'integer' }],
])

const NOT_HELD: ReadonlyMap<string, string> = new Map([
  [
    'count_errors',
    'Errors are counted of whole replays, in their list. Of parts of replays, count_noted_errors is how many errors the recorder saw.',
  ],
])

export const replaysDataset: Dataset = {
  names: [{ name: 'replays' }],
  itemType: 'replays',
  from: `${TABLE} FINAL`,
  settings: MERGED_LATER,
  organization: column('organization_id'),
  project: column('project_id'),
  environment: column('environment'),
  time: column('timestamp'),
  received: column('received'),
  id: { sql: column('id'), type: 'UUID' },
  attributes: ATTRIBUTES,
  notHeld: NOT_HELD,
  // Tags are all that is known by other names.
  maps: {
    strings: column('tags'),
    numbers: `CAST(map(), 'Map(String, Float64)')`,
    flags: `CAST(map(), 'Map(String, Bool)')`,
  },
  words: `lowerUTF8(arrayStringConcat(${column('urls')}, ' '))`,
  weight: '1',
}
