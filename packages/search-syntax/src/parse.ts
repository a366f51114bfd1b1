import { SEARCH_BOUNDS } from './bounds.ts'
import { tokenize } from './tokenize.ts'
import type { Fault, FilterToken, SearchNode, SearchProblem, SearchToken, TextToken } from './types.ts'

export interface ParsedSearch {
  readonly tokens: readonly SearchToken[]
  /** Null for an empty search, which matches everything, and when there is a problem. */
  readonly root: SearchNode | null
  /** The first one, in the order of reading. */
  readonly problem: SearchProblem | null
}

/**
 * Reads a search of at most `SEARCH_BOUNDS`. A longer text is not even cut into tokens.
 *
 * @param isField see `tokenize`
 */
export const parseSearch = (text: string, isField?: (name: string) => boolean): ParsedSearch => {
  const { characters } = SEARCH_BOUNDS
  if (text.length > characters) {
    const message = `The search is longer than ${characters} characters. Shorten it.`
    return { tokens: [], root: null, problem: { message, position: characters, end: text.length } }
  }
  const tokens = tokenize(text, isField)
  try {
    return { tokens, root: new Reader(text, tokens).read(), problem: null }
  } catch (refusal) {
    if (refusal instanceof Refusal) return { tokens, root: null, problem: refusal.problem }
    throw refusal
  }
}

/** Leaves the recursive descent; never leaves this file. */
class Refusal extends Error {
  readonly problem: SearchProblem
  constructor(problem: SearchProblem) {
    super(problem.message)
    this.problem = problem
  }
}

const refuse = (message: string, { start, end }: Pick<Fault, 'start' | 'end'>): never => {
  throw new Refusal({ message, position: start, end })
}

const sentenceFor = ({ kind, start, end }: Fault, text: string): string => {
  switch (kind) {
    case 'quote':
      return 'This quotation mark is never closed. Add a second one.'
    case 'list':
      return 'This list is never closed. Add a “]”.'
    case 'listEntry':
      return 'A value of this list is empty. Write the values between commas.'
    case 'listLength':
      return `A list may have ${SEARCH_BOUNDS.listValues} values. Shorten it.`
    case 'comparedList':
      return 'A list cannot be compared. Use one value after the sign.'
    case 'value':
      return /[ \t\n\r]/.test(text.charAt(end))
        ? `“${text.slice(start, end)}” has no value. Write it without a blank behind the colon, or put words in quotation marks.`
        : `“${text.slice(start, end)}” has no value. Add one, or "" for an empty one.`
    case 'presence':
      return 'Nothing follows “has:”. Name a field or a tag.'
  }
}

const NEGATED_GROUP = /^!\([\w.-]+:[^/:\s]/

type Kind = SearchToken['kind']

class Reader {
  private readonly text: string
  private readonly tokens: readonly SearchToken[]
  private index = 0
  private terms = 0

  constructor(text: string, tokens: readonly SearchToken[]) {
    this.text = text
    this.tokens = tokens
  }

  read(): SearchNode | null {
    const root = this.readOr(0)
    const rest = this.tokens[this.index]
    return rest === undefined ? root : refuse('This closing parenthesis closes nothing. Remove it.', rest)
  }

  /** The token at hand, if it is of this kind; then it is left behind. */
  private take(kind: Kind): SearchToken | undefined {
    const token = this.tokens[this.index]
    if (token?.kind !== kind) return undefined
    this.index++
    return token
  }

  private sees(...kinds: readonly Kind[]): boolean {
    const token = this.tokens[this.index]
    return token !== undefined && kinds.includes(token.kind)
  }

  private readOr(depth: number): SearchNode | null {
    const children: SearchNode[] = []
    let before: SearchToken | undefined
    for (;;) {
      const child = this.readAnd(depth)
      const or = this.take('or')
      const beside = before ?? or
      if (child !== null) children.push(child)
      else if (beside !== undefined) refuse('OR needs a term on both sides.', beside)
      if (or === undefined) return joined('or', children)
      before = or
    }
  }

  private readAnd(depth: number): SearchNode | null {
    const children: SearchNode[] = []
    for (;;) {
      const token = this.tokens[this.index]
      if (token === undefined || token.kind === 'close' || token.kind === 'or') return joined('and', children)
      this.index++
      if (token.kind === 'and') {
        const ends = this.index === this.tokens.length || this.sees('close', 'or', 'and')
        if (children.length === 0 || ends) refuse('AND needs a term on both sides.', token)
        continue
      }
      const child = 'fault' in token ? this.readTerm(token) : this.readGroup(token, depth)
      if (child !== null) children.push(child)
    }
  }

  /** `NOT x:y`, `!(x:y)`: as words they would find nothing, and say nothing. */
  private refuseNegation(token: TextToken): void {
    const text = this.text.slice(token.start, token.end)
    const [next, behind] = this.tokens.slice(this.index, this.index + 2)
    const isNot = text === 'NOT' && (next?.kind === 'filter' || (next?.kind === 'open' && behind?.kind === 'filter'))
    if (isNot || NEGATED_GROUP.test(text)) {
      refuse('Only a single term can be negated. Put “!” in front of each, as in !key:value.', token)
    }
  }

  private readGroup(open: SearchToken, depth: number): SearchNode {
    if (depth >= SEARCH_BOUNDS.depth) {
      refuse(`Parentheses are nested more than ${SEARCH_BOUNDS.depth} deep. Simplify the search.`, open)
    }
    const inner = this.readOr(depth + 1)
    const close = this.take('close') ?? refuse('This parenthesis is never closed. Add a “)”.', open)
    return (
      inner ??
      refuse('Nothing stands in these parentheses. Write a term between them, or remove them.', {
        start: open.start,
        end: close.end,
      })
    )
  }

  private readTerm(token: FilterToken | TextToken): SearchNode {
    if (++this.terms > SEARCH_BOUNDS.terms) {
      refuse(`The search has more than ${SEARCH_BOUNDS.terms} terms. Shorten it.`, token)
    }
    const position = token.start
    if (token.kind === 'text') {
      this.refuseNegation(token)
      return { kind: 'text', value: token.value, position }
    }
    if (token.fault !== null) refuse(sentenceFor(token.fault, this.text), token.fault)
    const { key, negated, operator, values, presence } = token
    return presence === null
      ? { kind: 'field', key, negated, operator, values, position }
      : { kind: 'has', key: presence, negated, position }
  }
}

const joined = (kind: 'and' | 'or', children: readonly SearchNode[]): SearchNode | null =>
  children.length > 1 ? { kind, children } : (children[0] ?? null)
