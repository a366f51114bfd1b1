import { LIMITS } from '../limits.ts'

/** Lines around a place in a source, as events carry them. */
export interface SourceContext {
  readonly before: readonly string[]
  readonly line: string
  readonly after: readonly string[]
}

/** On each side. */
const LINES = 5
/** How much of a cut line stands before the column. */
const BEFORE_COLUMN = 60
/** A line is cut only when it is longer than the piece by this many characters. */
const SLACK = 10
const CUT = '{snip}'

/** At LF, CRLF and CR; never at U+2028, where parsers of JavaScript end lines but editors do not. */
export const linesOf = (source: string): string[] => source.split(/\r\n|\n|\r/)

/**
 * @param line counts from zero, as `column` does
 * @returns null when the source has no such line: the map belongs to another one
 */
export const contextAt = (lines: readonly string[], line: number, column: number): SourceContext | null => {
  const text = lines[line]
  if (text === undefined) return null
  const others = (from: number, to: number): string[] =>
    lines.slice(Math.max(0, from), to).map((other) => cut(other, 0))
  return {
    before: others(line - LINES, line),
    line: cut(text, column),
    after: others(line + 1, line + 1 + LINES),
  }
}

const cut = (line: string, column: number): string => {
  const room = LIMITS.CONTEXT_LINE_CHARACTERS
  if (line.length <= room + SLACK) return line
  const start = Math.max(0, Math.min(column, line.length) - BEFORE_COLUMN)
  const from = whole(line, start + room < line.length ? start : line.length - room)
  const to = whole(line, Math.min(line.length, from + room))
  return `${from > 0 ? CUT : ''}${line.slice(from, to)}${to < line.length ? CUT : ''}`
}

/** Not between the halves of a character. */
const whole = (line: string, at: number): number => (/[\uDC00-\uDFFF]/.test(line.charAt(at)) ? at - 1 : at)
