/**
 * Rows in ClickHouse's TabSeparated format: the cheapest text to write and to read, because a payload that is JSON
 * already needs nothing but its backslashes doubled.
 */

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
  "'": "\\'",
}

const NEEDS_ESCAPE = /[\\\t\n\r\0]/
const QUOTED_NEEDS_ESCAPE = /[\\\t\n\r\0']/

const escapeCharacter = (character: string): string => ESCAPES[character] ?? character

/** A string as a column of its own. */
export const text = (value: string): string =>
  NEEDS_ESCAPE.test(value) ? value.replace(/[\\\t\n\r\0]/g, escapeCharacter) : value

/** Text that `JSON.stringify` made: of the special characters, it can hold only backslashes. */
export const json = (value: string): string => (value.includes('\\') ? value.replaceAll('\\', '\\\\') : value)

/** A string inside an array or a map. */
const quoted = (value: string): string =>
  QUOTED_NEEDS_ESCAPE.test(value) ? `'${value.replace(/[\\\t\n\r\0']/g, escapeCharacter)}'` : `'${value}'`

export const strings = (values: readonly string[]): string => {
  if (values.length === 0) return '[]'
  let result = `[${quoted(values[0] ?? '')}`
  for (let index = 1; index < values.length; index += 1) result += `,${quoted(values[index] ?? '')}`
  return `${result}]`
}

export const map = (pairs: readonly (readonly [string, string])[]): string => {
  let result = '{'
  for (const [key, value] of pairs) result += `${result === '{' ? '' : ','}${quoted(key)}:${quoted(value)}`
  return `${result}}`
}

/** A map to numbers or booleans. */
export const mapOf = (pairs: readonly (readonly [string, number | boolean])[]): string => {
  let result = '{'
  for (const [key, value] of pairs) result += `${result === '{' ? '' : ','}${quoted(key)}:${String(value)}`
  return `${result}}`
}

/** 32 hex characters as a UUID. */
export const uuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`

const NO_UUID = uuid('0'.repeat(32))

/** The same, or '' for none. */
export const uuidOrNone = (hex: string): string => (hex === '' ? NO_UUID : uuid(hex))

/** 16 hex characters as the number that their column has; '' for none. */
export const hexNumber = (hex: string): string => (hex === '' ? '0' : BigInt(`0x${hex}`).toString())

/** `DateTime64(3)` from milliseconds since the epoch: seconds with three decimals. */
export const milliseconds = (value: number): string => {
  const whole = Math.max(0, Math.round(value))
  return `${Math.floor(whole / 1000)}.${String(whole % 1000).padStart(3, '0')}`
}

export const flag = (value: boolean): string => (value ? 'true' : 'false')

/** One row, without its line feed. */
export const line = (columns: readonly (string | number)[]): string => columns.join('\t')
