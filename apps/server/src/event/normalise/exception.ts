import { isObject } from '@firsthand/protocol'
import { EVENT_LIMITS } from '../limits.ts'
import type { Exception, Mechanism, NormalisedEvent, Thread } from '../event.ts'
import { sayCut } from '../remarks.ts'
import { readBag } from './bag.ts'
import { firstOf, readBoolean, readCount, readLenientText, readObject, readText, readValues } from './fields.ts'
import { isAbsent, type Raw, type Reading } from './reading.ts'
import { readStacktrace } from './stacktrace.ts'
import { cut } from './text.ts'

/** Exceptions, threads and the deprecated top-level stack trace (protocol.md 3.1.1, 3.1.2, 3.1.4). */
export const readErrorDetails = (reading: Reading, raw: Raw, event: NormalisedEvent): void => {
  const exceptions = readList(
    reading,
    raw,
    firstOf(raw, 'exception', 'sentry.interfaces.Exception'),
    EVENT_LIMITS.EXCEPTIONS,
    readException,
  )
  if (exceptions !== undefined) event.exception = { values: exceptions }

  const threads = readList(
    reading,
    raw,
    firstOf(raw, 'threads', 'sentry.interfaces.Threads'),
    EVENT_LIMITS.THREADS,
    readThread,
  )
  if (threads !== undefined) event.threads = { values: threads }

  const stacktrace = readStacktrace(reading, raw, firstOf(raw, 'stacktrace', 'sentry.interfaces.Stacktrace'))
  if (stacktrace === undefined) return
  const sole = exceptions?.length === 1 ? exceptions[0] : undefined
  if (sole !== undefined && sole.stacktrace === undefined) sole.stacktrace = stacktrace
  else event.stacktrace = stacktrace
}

/** Too long lists lose their first elements: the last exception is the one that was caught. */
const readList = <Element>(
  reading: Reading,
  raw: Raw,
  key: string,
  maxElements: number,
  read: (reading: Reading, raw: Raw) => Element | undefined,
): Element[] | undefined => {
  const values = readValues(reading, raw, key)
  if (values === undefined) return undefined
  reading.enter(key)
  reading.enter('values')
  const elements: Element[] = []
  const first = Math.max(0, values.length - maxElements)
  if (first > 0) reading.note('value_too_long', '0', null, `only the last ${maxElements} of ${values.length} are kept`)
  for (let index = first; index < values.length; index++) {
    const value = values[index]
    if (isAbsent(value)) continue
    if (!isObject(value)) {
      reading.invalid(index, value, 'expected an object')
      continue
    }
    reading.enter(index)
    const element = read(reading, value)
    reading.leave()
    if (element !== undefined) elements.push(element)
  }
  reading.leave()
  reading.leave()
  return elements.length > 0 ? elements : undefined
}

const readException = (reading: Reading, raw: Raw): Exception | undefined => {
  const exception: Exception = {}
  const type = readText(reading, raw, 'type', EVENT_LIMITS.NAME_CHARS)
  if (type !== undefined) exception.type = type
  const value = readValue(raw['value'])
  if (value !== undefined) {
    exception.value = value
    const sent = raw['value']
    if (typeof sent === 'string' && sent.length > value.length) sayCut(exception, 'value', value, sent.length)
  }
  const module = readText(reading, raw, 'module', EVENT_LIMITS.NAME_CHARS)
  if (module !== undefined) exception.module = module
  const threadId = readLenientText(reading, raw, 'thread_id', EVENT_LIMITS.WORD_CHARS)
  if (threadId !== undefined) exception.thread_id = threadId
  const mechanism = readMechanism(reading, raw)
  if (mechanism !== undefined) exception.mechanism = mechanism
  const stacktrace = readStacktrace(reading, raw, 'stacktrace')
  if (stacktrace !== undefined) exception.stacktrace = stacktrace
  const rawStacktrace = readStacktrace(reading, raw, 'raw_stacktrace')
  if (rawStacktrace !== undefined) exception.raw_stacktrace = rawStacktrace
  if (type !== undefined || value !== undefined || stacktrace !== undefined || rawStacktrace !== undefined) {
    return exception
  }
  reading.invalid('type', null, 'an exception needs a type, a value or a stack trace')
  return undefined
}

/** What is not a string is shown as JSON (protocol.md check 53). */
const readValue = (value: unknown): string | undefined => {
  if (isAbsent(value) || value === '') return undefined
  return cut(typeof value === 'string' ? value : JSON.stringify(value), EVENT_LIMITS.MESSAGE_CHARS)
}

const readMechanism = (reading: Reading, parent: Raw): Mechanism | undefined => {
  const raw = readObject(reading, parent, 'mechanism')
  if (raw === undefined) return undefined
  reading.enter('mechanism')
  const mechanism: Mechanism = { type: readText(reading, raw, 'type', EVENT_LIMITS.NAME_CHARS) ?? 'generic' }
  const handled = readBoolean(reading, raw, 'handled')
  if (handled !== undefined) mechanism.handled = handled
  const synthetic = readBoolean(reading, raw, 'synthetic')
  if (synthetic !== undefined) mechanism.synthetic = synthetic
  const description = readText(reading, raw, 'description', EVENT_LIMITS.MESSAGE_CHARS)
  if (description !== undefined) mechanism.description = description
  const helpLink = readText(reading, raw, 'help_link', EVENT_LIMITS.ABSOLUTE_PATH_CHARS)
  if (helpLink !== undefined) mechanism.help_link = helpLink
  const source = readText(reading, raw, 'source', EVENT_LIMITS.NAME_CHARS)
  if (source !== undefined) mechanism.source = source
  const exceptionId = readCount(reading, raw, 'exception_id')
  if (exceptionId !== undefined) mechanism.exception_id = exceptionId
  const parentId = readCount(reading, raw, 'parent_id')
  if (parentId !== undefined) mechanism.parent_id = parentId
  const isGroup = readBoolean(reading, raw, 'is_exception_group')
  if (isGroup !== undefined) mechanism.is_exception_group = isGroup
  const data = readBag(reading, raw, 'data', EVENT_LIMITS.MEDIUM_BAG_DEPTH, EVENT_LIMITS.MEDIUM_BAG_CHARS)
  if (data !== undefined) mechanism.data = data
  const meta = readBag(reading, raw, 'meta', EVENT_LIMITS.MEDIUM_BAG_DEPTH, EVENT_LIMITS.MEDIUM_BAG_CHARS)
  if (meta !== undefined) mechanism.meta = meta
  reading.leave()
  return mechanism
}

const readThread = (reading: Reading, raw: Raw): Thread | undefined => {
  const thread: Thread = {}
  const id = readLenientText(reading, raw, 'id', EVENT_LIMITS.WORD_CHARS)
  if (id !== undefined) thread.id = id
  const name = readText(reading, raw, 'name', EVENT_LIMITS.NAME_CHARS)
  if (name !== undefined) thread.name = name
  const crashed = readBoolean(reading, raw, 'crashed')
  if (crashed !== undefined) thread.crashed = crashed
  const current = readBoolean(reading, raw, 'current')
  if (current !== undefined) thread.current = current
  const main = readBoolean(reading, raw, 'main')
  if (main !== undefined) thread.main = main
  const state = readText(reading, raw, 'state', EVENT_LIMITS.WORD_CHARS)
  if (state !== undefined) thread.state = state
  const locks = readBag(reading, raw, 'held_locks', EVENT_LIMITS.MEDIUM_BAG_DEPTH, EVENT_LIMITS.LARGE_BAG_CHARS)
  if (locks !== undefined) thread.held_locks = locks
  const stacktrace = readStacktrace(reading, raw, 'stacktrace')
  if (stacktrace !== undefined) thread.stacktrace = stacktrace
  return Object.keys(thread).length > 0 ? thread : undefined
}
