import { err, ok, type Result } from '../lib/result.ts'
import { LIMITS } from '../limits.ts'
import type { Operator, Pattern, SearchError, SearchKey, SearchNode, SearchQuery } from './query.ts'

/**
 * Reads Sentry's search language: `key:value`, `!key:value`, `key:>5`, `key:[a,b]`, `has:key`, `tags[key]:value`,
 * wildcards `*` (`\*` is a star), quoted values, free text, and `AND`, `OR` (which binds weaker) and parentheses.
 * Terms beside one another mean AND.
 *
 * Bounded by `SEARCH_CHARACTERS`, `SEARCH_TERMS`, `SEARCH_DEPTH` and `SEARCH_LIST_VALUES`; linear in the text.
 */
export const parseSearch = (text: string): Result<SearchQuery, SearchError> => {
  if (text.length > LIMITS.SEARCH_CHARACTERS) {
    return err({
      message: `The search is longer than ${LIMITS.SEARCH_CHARACTERS} characters. Shorten it.`,
      position: LIMITS.SEARCH_CHARACTERS,
    })
  }
  const reader = new Reader(text)
  try {
    const root = reader.readOr(0)
    reader.skipSpace()
    if (!reader.atEnd()) throw new Problem('This closing parenthesis closes nothing. Remove it.', reader.position)
    return ok({ root })
  } catch (problem) {
    if (problem instanceof Problem) return err({ message: problem.message, position: problem.position })
    throw problem
  }
}

/** Leaves the recursive descent; never leaves this file. */
class Problem extends Error {
  readonly position: number
  constructor(message: string, position: number) {
    super(message)
    this.position = position
  }
}

const KEY = /(?:tags\[([^\]\s]{1,200})\]|"([^"\n]{1,200})"|([A-Za-z0-9_][A-Za-z0-9_.-]{0,199}(?:\(\))?)):/y

class Reader {
  readonly text: string
  position = 0
  private terms = 0

  constructor(text: string) {
    this.text = text
  }

  atEnd(): boolean {
    return this.position >= this.text.length
  }

  skipSpace(): void {
    while (!this.atEnd() && isSpace(this.peek())) this.position++
  }

  private peek(): string {
    return this.text.charAt(this.position)
  }

  readOr(depth: number): SearchNode | null {
    const children: SearchNode[] = []
    let lastOr: number | null = null
    for (;;) {
      const child = this.readAnd(depth)
      const at = this.position
      const more = this.takeWord('OR')
      if (child !== null) children.push(child)
      else if (more || lastOr !== null) throw new Problem('OR needs a term on both sides.', lastOr ?? at)
      lastOr = at
      if (!more) return children.length > 1 ? { kind: 'or', children } : (children[0] ?? null)
    }
  }

  private readAnd(depth: number): SearchNode | null {
    const children: SearchNode[] = []
    for (;;) {
      this.skipSpace()
      if (this.atEnd() || this.peek() === ')' || this.seesWord('OR')) break
      const at = this.position
      if (this.takeWord('AND')) {
        this.skipSpace()
        const ends = this.atEnd() || this.peek() === ')' || this.seesWord('OR') || this.seesWord('AND')
        if (children.length === 0 || ends) throw new Problem('AND needs a term on both sides.', at)
        continue
      }
      const child = this.peek() === '(' ? this.readGroup(depth) : this.readTerm()
      if (child !== null) children.push(child)
    }
    return children.length > 1 ? { kind: 'and', children } : (children[0] ?? null)
  }

  private readGroup(depth: number): SearchNode | null {
    const start = this.position
    if (depth >= LIMITS.SEARCH_DEPTH) {
      throw new Problem(`Parentheses are nested more than ${LIMITS.SEARCH_DEPTH} deep. Simplify the search.`, start)
    }
    this.position++
    const inner = this.readOr(depth + 1)
    this.skipSpace()
    if (this.peek() !== ')') throw new Problem('This parenthesis is never closed. Add a ")".', start)
    this.position++
    return inner
  }

  private seesWord(word: string): boolean {
    if (!this.text.startsWith(word, this.position)) return false
    const after = this.text.charAt(this.position + word.length)
    return after === '' || isSpace(after) || after === '(' || after === ')'
  }

  private takeWord(word: string): boolean {
    this.skipSpace()
    if (!this.seesWord(word)) return false
    this.position += word.length
    return true
  }

  private readTerm(): SearchNode {
    const position = this.position
    if (++this.terms > LIMITS.SEARCH_TERMS) {
      throw new Problem(`The search has more than ${LIMITS.SEARCH_TERMS} terms. Shorten it.`, position)
    }
    const negated = this.peek() === '!'
    KEY.lastIndex = position + (negated ? 1 : 0)
    const match = KEY.exec(this.text)
    // `https://…` is an address that somebody pasted, not a key.
    if (match === null || this.text.startsWith('//', KEY.lastIndex)) {
      return { kind: 'text', value: this.readValue(position), position }
    }
    this.position = KEY.lastIndex
    const [, tag, quoted, plain] = match
    const key: SearchKey = { name: tag ?? quoted ?? plain ?? '', tag: tag !== undefined }
    if (key.name === 'has' && !key.tag) return this.readHas(negated, position)

    const operator = this.readOperator()
    if (this.peek() === '[') {
      if (operator !== '=') throw new Problem('A list cannot be compared. Use one value after the sign.', position)
      return { kind: 'field', key, negated, operator, values: this.readList(), position }
    }
    if (this.atEnd() || isSpace(this.peek()) || this.peek() === ')') {
      throw new Problem(`Nothing follows "${key.name}:". Add a value, or "" for an empty one.`, position)
    }
    return { kind: 'field', key, negated, operator, values: [this.readValue(this.position)], position }
  }

  private readHas(negated: boolean, position: number): SearchNode {
    KEY.lastIndex = this.position
    const tag = /^tags\[([^\]\s]{1,200})\]/.exec(this.text.slice(this.position, this.position + 220))
    if (tag !== null) {
      this.position += tag[0].length
      return { kind: 'has', key: { name: tag[1] ?? '', tag: true }, negated, position }
    }
    const name = textOfPattern(this.readValue(this.position))
    if (name === '') throw new Problem('Nothing follows "has:". Name a field or a tag.', position)
    return { kind: 'has', key: { name, tag: false }, negated, position }
  }

  private readOperator(): Operator {
    for (const operator of ['>=', '<=', '>', '<'] as const) {
      if (this.text.startsWith(operator, this.position)) {
        this.position += operator.length
        return operator
      }
    }
    if (this.peek() === '=') this.position++
    return '='
  }

  private readList(): readonly Pattern[] {
    const start = this.position
    const values: Pattern[] = []
    this.position++
    for (;;) {
      this.skipSpace()
      if (this.peek() === ']' && values.length > 0) break
      const at = this.position
      const value = this.peek() === '"' ? this.readQuoted() : this.readPlain(at, (c) => c === ',' || c === ']')
      if (value.length === 1 && value[0] === '' && this.text.charAt(at) !== '"') {
        throw new Problem('A value of this list is empty. Write the values between commas.', at)
      }
      values.push(value)
      if (values.length > LIMITS.SEARCH_LIST_VALUES) {
        throw new Problem(`A list may have ${LIMITS.SEARCH_LIST_VALUES} values. Shorten it.`, start)
      }
      this.skipSpace()
      if (this.peek() === ']') break
      if (this.peek() !== ',') throw new Problem('This list is never closed. Add a "]".', start)
      this.position++
    }
    this.position++
    return values
  }

  private readValue(start: number): Pattern {
    this.position = start
    return this.peek() === '"' ? this.readQuoted() : this.readPlain(start, isSpace)
  }

  private readQuoted(): Pattern {
    const start = this.position
    const parts = ['']
    for (this.position++; !this.atEnd(); this.position++) {
      const character = this.peek()
      if (character === '"') {
        this.position++
        return parts
      }
      this.append(parts, character)
    }
    throw new Problem('This quotation mark is never closed. Add a second one.', start)
  }

  /** Parentheses inside a value are part of it as long as they are balanced: `message:foo()`. */
  private readPlain(start: number, ends: (character: string) => boolean): Pattern {
    const parts = ['']
    let open = 0
    for (this.position = start; !this.atEnd(); this.position++) {
      const character = this.peek()
      if (ends(character) || (character === ')' && open === 0)) break
      if (character === '(') open++
      if (character === ')') open--
      this.append(parts, character)
    }
    const last = parts.length - 1
    parts[last] = (parts[last] ?? '').trimEnd()
    return parts
  }

  private append(parts: string[], character: string): void {
    const next = this.text.charAt(this.position + 1)
    if (character === '*') {
      parts.push('')
    } else if (character === '\\' && (next === '*' || next === '"' || next === '\\')) {
      this.position++
      parts[parts.length - 1] += next
    } else {
      parts[parts.length - 1] += character
    }
  }
}

const isSpace = (character: string): boolean =>
  character === ' ' || character === '\t' || character === '\n' || character === '\r'

const textOfPattern = (pattern: Pattern): string => pattern.join('*')
