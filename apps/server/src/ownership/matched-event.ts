import type { Frame, NormalisedEvent } from '../event/event.ts'
import { LIMITS } from './limits.ts'

/** What of an event lines of ownership are asked about. */
export interface MatchedEvent {
  /** From the crash outwards. */
  readonly frames: readonly MatchedFrame[]
  readonly url: string
  readonly tags: ReadonlyMap<string, readonly string[]>
}

export interface MatchedFrame {
  readonly filename: string
  readonly absPath: string
  readonly module: string
  readonly function: string
  readonly line: number | null
  /** Null when the event does not say. */
  readonly isInApp: boolean | null
}

export const matchedEvent = (event: NormalisedEvent): MatchedEvent => ({
  frames: framesOf(event).slice(0, LIMITS.OWNERSHIP_FRAMES).map(matchedFrame),
  url: cut(event.request?.url),
  tags: tagsOf(event),
})

const cut = (value: string | undefined): string => value?.slice(0, LIMITS.OWNERSHIP_VALUE_CHARS) ?? ''

const matchedFrame = (frame: Frame): MatchedFrame => ({
  filename: cut(frame.filename),
  absPath: cut(frame.abs_path),
  module: cut(frame.module),
  function: cut(frame.function),
  line: frame.lineno ?? null,
  isInApp: frame.in_app ?? null,
})

/** Stacks have the throwing frame last, and exceptions the one that was caught: its frames come first. */
const framesOf = ({ exception, stacktrace, threads }: NormalisedEvent): Frame[] => {
  const thrown = exception?.values.toReversed().flatMap((one) => one.stacktrace?.frames.toReversed() ?? []) ?? []
  if (thrown.length > 0) return thrown
  const crashed = threads?.values.find((thread) => thread.crashed === true || thread.current === true)
  return (stacktrace ?? crashed?.stacktrace)?.frames.toReversed() ?? []
}

const tagsOf = ({ tags, user }: NormalisedEvent): Map<string, string[]> => {
  const found = new Map<string, string[]>()
  const add = (key: string, value: string | undefined): void => {
    if (value === undefined) return
    found.set(key, [...(found.get(key) ?? []), cut(value)])
  }
  // As Sentry reads `tags.user.email`: of the user first.
  if (user !== undefined) {
    for (const key of ['id', 'email', 'username', 'name', 'ip_address'] as const) add(`user.${key}`, user[key])
  }
  for (const [key, value] of tags) add(key, value)
  return found
}
