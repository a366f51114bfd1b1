import { hidden, itemAttributes, named, text, wordsOf } from '../search/dataset-attributes.ts'
import type { Dataset, DatasetAttribute } from '../search/index.ts'
import { LOG_LEVELS } from './log.ts'

/** Log lines as searches and questions of any kind see them. */

const word = wordsOf('logs')

const LEVEL: DatasetAttribute = {
  ...word('level'),
  search: { kind: 'choice', sql: 'logs.level', values: LOG_LEVELS },
}

/** The beginning of a long one: no list reads the rest. */
const MESSAGE: DatasetAttribute = { ...text('logs.body'), search: { kind: 'words', sql: 'logs.body' } }

const TEMPLATE = text(`logs.strings['sentry.message.template']`)

const { nanoseconds, times, places, senders } = itemAttributes('logs')

/** In the words of Sentry and of the conventions; `level`, `pattern` and the like are ours. */
const ATTRIBUTES: ReadonlyMap<string, DatasetAttribute> = new Map<string, DatasetAttribute>([
  ...times,
  // As near as a number of JSON comes.
  ['sentry.timestamp_precise', hidden({ sql: `toFloat64(${nanoseconds})`, type: 'number' })],
  ...named(LEVEL, 'severity', 'log.severity', 'level'),
  ['severity_number', { sql: 'logs.severity', type: 'integer' }],
  ...named(MESSAGE, 'message', 'body', 'log.body'),
  ...named(TEMPLATE, 'message.template', 'sentry.message.template'),
  ['pattern', text('logs.pattern')],
  ...places,
  ...named(word('logger'), 'logger.name', 'logger'),
  ...senders,
])

export const logsDataset: Dataset = {
  names: [{ name: 'logs' }, { name: 'ourlogs' }],
  itemType: 'logs',
  from: 'logs',
  settings: [],
  organization: 'logs.organization_id',
  project: 'logs.project_id',
  environment: 'logs.environment',
  time: 'logs.timestamp',
  received: 'logs.received',
  id: { sql: 'logs.id', type: 'UInt64' },
  attributes: ATTRIBUTES,
  maps: { strings: 'logs.strings', numbers: 'logs.numbers', flags: 'logs.flags', lists: 'logs.lists' },
  words: 'concat(lowerUTF8(logs.body), lowerUTF8(logs.body_rest))',
  weight: '1',
  measured: 'payload_size',
}
