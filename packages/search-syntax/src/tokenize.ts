import { SEARCH_BOUNDS } from './bounds.ts'
import {
  isWildcard,
  textOf,
  type Fault,
  type FilterToken,
  type Operator,
  type Pattern,
  type SearchKey,
  type SearchToken,
  type TextToken,
} from './types.ts'

/**
 * A tag, a quoted name, a name, or a call. A pasted address (`127.0.0.1:80`) or time is no key; and a call with arguments
 * is one only where a comparison or a number follows, so that a pasted line of code stays text.
 */
const KEY =
  /(?:tags\[([^\]\s,]{1,200}(?:,[^\]\s,]+)*?)(?:, ?(number|string|boolean))?\]|"([^"\n]{1,200})"|((?![\d.]+:)[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}(?:\(\)|\([^()\n]{1,200}\)(?=:[<>=!\d-]))?)):/y
const TAG = /tags\[([^\]\s]{1,200})\]/y
const COMPARISON = /[<>]=?|!?=/y
/** What Sentry's search field writes for its operators: their names between two private characters. */
const MATCHING = /\uF00D(DoesNot)?(Contain|StartWith|EndWith|Contains|StartsWith|EndsWith)\uF00D/y
const AND_OR = /(?:AND|OR)(?=[ \t\n\r()]|$)/iy

/**
 * Cuts any text into tokens, also one that is not finished. Never fails: what is wrong with a token is told by its
 * `fault`, what is wrong between tokens by `parseSearch`. Linear in the text.
 *
 * @param isField whether a name is certainly meant as a key. Of any other name, a colon and a blank make a word:
 * `TypeError: Cannot read …` is what somebody pasted
 */
export const tokenize = (text: string, isField: (name: string) => boolean = nothingIsField): SearchToken[] => {
  const tokens: SearchToken[] = []
  for (let at = skipBlanks(text, 0); at < text.length; at = skipBlanks(text, at)) {
    const token =
      readParenthesis(text, at) ??
      readAndOr(text, at, isField, tokens.at(-1)) ??
      readFilter(text, at, isField) ??
      readText(text, at)
    tokens.push(token)
    at = token.end
  }
  return tokens
}

const nothingIsField = (): boolean => false

const isBlank = (character: string): boolean =>
  character === ' ' || character === '\t' || character === '\n' || character === '\r'

const skipBlanks = (text: string, from: number): number => {
  let at = from
  while (isBlank(text.charAt(at))) at++
  return at
}

/** Matches exactly at an index. */
const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

const readParenthesis = (text: string, start: number): SearchToken | null => {
  const character = text.charAt(start)
  if (character !== '(' && character !== ')') return null
  return { kind: character === '(' ? 'open' : 'close', start, end: start + 1 }
}

/**
 * Capitals always join. In any other case the word joins only what is a filter or parenthesised on one side at least:
 * `null or undefined` is what somebody pasted.
 */
const readAndOr = (
  text: string,
  start: number,
  isField: (name: string) => boolean,
  before: SearchToken | undefined,
): SearchToken | null => {
  const word = matchAt(AND_OR, text, start)?.[0]
  if (word === undefined) return null
  const end = start + word.length
  const kind = word.length === 2 ? 'or' : 'and'
  const joins = word === kind.toUpperCase() || (before !== undefined && isBetween(text, end, isField, before))
  return joins ? { kind, start, end } : null
}

const isBetween = (text: string, end: number, isField: (name: string) => boolean, before: SearchToken): boolean => {
  const next = skipBlanks(text, end)
  const follows = text.charAt(next)
  if (follows === '' || follows === ')') return false
  if (before.kind === 'filter' || before.kind === 'close') return true
  return before.kind === 'text' && next > end && (follows === '(' || readFilter(text, next, isField) !== null)
}

const readText = (text: string, start: number): TextToken => {
  const whole = readValue(text, start)
  if (whole.fault === null) return { kind: 'text', value: whole.pattern, start, end: whole.end, fault: null }
  // The mark is never closed: it is text, and so is each word behind it by itself.
  const word = readPlain(text, start + 1, isBlank)
  const value = textOf(word.pattern) === '' && !isWildcard(word.pattern) ? ['"'] : word.pattern
  return { kind: 'text', value, start, end: word.end, fault: whole.fault }
}

const readFilter = (text: string, start: number, isField: (name: string) => boolean): FilterToken | null => {
  const excluded = text.charAt(start) === '!'
  const match = matchAt(KEY, text, excluded ? start + 1 : start)
  // `https://…` is an address that somebody pasted, not a key.
  if (match === null || text.startsWith('//', KEY.lastIndex)) return null
  const afterColon = KEY.lastIndex
  const [, tag, type, quoted, plain] = match
  const name = tag ?? quoted ?? plain ?? ''
  const typed = type === 'number' || type === 'boolean' ? { [type]: true as const } : {}
  const key: SearchKey = { name, tag: tag !== undefined, ...typed }
  const filter = { kind: 'filter', key, keyEnd: afterColon - 1, start, presence: null } as const

  if (name === 'has' && !key.tag) {
    const negated = excluded
    const { presence, end, fault } = readPresence(text, start, afterColon)
    const values = presence === null ? [] : [[presence.name]]
    return { ...filter, negated, presence, operator: '=', valueStart: afterColon, values, end, fault }
  }
  const [matching = '', not, how = ''] = matchAt(MATCHING, text, afterColon) ?? []
  const sign = matchAt(COMPARISON, text, afterColon + matching.length)?.[0] ?? ''
  const operator = (sign === '!=' ? '=' : sign || '=') as Operator
  const negated = (excluded !== (sign === '!=')) !== (not !== undefined)
  const valueStart = afterColon + matching.length + sign.length
  if (text.charAt(valueStart) === '[') {
    const list = readList(text, valueStart)
    const fault = operator === '=' ? list.fault : faultAt('comparedList', start, list.end)
    const values = list.values.map((value) => matched(value, how))
    return { ...filter, negated, operator, valueStart, values, end: list.end, fault }
  }
  const { pattern, end, fault } = readValue(text, valueStart)
  if (end === valueStart) {
    // At the end of the text somebody is still typing.
    if (end === afterColon && isBlank(text.charAt(end)) && !isField(name)) return null
    return { ...filter, negated, operator, valueStart, values: [], end, fault: faultAt('value', start, end) }
  }
  return { ...filter, negated, operator, valueStart, values: [matched(pattern, how)], end, fault }
}

/** The pattern that an operator of `MATCHING` makes of a value, each of whose characters means itself. */
const matched = (value: Pattern, how: string): Pattern => {
  const text = textOf(value)
  if (how === '' || text === '') return value
  return [...(how.startsWith('S') ? [] : ['']), text, ...(how.startsWith('E') ? [] : [''])]
}

const faultAt = (kind: Fault['kind'], start: number, end: number): Fault => ({ kind, start, end })

const readPresence = (
  text: string,
  start: number,
  at: number,
): { readonly presence: SearchKey | null; readonly end: number; readonly fault: Fault | null } => {
  const tag = matchAt(TAG, text, at)?.[1]
  if (tag !== undefined) return { presence: { name: tag, tag: true }, end: TAG.lastIndex, fault: null }
  const { pattern, end, fault } = readValue(text, at)
  const name = textOf(pattern)
  if (name !== '' || fault !== null) return { presence: { name, tag: false }, end, fault }
  return { presence: null, end, fault: faultAt('presence', start, end) }
}

interface Value {
  readonly pattern: Pattern
  readonly end: number
  readonly fault: Fault | null
}

const readValue = (text: string, start: number): Value =>
  text.charAt(start) === '"' ? readQuoted(text, start) : readPlain(text, start, isBlank)

const readQuoted = (text: string, start: number): Value => {
  const parts = ['']
  for (let at = start + 1; at < text.length; at = append(parts, text, at)) {
    if (text.charAt(at) === '"') return { pattern: parts, end: at + 1, fault: null }
  }
  const fault = faultAt('quote', start, text.length)
  return { pattern: parts, end: text.length, fault }
}

/** Parentheses inside a value are part of it as long as they are balanced: `message:foo()`. */
const readPlain = (text: string, start: number, ends: (character: string) => boolean): Value => {
  const parts = ['']
  let open = 0
  let at = start
  while (at < text.length) {
    const character = text.charAt(at)
    if (ends(character) || (character === ')' && open === 0)) break
    if (character === '(') open++
    if (character === ')') open--
    at = append(parts, text, at)
  }
  const last = parts.length - 1
  parts[last] = (parts[last] ?? '').trimEnd()
  return { pattern: parts, end: at, fault: null }
}

/** Adds the character at an index, or the one that a backslash stands before. Returns the index of the next one. */
const append = (parts: string[], text: string, at: number): number => {
  const character = text.charAt(at)
  const next = text.charAt(at + 1)
  if (character === '*') {
    parts.push('')
    return at + 1
  }
  const isEscape = character === '\\' && (next === '*' || next === '"' || next === '\\')
  parts[parts.length - 1] += isEscape ? next : character
  return at + (isEscape ? 2 : 1)
}

const readList = (
  text: string,
  start: number,
): { readonly values: readonly Pattern[]; readonly end: number; readonly fault: Fault | null } => {
  const values: Pattern[] = []
  let fault: Fault | null = null
  let at = start + 1
  for (;;) {
    at = skipBlanks(text, at)
    if (text.charAt(at) === ']') break
    const isQuoted = text.charAt(at) === '"'
    const value = isQuoted ? readQuoted(text, at) : readPlain(text, at, (c) => c === ',' || c === ']')
    fault ??= value.fault
    if (!isQuoted && textOf(value.pattern) === '') {
      // Where the text ends, there is no entry that could be empty: somebody is still typing.
      if (value.end < text.length) fault ??= faultAt('listEntry', at, value.end + 1)
    } else values.push(value.pattern)
    if (values.length > SEARCH_BOUNDS.listValues) {
      fault ??= faultAt('listLength', start, value.end)
    }
    at = skipBlanks(text, value.end)
    if (text.charAt(at) === ']') break
    if (text.charAt(at) !== ',') {
      fault ??= faultAt('list', start, at)
      return { values, end: at, fault }
    }
    at++
  }
  return { values, end: at + 1, fault }
}
