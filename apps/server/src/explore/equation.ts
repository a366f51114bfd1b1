import { err, ok, type Result } from '../lib/result.ts'
import { isCall } from './call.ts'
import { LIMITS } from './limits.ts'

/** Arithmetic over functions and numbers: `equation|sum(a) / count() * 100`. */

type Token = { readonly kind: 'sign' | 'number' | 'call'; readonly text: string }

const SIGNS = new Set(['+', '-', '*', '/', '(', ')'])
const NUMBER = /\d{1,15}(?:\.\d{1,9})?/y
const NAME = /[a-z][a-z0-9_]*\(/y

/** Where the call that begins here ends: behind its own closing bracket. -1 when it never does. */
const endOfCall = (text: string, from: number): number => {
  let depth = 0
  let quote = ''
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '`' || character === '"') quote = character
    else if (character === '(') depth += 1
    else if (character === ')' && --depth === 0) return at + 1
  }
  return -1
}

const tokenize = (text: string): Result<Token[], string> => {
  const tokens: Token[] = []
  for (let at = 0; at < text.length;) {
    const character = text.charAt(at)
    if (character === ' ') {
      at += 1
      continue
    }
    if (SIGNS.has(character)) {
      tokens.push({ kind: 'sign', text: character })
      at += 1
      continue
    }
    NUMBER.lastIndex = at
    const number = NUMBER.exec(text)?.[0]
    if (number !== undefined) {
      tokens.push({ kind: 'number', text: number })
      at += number.length
      continue
    }
    NAME.lastIndex = at
    const end = NAME.test(text) ? endOfCall(text, at) : -1
    if (end === -1) return err(`"${text.slice(at, at + 40)}" is neither a function nor a number nor one of + - * /.`)
    tokens.push({ kind: 'call', text: text.slice(at, end) })
    at = end
  }
  return ok(tokens)
}

/** SQL of the equation; null wherever something is divided by 0. */
export const compileEquation = (
  text: string,
  {
    term,
    number,
  }: { readonly term: (call: string) => Result<string, string>; readonly number: (value: number) => string },
): Result<string, string> => {
  const tokens = tokenize(text)
  if (!tokens.ok) return tokens
  const terms = tokens.value.filter(({ kind }) => kind !== 'sign').length
  if (terms === 0)
    return err(
      'The equation is empty. Write functions and numbers with + - * / between them, such as sum(a) / count().',
    )
  if (terms > LIMITS.EQUATION_TERMS)
    return err(`An equation has at most ${LIMITS.EQUATION_TERMS} functions and numbers.`)
  return new Reader(tokens.value, term, number).read()
}

class Reader {
  readonly #tokens: readonly Token[]
  readonly #term: (call: string) => Result<string, string>
  readonly #number: (value: number) => string
  #at = 0

  constructor(
    tokens: readonly Token[],
    term: (call: string) => Result<string, string>,
    number: (value: number) => string,
  ) {
    this.#tokens = tokens
    this.#term = term
    this.#number = number
  }

  read(): Result<string, string> {
    const whole = this.#sum(0)
    if (!whole.ok) return whole
    const rest = this.#tokens[this.#at]
    return rest === undefined ? whole : err(`The equation cannot be read from "${rest.text}" on.`)
  }

  #sign(...wanted: readonly string[]): string | null {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'sign' || !wanted.includes(token.text)) return null
    this.#at += 1
    return token.text
  }

  #sum(depth: number): Result<string, string> {
    let left = this.#product(depth)
    for (let sign = this.#sign('+', '-'); left.ok && sign !== null; sign = this.#sign('+', '-')) {
      const right = this.#product(depth)
      if (!right.ok) return right
      left = ok(`(${left.value} ${sign} ${right.value})`)
    }
    return left
  }

  #product(depth: number): Result<string, string> {
    let left = this.#factor(depth)
    for (let sign = this.#sign('*', '/'); left.ok && sign !== null; sign = this.#sign('*', '/')) {
      const right = this.#factor(depth)
      if (!right.ok) return right
      left = ok(sign === '*' ? `(${left.value} * ${right.value})` : `(${left.value} / nullIf(${right.value}, 0))`)
    }
    return left
  }

  #factor(depth: number): Result<string, string> {
    if (depth > LIMITS.EQUATION_DEPTH) return err(`Its brackets are nested more than ${LIMITS.EQUATION_DEPTH} deep.`)
    if (this.#sign('-') !== null) {
      const negated = this.#factor(depth + 1)
      return negated.ok ? ok(`(-${negated.value})`) : negated
    }
    if (this.#sign('(') !== null) {
      const inner = this.#sum(depth + 1)
      if (!inner.ok) return inner
      return this.#sign(')') === null ? err('A bracket of the equation is never closed.') : inner
    }
    const token = this.#tokens[this.#at]
    if (token === undefined || token.kind === 'sign') return err('Something is missing in the equation.')
    this.#at += 1
    if (token.kind === 'number') return ok(this.#number(Number(token.text)))
    return isCall(token.text) ? this.#term(token.text) : err(`"${token.text}" is no function.`)
  }
}
