import { MERGED_LATER } from '../search/index.ts'
import { itemAttributes, text, wordsOf } from '../search/dataset-attributes.ts'
import type { Dataset, DatasetAttribute } from '../search/index.ts'
import { METRIC_TYPES } from './metric.ts'

/** Metrics as searches and questions of any kind see them. */

const word = wordsOf('metrics')

const TYPE: DatasetAttribute = {
  ...word('type'),
  search: { kind: 'choice', sql: 'metrics.type', values: METRIC_TYPES },
}

const { times, places, senders } = itemAttributes('metrics')

/** In the words of Sentry and of the conventions. */
const ATTRIBUTES: ReadonlyMap<string, DatasetAttribute> = new Map<string, DatasetAttribute>([
  ['metric.name', text('metrics.name')],
  ['metric.type', TYPE],
  ['metric.unit', word('unit')],
  ['value', { sql: 'metrics.value', type: 'number' }],
  ...times,
  ...places,
  ...senders,
])

export const metricsDataset: Dataset = {
  names: [{ name: 'tracemetrics' }],
  itemType: 'tracemetrics',
  // What a client sent twice would be added up twice until it is merged.
  from: 'metrics FINAL',
  settings: MERGED_LATER,
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
