import { EVENT_LIMITS } from '../limits.ts'
import type { Pairs } from '../event.ts'
import { repairText } from './read-json.ts'
import { eachPair, lenientText } from './fields.ts'
import { isAbsent, type Raw, type Reading } from './reading.ts'
import { cut } from './text.ts'

/** Names and values of one request: headers, cookies, query parameters. */
export type MutablePairs = [string, string][]

/** A pair list whose values are texts; a list of texts is joined with commas (protocol.md 3.1.7). */
export const readPairs = (reading: Reading, value: unknown, name: string, maxPairs: number): MutablePairs => {
  const pairs: MutablePairs = []
  eachPair(reading, value, name, maxPairs, (key, element) => {
    const text = isAbsent(element) ? '' : textOf(reading, element)
    if (text === undefined) reading.invalid(`${name}.${key}`, element, 'expected a string')
    else pairs.push([cut(key, EVENT_LIMITS.PAIR_NAME_CHARS), cut(text, EVENT_LIMITS.PAIR_VALUE_CHARS)])
  })
  return pairs
}

const textOf = (reading: Reading, value: unknown): string | undefined =>
  Array.isArray(value) ? value.map((part) => lenientText(reading, part) ?? '').join(',') : lenientText(reading, value)

/** `a=1&b=2`, with or without its question mark. */
export const parseQuery = (text: string): MutablePairs => {
  const pairs: MutablePairs = []
  for (const part of split(text.startsWith('?') ? text.slice(1) : text, '&', EVENT_LIMITS.QUERY_PARAMETERS)) {
    if (part === '') continue
    const [name, value] = halves(part)
    pairs.push([
      cut(decodePart(name.replaceAll('+', ' ')), EVENT_LIMITS.PAIR_NAME_CHARS),
      cut(decodePart(value.replaceAll('+', ' ')), EVENT_LIMITS.PAIR_VALUE_CHARS),
    ])
  }
  return pairs
}

/** `a=1; b=2` */
export const parseCookies = (text: string): MutablePairs => {
  const pairs: MutablePairs = []
  for (const part of split(text, ';', EVENT_LIMITS.COOKIES)) {
    const [name, value] = halves(part.trim())
    if (name === '') continue
    pairs.push([
      cut(decodePart(name), EVENT_LIMITS.PAIR_NAME_CHARS),
      cut(decodePart(value), EVENT_LIMITS.PAIR_VALUE_CHARS),
    ])
  }
  return pairs
}

const split = (text: string, separator: string, maxParts: number): string[] =>
  cut(text, EVENT_LIMITS.URL_CHARS).split(separator, maxParts)

const halves = (part: string): readonly [string, string] => {
  const equals = part.indexOf('=')
  return equals < 0 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)]
}

const decodePart = (text: string): string => {
  if (!text.includes('%')) return text
  try {
    return repairText(decodeURIComponent(text))
  } catch {
    // A stray per cent sign: the text is kept as it came.
    return text
  }
}

/** Text, object or pairs, whichever was sent. Undefined when there is nothing in it. */
export const readPairsOrText = (
  reading: Reading,
  raw: Raw,
  key: string,
  parse: (text: string) => MutablePairs,
  maxPairs: number,
): Pairs | undefined => {
  const value = raw[key]
  if (isAbsent(value)) return undefined
  const pairs = typeof value === 'string' ? parse(value) : readPairs(reading, value, key, maxPairs)
  return pairs.length > 0 ? pairs : undefined
}
