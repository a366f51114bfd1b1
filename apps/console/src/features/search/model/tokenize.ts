/**
 * Splits a search into tokens with their places in the text, so that the search bar can draw a chip around each filter,
 * complete the one under the caret, and point at what cannot be read. Tokens never overlap and never include the blanks
 * between them. The server's parser decides what a search means; this one only has to agree on where words begin.
 *
 * Grammar (Sentry's search syntax): `key:value`, `!key:value`, `key:>value`, `key:[a, b]`, `key:"two words"`,
 * `has:key`, `AND`, `OR`, parentheses, and everything else is text to find.
 */

export type SearchToken = FilterToken | TextToken | OperatorToken | ParenthesisToken

interface Span {
  /** Offset of the first character. */
  readonly start: number
  /** Offset after the last character. */
  readonly end: number
}

export interface FilterToken extends Span {
  readonly kind: 'filter'
  readonly negated: boolean
  /** Without quotes: `tags[user.plan]` and `"my key"` keep what the person typed between them. */
  readonly key: string
  readonly keyEnd: number
  /** `''` when none was typed. */
  readonly comparison: '' | '>' | '>=' | '<' | '<=' | '='
  readonly valueStart: number
  /** As typed, without the quotes around it. */
  readonly value: string
  readonly quoted: boolean
}

export interface TextToken extends Span {
  readonly kind: 'text'
  readonly text: string
}

export interface OperatorToken extends Span {
  readonly kind: 'operator'
  readonly operator: 'AND' | 'OR'
}

export interface ParenthesisToken extends Span {
  readonly kind: 'open' | 'close'
}

export interface SearchProblem {
  readonly at: number
  readonly end: number
  readonly message: string
}

export interface Tokenized {
  readonly tokens: readonly SearchToken[]
  readonly problem: SearchProblem | null
}

const KEY = /!?(?:[A-Za-z_][\w.-]*(?:\[[^\]\s]*\])?|"[^"]+"):/y
const COMPARISON = /(?:>=|<=|>|<|=)/y

export function tokenize(query: string): Tokenized {
  const tokens: SearchToken[] = []
  const opened: number[] = []
  let problem: SearchProblem | null = null
  const report = (at: number, end: number, message: string) => {
    problem ??= { at, end, message }
  }
  let at = 0
  while (at < query.length) {
    const character = query.charAt(at)
    if (isBlank(character)) {
      at += 1
    } else if (character === '(') {
      opened.push(at)
      tokens.push({ kind: 'open', start: at, end: at + 1 })
      at += 1
    } else if (character === ')') {
      if (opened.pop() === undefined) report(at, at + 1, 'This bracket closes nothing. Remove it.')
      tokens.push({ kind: 'close', start: at, end: at + 1 })
      at += 1
    } else {
      const token = readFilter(query, at, report) ?? readText(query, at, report)
      tokens.push(token)
      at = token.end
    }
  }
  const open = opened.at(-1)
  if (open !== undefined) report(open, open + 1, 'This bracket is never closed. Add “)”.')
  return { tokens, problem }
}

function readFilter(query: string, start: number, report: Report): FilterToken | null {
  KEY.lastIndex = start
  const matched = KEY.exec(query)?.[0]
  if (matched === undefined) return null
  const negated = matched.startsWith('!')
  const keyEnd = start + matched.length - 1
  // `https://…` pasted as text is no filter for the key "https".
  if (query.startsWith('//', keyEnd + 1)) return null
  let at = keyEnd + 1
  COMPARISON.lastIndex = at
  const comparison = (COMPARISON.exec(query)?.[0] ?? '') as FilterToken['comparison']
  at += comparison.length
  const valueStart = at
  const value = readValue(query, at, report)
  if (value.text === '' && !value.quoted) {
    report(start, value.end, `“${query.slice(start, value.end)}” has no value. Write one after the colon.`)
  }
  const key = matched.slice(negated ? 1 : 0, -1).replaceAll('"', '')
  return {
    kind: 'filter',
    start,
    end: value.end,
    negated,
    key,
    keyEnd,
    comparison,
    valueStart,
    value: value.text,
    quoted: value.quoted,
  }
}

type Report = (at: number, end: number, message: string) => void

function readValue(query: string, start: number, report: Report): { text: string; end: number; quoted: boolean } {
  const first = query.charAt(start)
  if (first === '"') {
    const end = closingQuote(query, start)
    if (end === -1) {
      report(start, query.length, 'This quotation mark is never closed. Add another one.')
      return { text: query.slice(start + 1), end: query.length, quoted: true }
    }
    return { text: query.slice(start + 1, end).replaceAll('\\"', '"'), end: end + 1, quoted: true }
  }
  if (first === '[') {
    const end = query.indexOf(']', start)
    if (end === -1) {
      report(start, query.length, 'This list is never closed. Add “]”.')
      return { text: query.slice(start), end: query.length, quoted: false }
    }
    return { text: query.slice(start, end + 1), end: end + 1, quoted: false }
  }
  const end = wordEnd(query, start)
  return { text: query.slice(start, end), end, quoted: false }
}

function readText(query: string, start: number, report: Report): TextToken | OperatorToken {
  if (query.charAt(start) === '"') {
    const end = closingQuote(query, start)
    if (end === -1) {
      report(start, query.length, 'This quotation mark is never closed. Add another one.')
      return { kind: 'text', start, end: query.length, text: query.slice(start + 1) }
    }
    return { kind: 'text', start, end: end + 1, text: query.slice(start + 1, end) }
  }
  const end = Math.max(wordEnd(query, start), start + 1)
  const text = query.slice(start, end)
  if (text === 'AND' || text === 'OR') return { kind: 'operator', start, end, operator: text }
  return { kind: 'text', start, end, text }
}

function closingQuote(query: string, open: number): number {
  for (let at = open + 1; at < query.length; at += 1) {
    if (query.charAt(at) === '\\') at += 1
    else if (query.charAt(at) === '"') return at
  }
  return -1
}

/** A bracket inside a word belongs to it as long as it is balanced: `fn(a)` is one word, `(is:new)` is not. */
function wordEnd(query: string, start: number): number {
  let depth = 0
  let at = start
  for (; at < query.length; at += 1) {
    const character = query.charAt(at)
    if (isBlank(character)) break
    if (character === '(') depth += 1
    else if (character === ')') {
      if (depth === 0) break
      depth -= 1
    }
  }
  return at
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\t' || character === '\n' || character === '\r' || character === '\u00a0'
}
