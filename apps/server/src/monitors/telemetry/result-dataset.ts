import type { Question } from '../../lib/questions.ts'
import { MERGED_LATER, type Dataset, type DatasetAttribute } from '../../search/index.ts'
import { named, projectOf, timeOf, wordsOf } from '../../search/dataset-attributes.ts'

/** How runs of monitors ended as questions of any kind see it: each once, when it was decided. */

const TABLE = 'check_in_results'

const word = wordsOf(TABLE)

const column = (name: string): string => `${TABLE}.${name}`

const STATUSES = ['ok', 'error', 'missed', 'timeout', 'unknown']

const ATTRIBUTES: ReadonlyMap<string, DatasetAttribute> = new Map<string, DatasetAttribute>([
  ...named(word('monitor'), 'monitor', 'monitor.slug'),
  ['status', { ...word('status'), search: { kind: 'choice', sql: column('status'), values: STATUSES } }],
  ['late', { sql: column('is_late'), type: 'boolean' }],
  ['duration', { sql: `if(${column('duration')} < 0, NULL, ${column('duration')})`, type: 'duration' }],
  ['release', word('release')],
  ['environment', word('environment')],
  ...projectOf(TABLE),
  ['timestamp', timeOf(column('decided'))],
])

/** That a run never came is decided beside the digest, and all that is decided waits in the ledger until telemetry has it. */
export const RESULTS_STORED_UNTIL: Question<null, number> = {
  name: 'results of monitors are stored until',
  otherwise: Infinity,
}

export const checkInsDataset: Dataset = {
  names: [{ name: 'check_ins' }],
  itemType: 'check_ins',
  from: `${TABLE} FINAL`,
  settings: MERGED_LATER,
  organization: column('organization_id'),
  project: column('project_id'),
  environment: column('environment'),
  time: column('decided'),
  received: column('decided'),
  storedUntil: RESULTS_STORED_UNTIL,
  writtenSince: 21,
  id: { sql: column('id'), type: 'UInt64' },
  attributes: ATTRIBUTES,
  isClosed: true,
  maps: {
    strings: `CAST(map(), 'Map(String, String)')`,
    numbers: `CAST(map(), 'Map(String, Float64)')`,
    flags: `CAST(map(), 'Map(String, Bool)')`,
  },
  words: `lowerUTF8(toString(${column('monitor')}))`,
  weight: '1',
  measured: 'duration',
  // Where nobody knows whether it ran, as the server was away, nothing failed.
  failed: `${column('status')} IN ('error', 'missed', 'timeout')`,
}
