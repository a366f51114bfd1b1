import type { DatasetAttribute } from './dataset.ts'
import { hexOfNumber, hexOfNumberOrNone, hexOfUuidOrNone } from './id-columns.ts'

/** The words in which datasets say what attributes they have. */

export const text = (sql: string): DatasetAttribute => ({ sql, type: 'string' })

/** It has another name that is listed. */
export const hidden = (attribute: DatasetAttribute): DatasetAttribute => ({ ...attribute, hidden: true })

/** Of 32 hex digits. @param of what, e.g. `a trace` */
export const uuidOf = (column: string, of: string): DatasetAttribute => ({
  ...text(hexOfUuidOrNone(column)),
  search: { kind: 'uuid', sql: column, of },
})

/** Of 16 hex digits. */
export const spanIdOf = (column: string): DatasetAttribute => {
  const sql = hexOfNumberOrNone(column)
  return { ...text(sql), search: { kind: 'hex', sql, characters: 16, of: 'a span' } }
}

export const timeOf = (column: string): DatasetAttribute => ({
  sql: `toUnixTimestamp64Milli(${column})`,
  type: 'date',
  search: { kind: 'time', sql: column },
})

export type NamedAttribute = readonly [name: string, attribute: DatasetAttribute]

/** By the name that is listed, and by others. */
export const named = (attribute: DatasetAttribute, name: string, ...others: readonly string[]): NamedAttribute[] => [
  [name, attribute],
  ...others.map((other): NamedAttribute => [other, hidden(attribute)]),
]

/** A text with few values. */
export type WordOf = (column: string) => DatasetAttribute

export const wordsOf =
  (table: string): WordOf =>
  (column) =>
    text(`toString(${table}.${column})`)

export const projectOf = (table: string): NamedAttribute[] => [
  ...named({ sql: `${table}.project_id`, type: 'integer', lookup: 'project' }, 'project', 'project.name'),
  ['project.id', { sql: `${table}.project_id`, type: 'integer' }],
]

/** What tables of things that come many in an item have in common, in columns of the same names. */
export const itemAttributes = (table: string) => {
  const word = wordsOf(table)
  const time = `${table}.timestamp`
  const milliseconds = `toUnixTimestamp64Milli(${time})`
  const nanoseconds = `${milliseconds} * 1000000 + ${table}.nanos`
  const id = text(`concat(${hexOfNumber(`toUInt64(${milliseconds})`)}, ${hexOfNumber(`${table}.id`)})`)
  return {
    nanoseconds,
    times: [
      ...named(id, 'id', 'sentry.item_id'),
      ['timestamp', timeOf(time)],
      // Nanoseconds since the epoch are more than a number of JSON can hold.
      ['timestamp_precise', text(`toString(${nanoseconds})`)],
      ['observed_timestamp', timeOf(`${table}.received`)],
      ['sentry.timestamp.sequence', { sql: `${table}.sequence`, type: 'integer' }],
    ] satisfies readonly NamedAttribute[],
    places: [
      ...named(uuidOf(`${table}.trace_id`, 'a trace'), 'trace', 'trace_id'),
      ...named(spanIdOf(`${table}.span_id`), 'span_id', 'trace.parent_span_id'),
      ...projectOf(table),
      ...named(word('environment'), 'environment', 'sentry.environment'),
      ...named(word('release'), 'release', 'sentry.release'),
      ...named(word('service'), 'service.name', 'service'),
    ] satisfies readonly NamedAttribute[],
    senders: [
      ...named(word('server'), 'server.address', 'server'),
      ...named(word('origin'), 'origin', 'sentry.origin'),
      ...named(word('sdk_name'), 'sdk.name', 'sentry.sdk.name'),
      ...named(word('sdk_version'), 'sdk.version', 'sentry.sdk.version'),
      ['user', text(`${table}.user`)],
      ['payload_size', { sql: `${table}.payload_size`, type: 'size' }],
    ] satisfies readonly NamedAttribute[],
  }
}
