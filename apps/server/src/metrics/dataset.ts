import type { Dataset, DatasetAttribute } from '../search/index.ts'
import { METRIC_TYPES } from './metric.ts'

/** Metrics as searches and questions of any kind see them. */

const hexOf = (sql: string): string => `lower(leftPad(hex(${sql}), 16, '0'))`

const ITEM_ID: DatasetAttribute = {
  sql: `concat(${hexOf('toUInt64(toUnixTimestamp64Milli(metrics.timestamp))')}, ${hexOf('metrics.id')})`,
  type: 'string',
}

const NO_TRACE = "toUUID('00000000-0000-0000-0000-000000000000')"

const PROJECT: DatasetAttribute = { sql: 'metrics.project_id', type: 'integer', lookup: 'project' }

const TRACE: DatasetAttribute = {
  sql: `if(metrics.trace_id = ${NO_TRACE}, '', replaceAll(toString(metrics.trace_id), '-', ''))`,
  type: 'string',
  search: { kind: 'uuid', sql: 'metrics.trace_id', of: 'a trace' },
}

const SPAN_SQL = `if(metrics.span_id = 0, '', ${hexOf('metrics.span_id')})`
const SPAN: DatasetAttribute = {
  sql: SPAN_SQL,
  type: 'string',
  search: { kind: 'hex', sql: SPAN_SQL, characters: 16, of: 'a span' },
}

const NAME: DatasetAttribute = { sql: 'metrics.name', type: 'string' }
const UNIT: DatasetAttribute = { sql: 'toString(metrics.unit)', type: 'string' }
const TYPE: DatasetAttribute = {
  sql: 'toString(metrics.type)',
  type: 'string',
  search: { kind: 'choice', sql: 'metrics.type', values: METRIC_TYPES },
}

const text = (sql: string): DatasetAttribute => ({ sql, type: 'string' })
const word = (column: string): DatasetAttribute => text(`toString(metrics.${column})`)
const hidden = (attribute: DatasetAttribute): DatasetAttribute => ({ ...attribute, hidden: true })

/** In the words of Sentry and of the conventions. */
const ATTRIBUTES: ReadonlyMap<string, DatasetAttribute> = new Map<string, DatasetAttribute>([
  ['metric.name', NAME],
  ['metric.type', TYPE],
  ['metric.unit', UNIT],
  ['value', { sql: 'metrics.value', type: 'number' }],
  ['id', ITEM_ID],
  ['sentry.item_id', hidden(ITEM_ID)],
  [
    'timestamp',
    {
      sql: 'toUnixTimestamp64Milli(metrics.timestamp)',
      type: 'date',
      search: { kind: 'time', sql: 'metrics.timestamp' },
    },
  ],
  // Nanoseconds since the epoch are more than a number of JSON can hold.
  ['timestamp_precise', text('toString(toUnixTimestamp64Milli(metrics.timestamp) * 1000000 + metrics.nanos)')],
  [
    'observed_timestamp',
    {
      sql: 'toUnixTimestamp64Milli(metrics.received)',
      type: 'date',
      search: { kind: 'time', sql: 'metrics.received' },
    },
  ],
  ['sentry.timestamp.sequence', { sql: 'metrics.sequence', type: 'integer' }],
  ['trace', TRACE],
  ['trace_id', hidden(TRACE)],
  ['span_id', SPAN],
  ['trace.parent_span_id', hidden(SPAN)],
  ['project', PROJECT],
  ['project.name', hidden(PROJECT)],
  ['project.id', { sql: 'metrics.project_id', type: 'integer' }],
  ['environment', word('environment')],
  ['sentry.environment', hidden(word('environment'))],
  ['release', word('release')],
  ['sentry.release', hidden(word('release'))],
  ['service', hidden(word('service'))],
  ['service.name', word('service')],
  ['server', hidden(word('server'))],
  ['server.address', word('server')],
  ['origin', word('origin')],
  ['sentry.origin', hidden(word('origin'))],
  ['sdk.name', word('sdk_name')],
  ['sentry.sdk.name', hidden(word('sdk_name'))],
  ['sdk.version', word('sdk_version')],
  ['sentry.sdk.version', hidden(word('sdk_version'))],
  ['user', text('metrics.user')],
  ['payload_size', { sql: 'metrics.payload_size', type: 'size' }],
])

export const metricsDataset: Dataset = {
  names: [{ name: 'tracemetrics' }],
  itemType: 'tracemetrics',
  // What a client sent twice would be added up twice until it is merged.
  from: 'metrics FINAL',
  settings: ['do_not_merge_across_partitions_select_final = 1'],
  organization: 'metrics.organization_id',
  project: 'metrics.project_id',
  environment: 'metrics.environment',
  time: 'metrics.timestamp',
  received: 'metrics.received',
  id: { sql: 'metrics.id', type: 'UInt64' },
  attributes: ATTRIBUTES,
  maps: { strings: 'metrics.strings', numbers: 'metrics.numbers', flags: 'metrics.flags', lists: 'metrics.lists' },
  words: 'lowerUTF8(metrics.name)',
  weight: 'metrics.weight',
  measured: 'value',
  // Of a counter, how often something happened is its value.
  rated: `if(metrics.type = 'counter', metrics.value, 1)`,
  narrowedBy: {
    conditions: [
      { sql: 'metrics.name' },
      { sql: 'metrics.type', values: METRIC_TYPES },
      { sql: 'metrics.unit', nothing: 'none' },
    ],
    unit: 2,
  },
}
