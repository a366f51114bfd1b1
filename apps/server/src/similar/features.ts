import type { Exception, Frame, NormalisedEvent } from '../event/event.ts'
import { parameterise } from '../issues/index.ts'
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

export const featuresOf = (event: NormalisedEvent): Features => {
  const exception = event.exception?.values.findLast(({ stacktrace, type, value }) => stacktrace ?? type ?? value)
  return {
    functions: [...new Set(framesOf(event, exception).map(nameOf))]
      .filter((name) => name !== '')
      .slice(0, LIMITS.SIMILAR_FRAMES),
    type: (exception?.type ?? '').slice(0, LIMITS.SIMILAR_NAME_CHARS),
    words: wordsOf(exception?.value ?? event.logentry?.message ?? event.logentry?.formatted ?? ''),
  }
}

/** Those of the application; all when none is. From the crash outwards. */
const framesOf = (event: NormalisedEvent, exception: Exception | undefined): Frame[] => {
  const crashed = event.threads?.values.find((thread) => thread.crashed === true || thread.current === true)
  const stack = exception?.stacktrace ?? event.stacktrace ?? crashed?.stacktrace
  const frames = stack?.frames.toReversed() ?? []
  const own = frames.filter((frame) => frame.in_app === true)
  return own.length > 0 ? own : frames.filter((frame) => frame.in_app !== false)
}

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
  return `${withoutHash(place)}.${name}`.slice(0, LIMITS.SIMILAR_NAME_CHARS)
}

/** `index-4f9a2c1b.js` → `index.js`. */
const withoutHash = (file: string): string => file.replace(/[-.][0-9a-f]{6,40}(?=\.[a-z]+$)/i, '')

const wordsOf = (message: string): readonly string[] => [
  ...(parameterise(message.slice(0, LIMITS.SIMILAR_MESSAGE_CHARS))
    .toLowerCase()
    .match(/[\p{L}\p{N}_<>]+/gu) ?? []),
]

/** Everything that two issues can have in common, as texts that do not run into each other. */
export const tokensOf = ({ functions, type, words }: Features): readonly string[] => [
  ...functions.map((name) => `f ${name}`),
  ...pairsOf(functions).map((pair) => `p ${pair}`),
  ...(type === '' ? [] : [`t ${type}`]),
  ...shinglesOf(words).map((shingle) => `m ${shingle}`),
]

export const pairsOf = (functions: readonly string[]): readonly string[] =>
  functions.slice(1).map((name, index) => `${functions[index]} ${name}`)

/** Three words in a row; of fewer, all there are. */
export const shinglesOf = (words: readonly string[]): readonly string[] => {
  if (words.length === 0) return []
  if (words.length < 3) return [words.join(' ')]
  return [...new Set(words.slice(2).map((word, index) => `${words[index]} ${words[index + 1]} ${word}`))]
}
