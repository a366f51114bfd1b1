import { err, ok, type Result } from '../../lib/result.ts'
import { LIMITS } from '../limits.ts'

/**
 * A rule for the names of transactions: the parts of a path, in which `*` stands for a part, or for what a part has at its
 * place (`order-*`), and `**` at the end for all that follows, which stays as it is. Matching takes one look at each part.
 */
export interface NamePattern {
  readonly text: string
  readonly parts: readonly Part[]
  /** It ends in `**`. */
  readonly isOpen: boolean
}

interface Part {
  readonly text: string
  /** What stands before and after its `*`; null when it has none. */
  readonly around: readonly [before: string, after: string] | null
}

export const METHOD = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|CONNECT) /

const REST = '**'

const readPart = (text: string): Part => {
  const star = text.indexOf('*')
  return { text, around: star < 0 ? null : [text.slice(0, star), text.slice(star + 1)] }
}

/** What is wrong with a rule, in a sentence for its author; null when nothing is. */
const faultOf = (text: string, parts: readonly string[]): string | null => {
  if (text.length > LIMITS.NAME_RULE_CHARS) return `A rule has at most ${LIMITS.NAME_RULE_CHARS} characters.`
  if (parts.length > LIMITS.NAME_PARTS) return `A rule has at most ${LIMITS.NAME_PARTS} parts.`
  if (text !== text.trim() || /\p{Cc}/u.test(text)) return 'A rule has no spaces at its ends and no control characters.'
  if (/[?#]/.test(text)) return 'A rule is a path: it has no query.'
  if (METHOD.test(text)) return 'A rule is a path without its method: it holds for all methods.'
  if (parts.some((part, index) => part === REST && index < parts.length - 1)) return '`**` stands at the end only.'
  if (parts.some((part) => part !== REST && part.indexOf('*') !== part.lastIndexOf('*'))) {
    return 'A part of a rule has at most one `*`.'
  }
  if (parts.every((part) => part.replaceAll('*', '') === '')) return 'A rule needs a part that is more than `*`.'
  return null
}

/** @returns a sentence when it is no rule */
export const readPattern = (text: string): Result<NamePattern, string> => {
  const parts = text.split('/')
  const fault = faultOf(text, parts)
  if (fault !== null) return err(fault)
  const isOpen = parts.at(-1) === REST
  return ok({ text, isOpen, parts: (isOpen ? parts.slice(0, -1) : parts).map(readPart) })
}

const matches = ({ text, around }: Part, part: string): boolean => {
  if (around === null) return part === text
  const [before, after] = around
  return part.length > before.length + after.length && part.startsWith(before) && part.endsWith(after)
}

/** The name that a rule gives to a path; null when it says nothing about it. */
export const applyPattern = ({ isOpen, parts }: NamePattern, path: readonly string[]): string | null => {
  if (isOpen ? path.length < parts.length : path.length !== parts.length) return null
  const named: string[] = []
  for (const [index, part] of path.entries()) {
    const wanted = parts[index]
    if (wanted !== undefined && !matches(wanted, part)) return null
    named.push(wanted?.text ?? part)
  }
  return named.join('/')
}

const plainParts = ({ parts }: NamePattern): number => parts.filter(({ around }) => around === null).length

/** The one that says more comes first: longer, with fewer `*`, and without `**`. */
export const byPrecision = (one: NamePattern, other: NamePattern): number =>
  other.parts.length - one.parts.length ||
  plainParts(other) - plainParts(one) ||
  Number(one.isOpen) - Number(other.isOpen) ||
  (one.text < other.text ? -1 : 1)
