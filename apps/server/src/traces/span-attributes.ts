import type { Attribute } from '@firsthand/contract'
import { COLUMN_OF } from './telemetry/span-row.ts'
import type { StoredSpan } from './traces.view.ts'

/** What a column is called in `StoredSpan`. */
const FIELD_OF: Readonly<Record<string, keyof StoredSpan>> = {
  sdk_name: 'sdkName',
  sdk_version: 'sdkVersion',
  http_method: 'method',
  replay_id: 'replayId',
}

/** All attributes by name, whether they are kept in a column or in a map. */
export const attributesOf = (span: StoredSpan): Attribute[] => {
  const ofColumns = [...COLUMN_OF].flatMap(([name, column]): Attribute[] => {
    const value = span[FIELD_OF[column] ?? (column as keyof StoredSpan)]
    return typeof value === 'string' && value !== '' ? [{ name, type: 'string', value }] : []
  })
  const status: Attribute[] =
    span.httpStatus === 0 ? [] : [{ name: 'http.response.status_code', type: 'number', value: span.httpStatus }]
  const all: Attribute[] = [
    ...ofColumns,
    ...status,
    ...Object.entries(span.strings).map(([name, value]): Attribute => ({ name, type: 'string', value })),
    ...Object.entries(span.numbers).map(([name, value]): Attribute => ({ name, type: 'number', value })),
    ...Object.entries(span.flags).map(([name, value]): Attribute => ({ name, type: 'boolean', value })),
    ...Object.entries(span.lists).map(([name, value]): Attribute => ({ name, type: 'array', value: readList(value) })),
  ]
  return all.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** As it was written by us. */
const readList = (json: string): unknown[] => {
  const list: unknown = JSON.parse(json)
  return Array.isArray(list) ? list : [list]
}
