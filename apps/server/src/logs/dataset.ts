import type { Dataset, DatasetAttribute } from '../search/index.ts'
import { LOG_LEVELS } from './log.ts'

/** Log lines as searches and questions of any kind see them. */

const hexOf = (sql: string): string => `lower(leftPad(hex(${sql}), 16, '0'))`

const ITEM_ID: DatasetAttribute = {
  sql: `concat(${hexOf('toUInt64(toUnixTimestamp64Milli(logs.timestamp))')}, ${hexOf('logs.id')})`,
  type: 'string',
}

const NO_TRACE = "toUUID('00000000-0000-0000-0000-000000000000')"

const PROJECT: DatasetAttribute = { sql: 'logs.project_id', type: 'integer', lookup: 'project' }

const TRACE: DatasetAttribute = {
  sql: `if(logs.trace_id = ${NO_TRACE}, '', replaceAll(toString(logs.trace_id), '-', ''))`,
  type: 'string',
  search: { kind: 'uuid', sql: 'logs.trace_id', of: 'a trace' },
}

const SPAN_SQL = `if(logs.span_id = 0, '', ${hexOf('logs.span_id')})`
const SPAN: DatasetAttribute = {
  sql: SPAN_SQL,
  type: 'string',
  search: { kind: 'hex', sql: SPAN_SQL, characters: 16, of: 'a span' },
}

const LEVEL: DatasetAttribute = {
  sql: 'toString(logs.level)',
  type: 'string',
  search: { kind: 'choice', sql: 'logs.level', values: LOG_LEVELS },
}

/** The beginning of a long one: no list reads the rest. */
const MESSAGE: DatasetAttribute = { sql: 'logs.body', type: 'string', search: { kind: 'words', sql: 'logs.body' } }

const text = (sql: string): DatasetAttribute => ({ sql, type: 'string' })
const word = (column: string): DatasetAttribute => text(`toString(logs.${column})`)
const hidden = (attribute: DatasetAttribute): DatasetAttribute => ({ ...attribute, hidden: true })

const TEMPLATE = text(`logs.strings['sentry.message.template']`)

const EXACT = 'toUnixTimestamp64Milli(logs.timestamp) * 1000000 + logs.nanos'
/** As near as a number of JSON comes. */
const NANOSECONDS = `toFloat64(${EXACT})`

/** In the words of Sentry and of the conventions; `level`, `pattern` and the like are ours. */
const ATTRIBUTES: ReadonlyMap<string, DatasetAttribute> = new Map<string, DatasetAttribute>([
  ['id', ITEM_ID],
  ['sentry.item_id', hidden(ITEM_ID)],
  [
    'timestamp',
    { sql: 'toUnixTimestamp64Milli(logs.timestamp)', type: 'date', search: { kind: 'time', sql: 'logs.timestamp' } },
  ],
  // Nanoseconds since the epoch are more than a number of JSON can hold.
  ['timestamp_precise', text(`toString(${EXACT})`)],
  ['sentry.timestamp_precise', hidden({ sql: NANOSECONDS, type: 'number' })],
  [
    'sentry.timestamp_precise',
    hidden({ sql: 'toFloat64(toUnixTimestamp64Milli(logs.timestamp) * 1000000 + logs.nanos)', type: 'number' }),
  ],
  [
    'observed_timestamp',
    { sql: 'toUnixTimestamp64Milli(logs.received)', type: 'date', search: { kind: 'time', sql: 'logs.received' } },
  ],
  ['sentry.timestamp.sequence', { sql: 'logs.sequence', type: 'integer' }],
  ['severity', LEVEL],
  ['log.severity', hidden(LEVEL)],
  ['level', hidden(LEVEL)],
  ['severity_number', { sql: 'logs.severity', type: 'integer' }],
  ['message', MESSAGE],
  ['body', hidden(MESSAGE)],
  ['log.body', hidden(MESSAGE)],
  ['message.template', TEMPLATE],
  ['sentry.message.template', hidden(TEMPLATE)],
  ['pattern', text('logs.pattern')],
  ['trace', TRACE],
  ['trace_id', hidden(TRACE)],
  ['span_id', SPAN],
  ['trace.parent_span_id', hidden(SPAN)],
  ['project', PROJECT],
  ['project.name', hidden(PROJECT)],
  ['project.id', { sql: 'logs.project_id', type: 'integer' }],
  ['environment', word('environment')],
  ['sentry.environment', hidden(word('environment'))],
  ['release', word('release')],
  ['sentry.release', hidden(word('release'))],
  ['service', hidden(word('service'))],
  ['service.name', word('service')],
  ['logger', hidden(word('logger'))],
  ['logger.name', word('logger')],
  ['server', hidden(word('server'))],
  ['server.address', word('server')],
  ['origin', word('origin')],
  ['sentry.origin', hidden(word('origin'))],
  ['sdk.name', word('sdk_name')],
  ['sentry.sdk.name', hidden(word('sdk_name'))],
  ['sdk.version', word('sdk_version')],
  ['sentry.sdk.version', hidden(word('sdk_version'))],
  ['user', text('logs.user')],
  ['payload_size', { sql: 'logs.payload_size', type: 'size' }],
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
