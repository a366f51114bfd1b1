import type { Bind, Dataset, ParameterType } from '../search/index.ts'
import type { Column, Sort } from './columns.ts'
import { LIMITS } from './limits.ts'

/**
 * Pages of single rows go on behind the last row that was shown, by what it is sorted by and then by its time and id. Rows
 * that arrive meanwhile move nothing: no page repeats a row or leaves one out.
 */
export interface Key {
  /** What is sorted by and compared. */
  readonly sql: string
  /** What a page tells of it. */
  readonly shown: string
  readonly type: ParameterType
  readonly descending: boolean
}

export type KeyValue = string | number | null

/** Below all numbers: rows without the number come last when the largest are first. */
const NO_NUMBER = "toFloat64('-inf')"

const sortKey = ({ sql, type }: Column, descending: boolean): Key => {
  if (type === 'string') {
    const start = `substringUTF8(${sql}, 1, ${LIMITS.EXPLORE_SORTED_CHARACTERS})`
    return { sql: start, shown: start, type: 'String', descending }
  }
  const number = `ifNull(toFloat64(${sql}), ${NO_NUMBER})`
  return { sql: number, shown: number, type: 'Float64', descending }
}

export const keysOf = (dataset: Dataset, columns: readonly Column[], sort: readonly Sort[]): Key[] => {
  const { time, project, id } = dataset
  return [
    ...sort.flatMap(({ column, descending }) => {
      const sorted = columns[column]
      return sorted === undefined ? [] : [sortKey(sorted, descending)]
    }),
    { sql: time, shown: `toUnixTimestamp64Milli(${time})`, type: 'Int64', descending: true },
    { sql: project, shown: `toString(${project})`, type: 'UInt64', descending: true },
    { sql: id.sql, shown: `toString(${id.sql})`, type: id.type, descending: true },
  ]
}

/** Rows that come behind one with these values. */
export const keysetCondition = (keys: readonly Key[], after: readonly KeyValue[], bind: Bind): string => {
  const values = keys.map(({ type }, index) => {
    const value = after[index] ?? null
    if (value === null) return NO_NUMBER
    return type === 'Int64' ? `fromUnixTimestamp64Milli(${bind(value, type)})` : bind(value, type)
  })
  const ways = keys.map((key, index) => {
    const same = keys.slice(0, index).map(({ sql }, place) => `${sql} = ${values[place] ?? ''}`)
    return `(${[...same, `${key.sql} ${key.descending ? '<' : '>'} ${values[index] ?? ''}`].join(' AND ')})`
  })
  return `(${ways.join(' OR ')})`
}

const CURSOR = /^([\w-]{1,4000}):\d{1,9}:[01]$/

export const writeKeysetCursor = (now: number, last: readonly KeyValue[], shown: number): string =>
  `${Buffer.from(JSON.stringify([now, ...last])).toString('base64url')}:${shown}:0`

/** Latest instant that JavaScript knows, in milliseconds. */
const LATEST = 8.64e15
const MOST_UINT64 = 2n ** 64n - 1n

/** Cursors come back from callers: a value that is not of its key's type never gets into a statement. */
const isOfType = (value: unknown, { type }: Key): value is KeyValue => {
  switch (type) {
    case 'Float64':
      return value === null || (typeof value === 'number' && Number.isFinite(value))
    case 'Int64':
      return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= LATEST
    case 'UInt64':
      return typeof value === 'string' && /^\d{1,20}$/.test(value) && BigInt(value) <= MOST_UINT64
    case 'UUID':
      return typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
    case 'String':
      return typeof value === 'string'
    case 'UInt32':
    case 'Array(String)':
    case 'Array(UInt64)':
      return false
  }
}

/** Null for what is no cursor of ours. */
export const readKeysetCursor = (
  cursor: string,
  keys: readonly Key[],
): { readonly now: number; readonly after: readonly KeyValue[] } | null => {
  const encoded = CURSOR.exec(cursor)?.[1]
  if (encoded === undefined) return null
  let read: unknown
  try {
    read = JSON.parse(Buffer.from(encoded, 'base64url').toString())
  } catch {
    return null
  }
  if (!Array.isArray(read)) return null
  const [now, ...after] = read as unknown[]
  if (typeof now !== 'number' || !(now >= 0 && now <= LATEST) || after.length !== keys.length) return null
  const values = after.filter((value, index): value is KeyValue => {
    const key = keys[index]
    return key !== undefined && isOfType(value, key)
  })
  return values.length === keys.length ? { now, after: values } : null
}
