import { guard, isObject, text } from './guard.ts'
import { normalise } from './normalise.ts'
import { framesOf } from './stack.ts'
import type { Event as SdkEvent, EventHint, Exception, Mechanism, StackFrame } from './types.ts'

/** Causes below the error itself. */
const MAX_CAUSES = 5

/** Also errors of other windows, which are not instances of ours. */
export const isError = (value: unknown): value is Error =>
  guard(() => value instanceof Error || / (Error|\w*Exception)\]$/.test(Object.prototype.toString.call(value)), false)

const isEvent = (value: unknown): value is Event => guard(() => value instanceof Event, false)

const member = (value: unknown, name: string): unknown =>
  guard(() => (isObject(value) ? value[name] : undefined), undefined)

const stacked = (frames: StackFrame[]): Pick<Exception, 'stacktrace'> =>
  frames.length > 0 ? { stacktrace: { frames } } : {}

const exceptionOf = (error: Error, synthetic: unknown): Exception => {
  const frames = framesOf(error)
  return {
    type: text(member(error, 'name') || 'Error', 256),
    value: text(member(error, 'message') ?? ''),
    ...stacked(frames.length > 0 ? frames : framesOf(synthetic)),
  }
}

/** The error and what caused it, oldest cause first (protocol.md 3.1.1). */
const chainOf = (error: Error, mechanism: Mechanism, synthetic: unknown): Exception[] => {
  const values: Exception[] = []
  const visited = new Set<unknown>()
  const walk = (link: Error, source: string, parent: number): void => {
    if (visited.has(link) || visited.size > MAX_CAUSES) return
    const id = visited.size
    visited.add(link)
    const errors = member(link, 'errors')
    const isGroup = guard(() => Array.isArray(errors), false)
    values.unshift({
      ...exceptionOf(link, id === 0 ? synthetic : null),
      mechanism: {
        ...(id === 0
          ? mechanism
          : { type: 'chained', handled: mechanism.handled, source, exception_id: id, parent_id: parent }),
        ...(isGroup && { is_exception_group: true, exception_id: id }),
      },
    })
    const below = (next: unknown, name: string): void => {
      if (isError(next)) walk(next, name, id)
    }
    below(member(link, 'cause'), 'cause')
    if (isGroup)
      guard(() => (errors as unknown[]).slice(0, MAX_CAUSES).forEach((next, index) => below(next, `errors[${index}]`)))
  }
  walk(error, '', 0)
  const root = values.at(-1)?.mechanism
  if (root !== undefined && values.length > 1) root.exception_id = 0
  return values
}

const keysOf = (value: object): string => {
  const keys = guard(() => Object.keys(value).sort().join(', '), '')
  return text(keys || '[object has no keys]', 100)
}

/** An event of anything that can be thrown. */
export const eventFromUnknown = (thrown: unknown, hint: EventHint): SdkEvent => {
  const mechanism: Mechanism = { type: 'generic', handled: true, ...hint.mechanism }
  const { syntheticException } = hint
  const isRejection = mechanism.type.endsWith('onunhandledrejection')
  const inner = isEvent(thrown) ? member(thrown, 'error') : undefined
  const error = isError(inner) ? inner : thrown
  if (isError(error)) {
    return { level: 'error', exception: { values: chainOf(error, mechanism, syntheticException) } }
  }
  const what = isRejection ? 'promise rejection' : 'exception'
  const kind = isEvent(error) ? text(guard(() => error.constructor.name)) : ''
  const value = kind
    ? `Event \`${kind}\` (type=${text(member(error, 'type'))}) captured as ${what}`
    : isObject(error)
      ? `Object captured as ${what} with keys: ${keysOf(error)}`
      : (isRejection ? 'Non-Error promise rejection captured with value: ' : '') + text(error)
  return {
    level: 'error',
    exception: {
      values: [
        {
          type: kind || (isRejection ? 'UnhandledRejection' : 'Error'),
          value,
          ...stacked(framesOf(syntheticException)),
          mechanism: { ...mechanism, synthetic: true },
        },
      ],
    },
    ...(isObject(error) && { extra: { __serialized__: normalise(error, 3) } }),
  }
}

/** `Uncaught TypeError: x is not a function` */
const SAID = /^(?:uncaught )?(?:(\w*Error): )?(.*)$/is

/** Of an `error` event of a window that brings no error: all there is, is a sentence and a place. */
export const eventFromMessage = (
  { message, filename, lineno, colno }: Pick<ErrorEvent, 'message' | 'filename' | 'lineno' | 'colno'>,
  mechanism: Mechanism,
): SdkEvent => {
  const [, type = 'Error', value = ''] = SAID.exec(text(message)) ?? []
  const frame: StackFrame = {
    filename: text(filename || guard(() => location.href, '')),
    function: '?',
    in_app: true,
    ...(lineno > 0 && { lineno }),
    ...(colno > 0 && { colno }),
  }
  return { level: 'error', exception: { values: [{ type, value, ...stacked([frame]), mechanism }] } }
}

/** Message with where it was said (protocol.md 3.1.1). */
export const eventFromMessageCall = (message: unknown, synthetic: Error | null | undefined): SdkEvent => {
  const value = text(message)
  const frames = framesOf(synthetic)
  return {
    message: value,
    ...(frames.length > 0 && {
      exception: {
        values: [{ value, ...stacked(frames), mechanism: { type: 'generic', handled: true, synthetic: true } }],
      },
    }),
  }
}
