import { decodeUtf8, jsonDepthWithin } from '@firsthand/protocol'
import { err, ok, type Result } from '../../lib/result.ts'
import { LIMITS } from '../../ingest/limits.ts'
import type { Drop } from '../../ingest/road.ts'

/** What may need repair after parsing: lone surrogates, NUL, and `__proto__` in any spelling. */
const ESCAPE_TO_REPAIR = /\\u(?:0000|d[89a-f]|005f|006f|007[024])/i
const PROTO = '__proto__'
/** The group keeps V8 from searching this as plain text, which is three times as slow where underscores abound. */
const PROTO_IN_TEXT = /(?:_)_proto__/

/** Strings, or the tokens that some Python clients write where JSON has no word for them (protocol.md 2.7). */
const STRING_OR_NOT_A_NUMBER = /"(?:[^"\\]|\\.)*"?|-?\bInfinity\b|\bNaN\b/gs

export interface ReadJson {
  readonly value: unknown
  /** What it was read from. */
  readonly bytes: Uint8Array
}

/**
 * Payload bytes to a JSON value that is safe to walk: nesting is bounded, strings are well-formed and free of NUL, and no
 * object has a key `__proto__` (protocol.md checks 103–109). Invalid UTF-8 becomes U+FFFD. Bare `NaN` and `Infinity` are
 * read as null.
 */
export const readJson = (bytes: Uint8Array): Result<ReadJson, Drop> => {
  if (!jsonDepthWithin(bytes, LIMITS.JSON_DEPTH)) {
    return invalid('json_too_deep', `The payload is nested deeper than ${LIMITS.JSON_DEPTH} levels.`)
  }
  const text = decodeUtf8(bytes)
  let value: unknown
  try {
    value = parse(text)
  } catch (error) {
    return invalid('invalid_json', error instanceof Error ? error.message : 'The payload is not JSON.')
  }
  return ok({ value, bytes })
}

/** Parses again and keeps integers that a double cannot hold as strings, digit for digit (protocol.md check 108). */
export const parseWithLongIntegers = (bytes: Uint8Array): unknown => {
  const text = decodeUtf8(bytes)
  return repairIfNeeded(
    text,
    JSON.parse(withoutNotANumber(text), (_key: string, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
        ? context?.source
        : value,
    ),
  )
}

/** JSON text inside an event (a request body, say); undefined when it is not JSON or nested too deeply. */
export const parseEmbeddedJson = (text: string): unknown => {
  if (!jsonDepthWithin(Buffer.from(text), LIMITS.JSON_DEPTH)) return undefined
  try {
    return repairIfNeeded(text, JSON.parse(text))
  } catch {
    // Text that only looks like JSON is text; the caller keeps it as that.
    return undefined
  }
}

const parse = (text: string): unknown => {
  try {
    return repairIfNeeded(text, JSON.parse(text))
  } catch (error) {
    const repaired = withoutNotANumber(text)
    if (repaired === text) throw error
    return repairIfNeeded(text, JSON.parse(repaired))
  }
}

const withoutNotANumber = (text: string): string =>
  text.includes('NaN') || text.includes('Infinity')
    ? text.replace(STRING_OR_NOT_A_NUMBER, (token) => (token.startsWith('"') ? token : 'null'))
    : text

const invalid = (reason: string, detail: string): Result<never, Drop> =>
  err({ outcome: { kind: 'invalid', reason }, detail })

const repairIfNeeded = (text: string, value: unknown): unknown =>
  PROTO_IN_TEXT.test(text) || (text.includes('\\u') && ESCAPE_TO_REPAIR.test(text)) ? repair(value) : value

/** In place, because nearly nothing is ever found: bytes that look like trouble are mostly somebody's source code. */
const repair = (value: unknown): unknown => {
  if (typeof value === 'string') return repairText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const element: unknown = value[index]
      const repaired = repair(element)
      if (repaired !== element) value[index] = repaired
    }
    return value
  }
  const object = value as Record<string, unknown>
  for (const key of Object.keys(object)) {
    if (key === PROTO || isBroken(key)) return withSafeKeys(object)
    const element = object[key]
    const repaired = repair(element)
    if (repaired !== element) object[key] = repaired
  }
  return object
}

const withSafeKeys = (object: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const repaired: Record<string, unknown> = {}
  for (const [key, element] of Object.entries(object)) {
    const safeKey = repairText(key)
    if (safeKey !== PROTO) repaired[safeKey] = repair(element)
  }
  return repaired
}

const isBroken = (text: string): boolean => !text.isWellFormed() || text.includes('\0')

/** Lone surrogates become U+FFFD, NUL goes. */
export const repairText = (text: string): string => (isBroken(text) ? text.toWellFormed().replaceAll('\0', '') : text)
