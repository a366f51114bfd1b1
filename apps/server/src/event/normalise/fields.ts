import { isObject } from '@firsthand/protocol'
import { isAbsent, type Raw, type Reading } from './reading.ts'
import { cut } from './text.ts'

/**
 * Readers of single fields (protocol.md 3, general value rules). Each takes the object and the name of the field, gives
 * the value or undefined, and notes what was there but could not be read. `null` and '' equal absent.
 */

/** A string. */
export const readText = (reading: Reading, raw: Raw, key: string, maxChars: number): string | undefined => {
  const value = raw[key]
  if (typeof value === 'string') return value === '' ? undefined : limited(reading, key, value, maxChars)
  if (!isAbsent(value)) reading.invalid(key, value, 'expected a string')
  return undefined
}

/** A string, or a boolean or number where Sentry's SDKs are known to send one: ids, release, tag values. */
export const readLenientText = (reading: Reading, raw: Raw, key: string, maxChars: number): string | undefined => {
  const value = raw[key]
  if (isAbsent(value)) return undefined
  const text = lenientText(reading, value)
  if (text === undefined) {
    reading.invalid(key, value, 'expected a string, number or boolean')
    return undefined
  }
  return text === '' ? undefined : limited(reading, key, text, maxChars)
}

/** Booleans are written as Python does ("True"); numbers must be below 2^53. */
export const lenientText = (reading: Reading, value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    reading.lostPrecision = true
    return undefined
  }
  return String(value)
}

const limited = (reading: Reading, key: string, text: string, maxChars: number): string => {
  if (text.length <= maxChars) return text
  reading.note('value_too_long', key, null, `cut to ${maxChars} characters`)
  return cut(text, maxChars)
}

export const readBoolean = (reading: Reading, raw: Raw, key: string): boolean | undefined => {
  const value = raw[key]
  if (typeof value === 'boolean') return value
  if (!isAbsent(value)) reading.invalid(key, value, 'expected a boolean')
  return undefined
}

/** A whole number from 0. */
export const readCount = (reading: Reading, raw: Raw, key: string): number | undefined => {
  const value = raw[key]
  if (isAbsent(value)) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  reading.invalid(key, value, 'expected a whole number, at least 0')
  return undefined
}

/** An address of native code: `0x…` or a number. */
export const readAddress = (reading: Reading, raw: Raw, key: string): string | undefined => {
  const value = raw[key]
  if (isAbsent(value)) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return `0x${value.toString(16)}`
  if (typeof value === 'string') {
    if (/^0x[0-9a-f]{1,16}$/i.test(value)) return value.toLowerCase()
    if (/^\d{1,20}$/.test(value)) return `0x${BigInt(value).toString(16)}`
  }
  reading.invalid(key, value, 'expected an address (0x… or a number)')
  return undefined
}

export const readObject = (reading: Reading, raw: Raw, key: string): Raw | undefined => {
  const value = raw[key]
  if (isAbsent(value)) return undefined
  if (isObject(value)) return value
  reading.invalid(key, value, 'expected an object')
  return undefined
}

/** `{"values": […]}`, a bare array, or a single object; `{}` is absent (protocol.md check 51). */
export const readValues = (reading: Reading, raw: Raw, key: string): readonly unknown[] | undefined => {
  const value = raw[key]
  if (isAbsent(value)) return undefined
  if (Array.isArray(value)) return value
  if (!isObject(value)) {
    reading.invalid(key, value, 'expected a list')
    return undefined
  }
  if ('values' in value) {
    if (Array.isArray(value['values'])) return value['values']
    if (!isAbsent(value['values'])) reading.invalid(key, value['values'], 'expected a list of values')
    return undefined
  }
  return Object.keys(value).length === 0 ? undefined : [value]
}

/**
 * Hands over the elements of a pair list, which is an object or an array of `[key, value]` (protocol.md 3); at most
 * `maxPairs` of them.
 */
export const eachPair = (
  reading: Reading,
  value: unknown,
  name: string,
  maxPairs: number,
  visit: (key: string, value: unknown) => void,
): void => {
  if (isAbsent(value)) return
  let count = 0
  if (Array.isArray(value)) {
    for (const [index, pair] of value.entries()) {
      if (isAbsent(pair)) continue
      if (++count > maxPairs) break
      const key = Array.isArray(pair) && pair.length === 2 ? lenientText(reading, pair[0]) : undefined
      if (key === undefined) reading.invalid(`${name}.${index}`, pair, 'expected a pair of name and value')
      else visit(key, pair[1])
    }
  } else if (isObject(value)) {
    for (const key in value) {
      if (++count > maxPairs) break
      visit(key, value[key])
    }
  } else reading.invalid(name, value, 'expected an object or a list of pairs')
  if (count > maxPairs) reading.note('value_too_long', name, null, `only the first ${maxPairs} are kept`)
}

/** Array of strings; elements of another type are dropped and noted. */
export const readTexts = (
  reading: Reading,
  raw: Raw,
  key: string,
  maxElements: number,
  maxChars: number,
): string[] | undefined => {
  const value = raw[key]
  if (isAbsent(value)) return undefined
  if (!Array.isArray(value)) {
    reading.invalid(key, value, 'expected a list of strings')
    return undefined
  }
  const texts: string[] = []
  for (const element of value) {
    if (texts.length >= maxElements) break
    if (isAbsent(element)) continue
    const text = lenientText(reading, element)
    if (text === undefined) reading.invalid(key, element, 'expected a string')
    else texts.push(cut(text, maxChars))
  }
  return texts.length > 0 ? texts : undefined
}

/** The first of several names under which a field is known; later ones are those of raven-era SDKs. */
export const firstOf = (raw: Raw, ...keys: readonly string[]): string => {
  for (const key of keys) if (!isAbsent(raw[key])) return key
  return keys[0] ?? ''
}
