import { named, projectOf, text, timeOf, wordsOf, type NamedAttribute } from '../../search/dataset-attributes.ts'
import { hexOfUuid, type DatasetAttribute } from '../../search/index.ts'

/** What rows of spans have in columns of the same names as rows of `segments`: what is known of the root of a transaction. */
export const rootAttributes = (table: 'spans' | 'segments'): readonly NamedAttribute[] => {
  const word = wordsOf(table)
  const trace: DatasetAttribute = {
    ...text(hexOfUuid(`${table}.trace_id`)),
    search: { kind: 'uuid', sql: `${table}.trace_id`, of: 'a trace' },
  }
  const milliseconds = `${table}.duration / 1000`
  const duration: DatasetAttribute = {
    sql: milliseconds,
    type: 'duration',
    search: { kind: 'number', sql: milliseconds, quantity: 'duration' },
  }
  const code: DatasetAttribute = {
    sql: `if(${table}.http_status = 0, NULL, ${table}.http_status)`,
    type: 'integer',
  }
  const transaction: DatasetAttribute = {
    ...word('transaction'),
    search: { kind: 'text', sql: word('transaction').sql, ignoreCase: 'in-wildcards' },
  }
  return [
    ...named(trace, 'trace', 'trace_id'),
    ...named(word('op'), 'span.op', 'sentry.op', 'transaction.op'),
    ...named(duration, 'span.duration', 'transaction.duration'),
    ...named(word('status'), 'span.status', 'trace.status', 'transaction.status'),
    ['span.status_code', code],
    ['http.response.status_code', code],
    ...named(transaction, 'transaction', 'segment.name', 'sentry.segment.name'),
    ['timestamp', timeOf(`${table}.timestamp`)],
    ...projectOf(table),
    ...named(word('environment'), 'environment', 'sentry.environment'),
    ...named(word('release'), 'release', 'sentry.release'),
    ['user', text(`${table}.user`)],
    ['browser.name', word('browser')],
    ['device.family', word('device')],
    ...named(word('country'), 'user.geo.country_code', 'geo.country_code'),
  ]
}
