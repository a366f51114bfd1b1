import { isObject } from '@firsthand/protocol'
import { EVENT_LIMITS } from '../limits.ts'
import type { Json, NormalisedEvent } from '../event.ts'
import { isEmpty, trimValue } from './bag.ts'
import { firstOf, readText } from './fields.ts'
import { isAbsent, type Raw, type Reading } from './reading.ts'
import { cut } from './text.ts'

/**
 * Reads the message (protocol.md 3.1): `logentry`, or `message` as text or object, or the raven-era name. `message` is
 * the template and is only there when it differs from `formatted`, the text.
 */
export const readLogentry = (reading: Reading, raw: Raw): NormalisedEvent['logentry'] => {
  const key = firstOf(raw, 'logentry', 'sentry.interfaces.Message', 'message')
  const value = raw[key]
  const plain = typeof raw['message'] === 'string' ? raw['message'] : undefined
  if (isAbsent(value)) return undefined
  if (typeof value === 'string') {
    return value === '' ? undefined : { formatted: cut(value, EVENT_LIMITS.MESSAGE_CHARS) }
  }
  if (!isObject(value)) {
    reading.invalid(key, value, 'expected a message')
    return undefined
  }
  reading.enter(key)
  const template = readText(reading, value, 'message', EVENT_LIMITS.MESSAGE_CHARS)
  const formatted =
    readText(reading, value, 'formatted', EVENT_LIMITS.MESSAGE_CHARS) ??
    (key === 'message' || plain === undefined || plain === '' || plain === template
      ? undefined
      : cut(plain, EVENT_LIMITS.MESSAGE_CHARS))
  reading.leave()
  const params = readParameters(value['params'])
  const text =
    formatted ?? (template === undefined ? undefined : cut(format(template, params), EVENT_LIMITS.MESSAGE_CHARS))
  if (text === undefined) return undefined
  return {
    ...(template === undefined || template === text ? {} : { message: template }),
    formatted: text,
    ...(params === undefined ? {} : { params }),
  }
}

const readParameters = (value: unknown): Json | undefined => {
  if (isAbsent(value) || isEmpty(value)) return undefined
  return trimValue(value, EVENT_LIMITS.MEDIUM_BAG_DEPTH, EVENT_LIMITS.MEDIUM_BAG_CHARS)
}

/** Python's and printf's `%s`, `%(name)s`, and `{}`, `{0}`, `{name}` of newer loggers. */
const PLACEHOLDER = /%(?:\((\w{1,64})\))?[sdifrxjoO]|\{(\w{0,64})\}|%%/g

const format = (template: string, params: Json | undefined): string => {
  if (typeof params !== 'object' || params === null) return template
  let next = 0
  return template.replace(PLACEHOLDER, (placeholder, percentName?: string, braceName?: string) => {
    if (placeholder === '%%') return '%'
    const name = percentName ?? (braceName === '' ? undefined : braceName)
    const value = parameter(params, name ?? next++)
    if (value === undefined) return placeholder
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}

const parameter = (params: NonNullable<Json>, key: string | number): Json | undefined =>
  typeof params === 'object' && Object.hasOwn(params, key)
    ? (params as { readonly [key: string]: Json })[key]
    : undefined
