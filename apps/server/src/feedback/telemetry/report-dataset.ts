import { MERGED_LATER } from '../../search/index.ts'
import { named, projectOf, text, timeOf, uuidOf, wordsOf } from '../../search/dataset-attributes.ts'
import type { Dataset, DatasetAttribute } from '../../search/index.ts'

/**
 * Reports of visitors as questions of any kind see them: each that was not held for spam, when it came and as it came.
 * What becomes of one in the inbox changes no number.
 */

const TABLE = 'feedback_reports'

const word = wordsOf(TABLE)

const column = (name: string): string => `${TABLE}.${name}`

const ignoringCase = (name: string): DatasetAttribute => ({
  ...text(column(name)),
  search: { kind: 'text', sql: column(name), ignoreCase: true },
})

const MESSAGE: DatasetAttribute = {
  ...text(column('message')),
  search: { kind: 'words', sql: column('message') },
}

/** In the words by which things that happen to reports are searched. */
const ATTRIBUTES: ReadonlyMap<string, DatasetAttribute> = new Map<string, DatasetAttribute>([
  ...named(uuidOf(column('id'), 'a report'), 'id', 'report'),
  ['timestamp', timeOf(column('received'))],
  ...projectOf(TABLE),
  ['environment', word('environment')],
  ['release', word('release')],
  ['source', word('source')],
  ['message', MESSAGE],
  ...named(ignoringCase('url'), 'url', 'http.url'),
  ...named(word('browser'), 'browser', 'browser.name'),
  ...named(word('os'), 'os', 'os.name'),
  ['user', text(column('user'))],
  ['user.email', ignoringCase('user_email')],
  ['attachments', { sql: `nullIf(toInt64(${column('attachments')}), 0)`, type: 'integer' }],
  // A visitor's files are pictures of the page, nearly always: `has:screenshot`.
  ['screenshot', { sql: `if(${column('attachments')} > 0, true, NULL)`, type: 'boolean' }],
  ...named(uuidOf(column('replay_id'), 'a replay'), 'replay', 'replay_id'),
  ...named(uuidOf(column('trace_id'), 'a trace'), 'trace', 'trace_id'),
])

const STATE = 'It changes after the report came, and alerts count what comes. Search for what came with it.'

const NOT_HELD: ReadonlyMap<string, string> = new Map(
  ['is', 'status', 'assigned', 'assigned_to', 'assigned_or_suggested'].map((name) => [name, STATE]),
)

export const reportsDataset: Dataset = {
  names: [{ name: 'feedback' }],
  itemType: 'feedback',
  from: `${TABLE} FINAL`,
  settings: MERGED_LATER,
  organization: column('organization_id'),
  project: column('project_id'),
  writtenSince: 20,
  environment: column('environment'),
  time: column('received'),
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
  words: `lowerUTF8(${column('message')})`,
  weight: '1',
}
