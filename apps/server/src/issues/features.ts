import type { Exception, Frame, NormalisedEvent } from '../event/event.ts'
import { oncePerRecurring } from '../lib/recurring.ts'
import { parameterise } from './grouping/v1/parameterise.ts'
import { LIMITS } from './limits.ts'

/** What makes an issue what it is, as far as another one can be like it. */
export interface Features {
  /** Functions of the application, from the crash outwards, each once. */
  readonly functions: readonly string[]
  /** Type of the exception; '' for none. */
  readonly type: string
  /** Words of the message, without what changes from one event to the next. */
  readonly words: readonly string[]
}

/** What features are made of: little enough to be kept of each event of a batch until it is known which opens an issue. */
export interface Outline {
  readonly functions: readonly string[]
  readonly type: string
  readonly message: string
}

export const outlineOf = (event: NormalisedEvent): Outline => {
  const exception = event.exception?.values.findLast(({ stacktrace, type, value }) => stacktrace ?? type ?? value)
  const message = exception?.value ?? event.logentry?.message ?? event.logentry?.formatted ?? ''
  return {
    functions: functionsOf(stackOf(event, exception)),
    type: (exception?.type ?? '').slice(0, LIMITS.FEATURE_NAME_CHARS),
    message: message.slice(0, LIMITS.FEATURE_MESSAGE_CHARS),
  }
}

export const featuresOf = ({ functions, message, type }: Outline): Features => {
  const words = wordsOf(message)
  const room = LIMITS.FEATURE_BYTES - bytesOf({ functions: [], type, words })
  return { functions: fitting(functions, room), type, words }
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** The first of them, as many as there is room for: they are noted with the fact that an issue was opened. */
const fitting = (names: readonly string[], room: number): readonly string[] => {
  let left = room
  const end = names.findIndex((name) => {
    left -= bytesOf(name) + 1
    return left < 0
  })
  return end === -1 ? names : names.slice(0, end)
}

const stackOf = (event: NormalisedEvent, exception: Exception | undefined): readonly Frame[] => {
  const crashed = event.threads?.values.find((thread) => thread.crashed === true || thread.current === true)
  return (exception?.stacktrace ?? event.stacktrace ?? crashed?.stacktrace)?.frames ?? []
}

/** Those of the application; all when none is. From the crash outwards. */
const functionsOf = oncePerRecurring((stack: readonly Frame[]): readonly string[] => {
  const frames = stack.toReversed()
  const own = frames.filter((frame) => frame.in_app === true)
  const chosen = own.length > 0 ? own : frames.filter((frame) => frame.in_app !== false)
  const names = new Set(chosen.map(nameOf).filter((name) => name !== ''))
  return [...names].slice(0, LIMITS.FEATURE_FUNCTIONS)
})

/** Where it is called from does not count: builds rename files, and lines move. */
const nameOf = ({ filename, function: name, module }: Frame): string => {
  const place =
    module ??
    filename
      ?.replace(/[?#].*$/, '')
      .split(/[\\/]/)
      .at(-1) ??
    ''
  if (name === undefined || name === '?' || name === '<anonymous>') return ''
  return `${withoutHash(place)}.${name}`.slice(0, LIMITS.FEATURE_NAME_CHARS)
}

/** `index-4f9a2c1b.js` → `index.js`. */
const withoutHash = (file: string): string => file.replace(/[-.][0-9a-f]{6,40}(?=\.[a-z]+$)/i, '')

const wordsOf = (message: string): readonly string[] => [
  ...(parameterise(message)
    .toLowerCase()
    .match(/[\p{L}\p{N}_<>]+/gu) ?? []),
]
