import { LIMITS } from '../limits.ts'

/** Tokens of SQL of any dialect, in one pass. It never throws: what is cut off ends where the text ends. */

export type TokenKind = 'word' | 'quoted' | 'literal' | 'sign' | 'end'

/** Dialects in which `"…"` is a text and `#` begins a comment. */
const MYSQL: ReadonlySet<string> = new Set(['mysql', 'mariadb'])
/** Dialects in which a backslash in a text is a backslash. */
const PLAIN_BACKSLASH: ReadonlySet<string> = new Set([
  'postgresql',
  'postgres',
  'sqlite',
  'mssql',
  'microsoft.sql_server',
  'oracle',
  'oracle.db',
])
const BRACKETS: ReadonlySet<string> = new Set(['mssql', 'microsoft.sql_server', 'sqlite'])

/** Characters of one operator, e.g. `<=`, `||`, `!~`. */
const OPERATORS = new Set('<>=!|&^~')
const BRACES = /\{\w{1,60}:[\w(), ]{1,60}\}/y
const PERCENT = /%(?:\(\w{1,60}\))?[sd](?!\w)/y
const TAG = /\$(?:[A-Za-z_]\w{0,62})?\$/y

const code = (character: string): number => character.charCodeAt(0)
const QUOTE = code("'")
const DOUBLE_QUOTE = code('"')
const BACK_QUOTE = code('`')
const BACKSLASH = code('\\')
const DASH = code('-')
const SLASH = code('/')
const STAR = code('*')
const DOT = code('.')
const DOLLAR = code('$')
const UNDERSCORE = code('_')
const OPEN_BRACE = code('{')
const OPEN_BRACKET = code('[')
const COLON = code(':')
const EQUALS = code('=')

const isDigit = (at: number): boolean => at >= 48 && at <= 57
const isLetter = (at: number): boolean => (at >= 97 && at <= 122) || (at >= 65 && at <= 90) || at === UNDERSCORE
const isWordStart = (at: number): boolean => isLetter(at) || at > 127
const isWordPart = (at: number): boolean => isWordStart(at) || isDigit(at) || at === DOLLAR
const isSpace = (at: number): boolean => at === 32 || (at >= 9 && at <= 13) || at === 160

export class SqlLexer {
  readonly #sql: string
  readonly #isMysql: boolean
  readonly #plainBackslash: boolean
  readonly #brackets: boolean
  #at = 0
  kind: TokenKind = 'end'
  /** Of a word without what it is qualified by (`schema.table.column` is `column`) and without quotes, and of a sign; else ''. */
  text = ''

  constructor(sql: string, system: string) {
    this.#sql = sql.length > LIMITS.SPAN_STATEMENT_CHARS ? sql.slice(0, LIMITS.SPAN_STATEMENT_CHARS) : sql
    this.#isMysql = MYSQL.has(system)
    this.#plainBackslash = PLAIN_BACKSLASH.has(system)
    this.#brackets = BRACKETS.has(system)
  }

  next(): TokenKind {
    this.#skipBlanks()
    this.text = ''
    this.kind = this.#at >= this.#sql.length ? 'end' : this.#read(this.#code(0))
    // Of `a.b.c` only `c` is told.
    while ((this.kind === 'word' || this.kind === 'quoted') && this.#code(0) === DOT && this.#isQualified()) {
      this.#at += 1
      const read = this.#code(0) === STAR ? this.#takeSign(1) : this.#read(this.#code(0))
      this.kind = read === 'word' ? 'quoted' : read
    }
    return this.kind
  }

  /** The character that comes next, without blanks and comments; '' at the end. */
  peek(): string {
    this.#skipBlanks()
    return this.#sql.charAt(this.#at)
  }

  /** Goes on behind the bracket that closes one that was read; to the end when none does. */
  skipToClosing(): void {
    for (let depth = 1; depth > 0 && this.next() !== 'end';) {
      if (this.kind !== 'sign') continue
      if (this.text === '(') depth += 1
      else if (this.text === ')') depth -= 1
    }
  }

  #code(ahead: number): number {
    return this.#sql.charCodeAt(this.#at + ahead)
  }

  #skipBlanks(): void {
    for (;;) {
      const here = this.#code(0)
      if (isSpace(here)) this.#at += 1
      else if (here === DASH && this.#code(1) === DASH) this.#skipPast('\n', 2)
      else if (here === SLASH && this.#code(1) === STAR) this.#skipPast('*/', 2)
      else if (this.#isMysql && here === 35) this.#skipPast('\n', 1)
      else return
    }
  }

  #skipPast(end: string, from: number): void {
    const found = this.#sql.indexOf(end, this.#at + from)
    this.#at = found === -1 ? this.#sql.length : found + end.length
  }

  #read(here: number): TokenKind {
    if (isWordStart(here)) return this.#readWord()
    if (isDigit(here) || (here === DOT && isDigit(this.#code(1)))) return this.#readNumber()
    switch (here) {
      case QUOTE:
        return this.#readText(QUOTE, !this.#plainBackslash)
      case DOUBLE_QUOTE:
        if (this.#isMysql) return this.#readText(DOUBLE_QUOTE, true)
        return this.#readQuoted('"')
      case BACK_QUOTE:
        return this.#readQuoted('`')
      case DOLLAR:
        return this.#readDollar()
      case OPEN_BRACE:
        return this.#readBraces()
      default:
        return this.#readSign(this.#sql.charAt(this.#at))
    }
  }

  #readWord(): TokenKind {
    const from = this.#at
    while (isWordPart(this.#code(0))) this.#at += 1
    // E'…', N'…', x'…', _utf8'…': a text that says how it is written.
    if (this.#code(0) === QUOTE && (this.#at - from <= 2 || this.#sql.charAt(from) === '_')) {
      return this.#readText(QUOTE, !this.#plainBackslash || /e/i.test(this.#sql.charAt(from)))
    }
    this.text = this.#sql.slice(from, this.#at)
    return 'word'
  }

  /** Whether a name comes behind the dot. */
  #isQualified(): boolean {
    const after = this.#code(1)
    return (
      isWordStart(after) ||
      after === STAR ||
      after === DOUBLE_QUOTE ||
      after === BACK_QUOTE ||
      (this.#brackets && after === OPEN_BRACKET)
    )
  }

  #readQuoted(end: string): TokenKind {
    const from = this.#at + 1
    const found = this.#sql.indexOf(end, from)
    this.#at = found === -1 ? this.#sql.length : found + 1
    this.text = this.#sql.slice(from, found === -1 ? this.#sql.length : found)
    return 'quoted'
  }

  #readText(quote: number, escapes: boolean): TokenKind {
    const { length } = this.#sql
    for (this.#at += 1; this.#at < length; this.#at += 1) {
      const here = this.#code(0)
      if (here === BACKSLASH && escapes) this.#at += 1
      else if (here === quote) {
        if (this.#code(1) !== quote) break
        this.#at += 1
      }
    }
    this.#at += 1
    return 'literal'
  }

  #readNumber(): TokenKind {
    for (;;) {
      const here = this.#code(0)
      const isExponentSign = (here === 43 || here === DASH) && /e/i.test(this.#sql.charAt(this.#at - 1))
      if (!isWordPart(here) && here !== DOT && !(isExponentSign && isDigit(this.#code(1)))) return 'literal'
      this.#at += 1
    }
  }

  /** `$1`, or a text between two tags. */
  #readDollar(): TokenKind {
    TAG.lastIndex = this.#at
    const tag = TAG.exec(this.#sql)?.[0]
    if (tag !== undefined) {
      this.#skipPast(tag, tag.length)
      return 'literal'
    }
    return this.#readNamed(1)
  }

  /** `{name:Type}` of ClickHouse. */
  #readBraces(): TokenKind {
    return this.#takes(BRACES) ? 'literal' : this.#takeSign(1)
  }

  /** A placeholder: `:name`, `@p1`, `$1`. */
  #readNamed(prefix: number): TokenKind {
    const from = this.#at
    this.#at += prefix
    while (isWordPart(this.#code(0))) this.#at += 1
    if (this.#at > from + prefix) return 'literal'
    this.#at = from
    return this.#takeSign(prefix)
  }

  #readSign(sign: string): TokenKind {
    if (sign === '[' && this.#brackets) return this.#readQuoted(']')
    if (sign === '?') {
      this.#at += 1
      return 'literal'
    }
    if (sign === '@') return this.#readNamed(this.#sql.charAt(this.#at + 1) === '@' ? 2 : 1)
    if (sign === ':') {
      const after = this.#code(1)
      if (after === COLON || after === EQUALS) return this.#takeSign(2)
      return this.#readNamed(1)
    }
    if (sign === '%') return this.#readPercent()
    if (!OPERATORS.has(sign)) return this.#takeSign(1)
    let length = 1
    while (OPERATORS.has(this.#sql.charAt(this.#at + length)) && length < 4) length += 1
    return this.#takeSign(length)
  }

  /** `%s`, `%d`, `%(name)s`; else the operator. */
  #readPercent(): TokenKind {
    return this.#takes(PERCENT) ? 'literal' : this.#takeSign(1)
  }

  /** @param pattern sticky */
  #takes(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    const found = pattern.test(this.#sql)
    if (found) this.#at = pattern.lastIndex
    return found
  }

  #takeSign(length: number): TokenKind {
    this.text = this.#sql.slice(this.#at, this.#at + length)
    this.#at += length
    return 'sign'
  }
}
