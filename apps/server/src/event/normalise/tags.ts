import { EVENT_LIMITS } from '../limits.ts'
import type { JsonObject, NormalisedEvent } from '../event.ts'
import { eachPair, lenientText } from './fields.ts'
import { isAbsent, type Raw, Reading } from './reading.ts'
import { userKey } from './user.ts'

const KEY = /^[\w.:-]+$/
const LINE_BREAK = /[\r\n]/
/** Tags of these names would be mistaken for fields; `environment` is moved to the field. */
const RESERVED = new Set(['release', 'dist', 'user', 'filename', 'function'])

const NONE: ReadonlySet<string> = new Set()

/**
 * Reads the sender's tags (protocol.md 3.1): what breaks a rule is dropped and noted, the first of equal keys wins. A blank
 * in a name is a hyphen, as with Sentry.
 */
export const readTags = (reading: Reading, raw: Raw, reserved: ReadonlySet<string> = RESERVED): Map<string, string> => {
  const tags = new Map<string, string>()
  eachPair(reading, raw['tags'], 'tags', EVENT_LIMITS.TAGS, (sent, value) => {
    if (isAbsent(value)) return
    const key = sent.replaceAll(' ', '-')
    const problem = problemOfKey(key)
    const text = lenientText(reading, value)?.trim()
    if (problem !== undefined) reading.invalid(`tags.${sent}`, value, problem)
    else if (text === undefined) reading.invalid(`tags.${sent}`, value, 'expected a string, number or boolean')
    else if (text === '' || text.length > EVENT_LIMITS.TAG_VALUE_CHARS || LINE_BREAK.test(text)) {
      reading.invalid(`tags.${sent}`, text, `expected one line of 1 to ${EVENT_LIMITS.TAG_VALUE_CHARS} characters`)
    } else if (!reserved.has(key) && !tags.has(key)) tags.set(key, text)
  })
  return tags
}

/**
 * The sender's tags alone, for what is no event: whatever they are called, and without those that follow from other fields.
 *
 * @param raw a payload that was made safe to walk by `readJson`
 */
export const readSentTags = (raw: Raw): [string, string][] => [...readTags(new Reading(), raw, NONE)]

const problemOfKey = (key: string): string | undefined => {
  if (key.length > EVENT_LIMITS.TAG_KEY_CHARS) return `the name is longer than ${EVENT_LIMITS.TAG_KEY_CHARS} characters`
  return KEY.test(key) ? undefined : 'a name has only letters, digits, and _ . : -'
}

/**
 * Adds the tags that follow from other fields, by the names that Sentry gives them, and sorts all by key. They win over
 * the sender's.
 */
export const deriveTags = (event: NormalisedEvent, sent: Map<string, string>): [string, string][] => {
  const tags = sent
  const set = (key: string, value: unknown): void => {
    if (typeof value !== 'string' || value === '') return
    const line = value.length <= EVENT_LIMITS.TAG_VALUE_CHARS ? value : value.slice(0, EVENT_LIMITS.TAG_VALUE_CHARS)
    tags.set(key, LINE_BREAK.test(line) ? line.replaceAll(/[\r\n]+/g, ' ') : line)
  }
  set('level', event.level)
  set('environment', event.environment)
  set('release', event.release)
  set('dist', event.dist)
  set('logger', event.logger)
  set('transaction', event.transaction)
  set('server_name', event.server_name)
  set('url', event.request?.url)
  set('user', userKey(event.user))
  setHandling(event, set)
  const { browser, os, client_os: clientOs, device, runtime, gpu } = event.contexts
  setNamed('browser', browser, set)
  setNamed('os', os, set)
  if (typeof os?.['rooted'] === 'boolean') set('os.rooted', os['rooted'] ? 'yes' : 'no')
  setNamed('client_os', clientOs, set)
  setNamed('runtime', runtime, set)
  set('device', device?.['model'])
  set('device.family', device?.['family'])
  set('gpu.name', gpu?.['name'])
  set('gpu.vendor', gpu?.['vendor_name'])
  return [...tags].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

type SetTag = (key: string, value: unknown) => void

/** `browser` = "Chrome 156.0.0", `browser.name` = "Chrome" */
const setNamed = (key: string, context: JsonObject | undefined, set: SetTag): void => {
  if (context === undefined) return
  const { name, version } = context
  if (typeof name !== 'string') return
  set(key, typeof version === 'string' && version !== '' ? `${name} ${version}` : name)
  set(`${key}.name`, name)
}

/** The mechanism of the outermost exception; unhandled when any of them is. */
const setHandling = (event: NormalisedEvent, set: SetTag): void => {
  let mechanism: string | undefined
  let handled: boolean | undefined
  for (const exception of event.exception?.values ?? []) {
    mechanism = exception.mechanism?.type ?? mechanism
    if (exception.mechanism?.handled !== undefined) handled = handled !== false && exception.mechanism.handled
  }
  set('mechanism', mechanism)
  if (handled !== undefined) set('handled', handled ? 'yes' : 'no')
}
