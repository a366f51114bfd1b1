import { LIMITS } from '../limits.ts'

const BETWEEN = /([\s"'`(),;:=<>[\]{}|/\\&?#]+)/
const VARIES = /\d/
/** Colours of terminals (`ESC[31m`) and other control characters. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /\u001b\[[0-9;]{0,20}[A-Za-z]|[\u0000-\u0008\u000b-\u001f]/g

/**
 * What lines that are alike have in common: the first line of the body, each word with a digit in it as `*`. Linear in what
 * is looked at, which is bounded.
 */
export const patternOf = (body: string): string => {
  const begin = body.slice(0, 2 * LIMITS.LOG_PATTERN_CHARS).replace(CONTROL, '')
  const line = begin.trimStart().split('\n', 1)[0] ?? ''
  const words = line
    .split(BETWEEN)
    .map((word) => (VARIES.test(word) ? '*' : word))
    .join('')
  return words.slice(0, LIMITS.LOG_PATTERN_CHARS).trimEnd().toWellFormed()
}
