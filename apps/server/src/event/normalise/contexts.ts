import { normaliseEventId, isObject } from '@firsthand/protocol'
import { EVENT_LIMITS } from '../limits.ts'
import type { Json, JsonObject, NormalisedEvent } from '../event.ts'
import { trimValue } from './bag.ts'
import { firstOf, readObject } from './fields.ts'
import { isAbsent, type Raw, type Reading } from './reading.ts'

type Contexts = NormalisedEvent['contexts']
type MutableObject = { [key: string]: Json }

/** Reads the contexts (protocol.md 3.1.8): each an object with a `type`; empty ones go. */
export const readContexts = (reading: Reading, raw: Raw): Contexts => {
  const contexts: Contexts = {}
  const key = firstOf(raw, 'contexts', 'sentry.interfaces.Contexts')
  const rawContexts = readObject(reading, raw, key)
  if (rawContexts === undefined) return contexts
  reading.enter(key)
  let count = 0
  for (const name in rawContexts) {
    const value = rawContexts[name]
    if (isAbsent(value)) continue
    if (!isObject(value)) {
      reading.invalid(name, value, 'expected an object')
      continue
    }
    if (name === '' || name.length > EVENT_LIMITS.NAME_CHARS || ++count > EVENT_LIMITS.CONTEXTS) {
      reading.note('value_too_long', name, null, `only ${EVENT_LIMITS.CONTEXTS} contexts with short names are kept`)
      if (count > EVENT_LIMITS.CONTEXTS) break
      continue
    }
    reading.enter(name)
    const context = readContext(reading, name, value)
    reading.leave()
    if (context !== undefined) contexts[name] = context
  }
  reading.leave()
  return contexts
}

const readContext = (reading: Reading, name: string, raw: Raw): JsonObject | undefined => {
  if (name === 'flags') keepNewestFlags(raw)
  const context = trimValue(raw, EVENT_LIMITS.LARGE_BAG_DEPTH, EVENT_LIMITS.LARGE_BAG_CHARS) as MutableObject
  let empty = true
  for (const key in context) {
    if (context[key] === null || context[key] === '') delete context[key]
    else if (key !== 'type') empty = false
  }
  if (empty) return undefined
  if (typeof context['type'] !== 'string') context['type'] = name
  READERS.get(name)?.(reading, context)
  return context
}

const keepNewestFlags = (raw: Raw): void => {
  const values = raw['values']
  if (Array.isArray(values) && values.length > EVENT_LIMITS.FLAGS) values.splice(0, values.length - EVENT_LIMITS.FLAGS)
}

const readTrace = (reading: Reading, trace: MutableObject): void => {
  readId(reading, trace, 'trace_id', /^(?!0{32})[0-9a-f]{32}$/)
  readId(reading, trace, 'span_id', /^(?!0{16})[0-9a-f]{16}$/)
  readId(reading, trace, 'parent_span_id', /^(?!0{16})[0-9a-f]{16}$/)
}

const readId = (reading: Reading, context: MutableObject, key: string, valid: RegExp): void => {
  const value = context[key]
  if (value === undefined) return
  const id = typeof value === 'string' ? value.replaceAll('-', '').toLowerCase() : ''
  if (valid.test(id)) context[key] = id
  else {
    delete context[key]
    reading.invalid(key, value, 'expected an id in hex, not all zeros')
  }
}

const readUuid = (reading: Reading, context: MutableObject, key: string): void => {
  const value = context[key]
  if (value === undefined) return
  const id = normaliseEventId(value)
  if (id !== null) context[key] = id
  else {
    delete context[key]
    reading.invalid(key, value, 'expected a UUID')
  }
}

/** Node 11 really sends `"version":"12.11\n"`. */
const trimTexts = (_reading: Reading, context: MutableObject): void => {
  for (const key of ['name', 'version', 'build', 'kernel_version']) {
    const value = context[key]
    if (typeof value === 'string') context[key] = value.trim()
    else if (typeof value === 'number') context[key] = String(value)
  }
}

const READERS: ReadonlyMap<string, (reading: Reading, context: MutableObject) => void> = new Map([
  ['trace', readTrace],
  ['os', trimTexts],
  ['runtime', trimTexts],
  ['browser', trimTexts],
  ['replay', (reading: Reading, context: MutableObject) => readUuid(reading, context, 'replay_id')],
  [
    'profile',
    (reading: Reading, context: MutableObject) => {
      readUuid(reading, context, 'profile_id')
      readUuid(reading, context, 'profiler_id')
    },
  ],
])

/** The replay that was being recorded is named in the context, in a tag, or in the envelope's trace (protocol.md 4.1). */
export const linkReplay = (event: NormalisedEvent, traceHeader: Readonly<Record<string, string>> | null): void => {
  if (event.contexts['replay']?.['replay_id'] !== undefined) return
  const tagged = event.tags.find(([key]) => key === 'replayId')?.[1]
  const id = normaliseEventId(tagged) ?? normaliseEventId(traceHeader?.['replay_id'])
  if (id !== null) event.contexts['replay'] = { ...event.contexts['replay'], replay_id: id, type: 'replay' }
}
