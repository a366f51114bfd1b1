import type { Exception, Frame, NormalisedEvent } from '../../event/event.ts'
import { LIMITS } from '../limits.ts'

/** What was thrown and from where, the last call first, as programmers read it. */

const place = ({ filename, module, lineno, colno }: Frame): string => {
  const file = filename ?? module ?? ''
  if (file === '' || lineno === undefined) return file
  return colno === undefined ? `${file}:${lineno}` : `${file}:${lineno}:${colno}`
}

const lineOf = (frame: Frame): string => {
  const where = place(frame)
  return frame.function === undefined
    ? `    at ${where}`
    : `    at ${frame.function}${where === '' ? '' : ` (${where})`}`
}

const headOf = ({ type, value }: Exception): string => [type, value].filter((part) => part !== undefined).join(': ')

/** '' where there is none. */
export const stackText = (event: NormalisedEvent): string => {
  const exception = event.exception?.values.findLast(({ stacktrace, type, value }) => stacktrace ?? type ?? value)
  const crashed = event.threads?.values.find((thread) => thread.crashed === true || thread.current === true)
  const stack = exception?.stacktrace ?? event.stacktrace ?? crashed?.stacktrace
  const frames = stack?.frames.toReversed() ?? []
  const own = frames.filter((frame) => frame.in_app === true)
  const shown = (own.length > 0 ? own : frames).slice(0, LIMITS.TICKET_STACK_LINES)
  const head = exception === undefined ? [] : [headOf(exception)]
  return [...head, ...shown.map(lineOf)].join('\n')
}
