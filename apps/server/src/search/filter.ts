import {
  isWildcard,
  textOf,
  type FieldTerm,
  type HasTerm,
  type Pattern,
  type SearchNode,
} from '@firsthand/search-syntax'
import { err, ok, type Result } from '../lib/result.ts'
import type { HexField, IgnoredCase, LookedUp, NestedField, SearchedTable, SearchField } from './fields.ts'
import type { SearchError } from './parse.ts'
import { parseNumber, parseQuantity, parseTimeRange, QUANTITIES } from './values.ts'

/** A ClickHouse condition over a table, with named parameters; never a value inside the text. */
export interface RowFilter {
  readonly sql: string
  readonly params: Readonly<Record<string, SearchParameter>>
}

type SearchParameter = string | number | readonly string[] | readonly number[]

/** Kinds of fields whose values have an order. */
const ORDERED: ReadonlySet<SearchField['kind']> = new Set(['time', 'number', 'version', 'attribute'])

const UUID_CHARACTERS = 32

const MATCH_EVERYTHING: RowFilter = { sql: '1', params: {} }

/**
 * Compiles a search over the rows of a table.
 *
 * Tags and names match exactly, as in Sentry; the searched text and free words match anywhere and without regard to case.
 * A negated term also matches rows that lack the field.
 *
 * @param now milliseconds since the epoch, for relative times
 * @param prefix of its parameters, where one statement has several filters
 */
export const compileFilter = (
  root: SearchNode | null,
  table: SearchedTable,
  now: number,
  prefix = 'p',
): Result<RowFilter, SearchError> => {
  if (root === null) return ok(MATCH_EVERYTHING)
  const compiler = new Compiler(table, now, prefix)
  const sql = compiler.compile(root)
  return compiler.error === null ? ok({ sql, params: compiler.params }) : err(compiler.error)
}

class Compiler {
  readonly params: Record<string, SearchParameter> = {}
  error: SearchError | null = null
  private readonly table: SearchedTable
  private readonly now: number
  private readonly prefix: string
  private count = 0

  constructor(table: SearchedTable, now: number, prefix: string) {
    this.table = table
    this.now = now
    this.prefix = prefix
  }

  compile(node: SearchNode): string {
    switch (node.kind) {
      case 'and':
        return `(${node.children.map((child) => this.compile(child)).join(' AND ')})`
      case 'or':
        return `(${node.children.map((child) => this.compile(child)).join(' OR ')})`
      case 'text':
        return this.words(node.value)
      case 'has':
        return this.has(node)
      case 'field':
        return this.field(node)
    }
  }

  private fail(message: string, position: number): string {
    this.error ??= { message, position }
    return '0'
  }

  private bind(value: SearchParameter, type: 'String' | 'Float64' | 'Array(String)' | 'Array(UInt64)'): string {
    const name = `${this.prefix}${this.count++}`
    this.params[name] = value
    return `{${name}:${type}}`
  }

  private has(term: HasTerm): string {
    const refusal = this.table.refuse?.(term.key) ?? null
    if (refusal !== null) return this.fail(refusal, term.position)
    const sql = this.present(this.table.fieldOf(term.key))
    return term.negated ? `NOT ${sql}` : sql
  }

  private present(field: SearchField): string {
    switch (field.kind) {
      case 'text':
      case 'choice':
      case 'hex':
      case 'part':
      case 'version':
      case 'words':
        return `(${field.sql} != '')`
      case 'list':
        return `notEmpty(${field.sql})`
      case 'tag':
        return `(${this.tags.map}[${this.bind(field.name, 'String')}] != '')`
      case 'attribute':
        return `(${field.text} != '' OR isNotNull(${field.number}) OR isNotNull(${field.flag}))`
      case 'number':
        return field.nullable === true ? `isNotNull(${field.sql})` : '(1)'
      case 'nested':
        return this.nested(field, this.present(field.of))
      case 'boolean':
      case 'time':
        return `isNotNull(${field.sql})`
      case 'uuid':
        return `(${field.sql} != toUUIDOrZero(''))`
    }
  }

  private field(term: FieldTerm): string {
    const lookedUp = this.table.lookUp?.(term) ?? null
    const sql = lookedUp === null ? this.ordinary(term, this.table.fieldOf(term.key)) : this.among(lookedUp)
    return term.negated ? `NOT ${sql}` : sql
  }

  private among({ sql, type, values }: LookedUp): string {
    return values.length === 0 ? '(0)' : `(${sql} IN ${this.bind(values, type)})`
  }

  private ordinary(term: FieldTerm, field: SearchField): string {
    const { operator, position, key } = term
    const refusal = this.table.refuse?.(key) ?? null
    if (refusal !== null) return this.fail(refusal, position)
    const compared = field.kind === 'nested' ? field.of.kind : field.kind
    if (operator !== '=' && key.number !== true && !ORDERED.has(compared)) {
      const asNumber = field.kind === 'tag' ? `, or tags[${field.name},number]:${operator}5 for numbers` : ''
      const sentence = `"${key.name}" cannot be compared with ${operator}. Use ${key.name}:value${asNumber}.`
      return this.fail(sentence, position)
    }
    // An empty list: none of no values can match.
    if (term.values.length === 0) return '(0)'
    return `(${term.values.map((value) => this.one(term, field, value)).join(' OR ')})`
  }

  private one(term: FieldTerm, field: SearchField, value: Pattern): string {
    const text = textOf(value)
    switch (field.kind) {
      case 'text':
        return this.text(field.sql, value, field.ignoreCase)
      case 'choice':
        return this.choice(term, field, value)
      case 'hex':
        return this.hex(term, field, value)
      case 'nested':
        return this.nested(field, this.one(term, field.of, value))
      case 'tag':
        if (term.key.number === true) {
          const tag = `${this.tags.map}[${this.bind(field.name, 'String')}]`
          return this.number(term, { kind: 'number', sql: `toFloat64OrNull(${tag})`, nullable: true }, text)
        }
        return isWildcard(value) || text === ''
          ? this.text(`${this.tags.map}[${this.bind(field.name, 'String')}]`, value)
          : `has(${this.tags.pairs}, ${this.bind(`${field.name}=${text}`, 'String')})`
      case 'words':
        return this.words(value)
      case 'list':
        if (text === '') return `empty(${field.sql})`
        if (!isWildcard(value) && field.ignoreCase !== true) return `has(${field.sql}, ${this.bind(text, 'String')})`
        return `arrayExists(x -> ${this.text('x', value, field.ignoreCase)}, ${field.sql})`
      case 'boolean': {
        const yes = ['true', '1', 'yes'].includes(text)
        if (!yes && !['false', '0', 'no'].includes(text)) {
          return this.fail(`"${term.key.name}" is true or false.`, term.position)
        }
        return yes ? `(${field.sql})` : `NOT (${field.sql})`
      }
      case 'time':
        return this.time(term, field.sql, text)
      case 'part':
        return this.text(field.sql, value, field.ignoreCase)
      case 'version':
        return term.operator === '=' ? this.text(field.sql, value) : this.version(term, field.sql, text)
      case 'uuid':
        return this.uuid(term, field, text)
      case 'number':
        return this.number(term, field, text)
      case 'attribute':
        return this.attribute(term, field, value)
    }
  }

  private get tags(): { readonly map: string; readonly pairs: string } {
    if (this.table.tags === null) throw new Error('a field of a table without tags is one')
    return this.table.tags
  }

  /** Whatever it was sent as: `"500"`, 500 and, for true and false, a truth. */
  private attribute(term: FieldTerm, field: SearchField & { readonly kind: 'attribute' }, value: Pattern): string {
    const text = textOf(value)
    if (term.operator !== '=') {
      const own = this.number(term, { kind: 'number', sql: field.number, nullable: true, quantity: 'any' }, text)
      const sent = { kind: 'number', sql: `toFloat64OrNull(${field.text})`, nullable: true, quantity: 'any' } as const
      return `(${own} OR ${this.number(term, sent, text)})`
    }
    if (isWildcard(value)) {
      if (value.every((part) => part === '')) return this.present(field)
      const number = `ifNull(toString(${field.number}), '')`
      return `(${this.text(field.text, value)} OR ${this.text(number, value)})`
    }
    if (text === '') return `NOT ${this.present(field)}`
    const any = [this.text(field.text, value)]
    const number = parseNumber(text)
    if (number !== null) any.push(`ifNull(${field.number} = ${this.bind(number, 'Float64')}, 0)`)
    const truth = term.key.boolean === true && (text === '1' || text === '0') ? String(text === '1') : text
    if (truth === 'true' || truth === 'false') any.push(`ifNull(${field.flag} = ${truth}, 0)`)
    return `(${any.join(' OR ')})`
  }

  private number(term: FieldTerm, field: SearchField & { readonly kind: 'number' }, text: string): string {
    const { quantity } = field
    const number = quantity === undefined ? parseNumber(text) : parseQuantity(text, quantity)
    if (number === null) {
      const examples = quantity === undefined ? '5, 1.5 or 2k' : QUANTITIES[quantity]
      return this.fail(`"${text}" is not a number. Write ${examples}.`, term.position)
    }
    const comparison = `${field.sql} ${term.operator} ${this.bind(number, 'Float64')}`
    // False, not unknown, for a row without the number: a negated term must match it.
    return field.nullable === true ? `ifNull(${comparison}, 0)` : comparison
  }

  private nested({ any }: NestedField, condition: string): string {
    return any(condition, () => this.bind(this.table.projectIds ?? [], 'Array(UInt64)'))
  }

  private choice(term: FieldTerm, field: SearchField & { readonly kind: 'choice' }, value: Pattern): string {
    const lower = value.map((part) => part.toLowerCase())
    if (!isWildcard(value) && !field.values.includes(textOf(lower))) {
      const sentence = `"${textOf(value)}" is no ${term.key.name}. Use one of: ${field.values.join(', ')}.`
      return this.fail(sentence, term.position)
    }
    return this.text(field.sql, lower)
  }

  private hex(term: FieldTerm, field: HexField, value: Pattern): string {
    const { characters, longer } = field
    const lower = value.map((part) => part.replaceAll('-', '').toLowerCase())
    const text = textOf(lower)
    if (longer !== undefined && !isWildcard(value) && isHex(text, UUID_CHARACTERS)) {
      // Zeros stand where there is no id.
      return /[1-9a-f]/.test(text) ? this.sameUuid(longer, text) : '(0)'
    }
    const known = isWildcard(value) ? /^[0-9a-f*]*$/.test(text) : text === '' || isHex(text, characters)
    if (known) return this.text(field.sql, lower)
    return this.noId(
      term,
      field,
      textOf(value),
      longer === undefined ? `${characters}` : `${characters} or ${UUID_CHARACTERS}`,
    )
  }

  private noId(term: FieldTerm, { of }: { readonly of: string }, text: string, characters: string): string {
    return this.fail(`"${text}" is no id of ${of}. It has ${characters} hexadecimal characters.`, term.position)
  }

  private text(column: string, value: Pattern, ignoreCase: IgnoredCase = false): string {
    if (isWildcard(value)) {
      if (value.every((part) => part === '')) return `${column} != ''`
      return `${column} ${ignoreCase === false ? 'LIKE' : 'ILIKE'} ${this.bind(toLike(value), 'String')}`
    }
    const bound = this.bind(textOf(value), 'String')
    return ignoreCase === true ? `lowerUTF8(${column}) = lowerUTF8(${bound})` : `${column} = ${bound}`
  }

  /** The column holds lower case and has an index of its trigrams. */
  private words(value: Pattern): string {
    const lower = value.map((part) => part.toLowerCase())
    return `(${this.table.words} LIKE ${this.bind(`%${toLike(lower)}%`, 'String')})`
  }

  private time(term: FieldTerm, sql: string, text: string): string {
    const range = parseTimeRange(term.operator, text, this.now, false)
    if (range === null) {
      return this.fail(`"${text}" is no time. Write -24h, 2026-01-31 or 2026-01-31T10:00:00.`, term.position)
    }
    const bounds: string[] = []
    if (range.from !== undefined)
      bounds.push(`${sql} >= fromUnixTimestamp64Milli(toInt64(${this.bind(range.from, 'Float64')}))`)
    if (range.to !== undefined)
      bounds.push(`${sql} < fromUnixTimestamp64Milli(toInt64(${this.bind(range.to, 'Float64')}))`)
    return `(${bounds.join(' AND ')})`
  }

  /** Four numbers, then whether it is a finished version, then what stands behind the hyphen. */
  private version(term: FieldTerm, sql: string, text: string): string {
    const match = /^v?(\d{1,9}(?:\.\d{1,9}){0,3})(?:-([0-9A-Za-z.-]{1,64}))?$/.exec(text)
    if (match === null) return this.fail(`"${text}" is no version. Write it like 1.2.3 or 2.0.0-beta.1.`, term.position)
    const numbers = (match[1] ?? '').split('.').map(Number)
    const wanted = this.bind([...numbers, 0, 0, 0].slice(0, 4), 'Array(UInt64)')
    const before = this.bind(match[2] ?? '', 'String')
    const given = `arrayResize(arrayMap(n -> toUInt64OrZero(n), splitByChar('.', splitByChar('-', ${sql})[1])), 4, toUInt64(0))`
    const suffix = `extract(${sql}, '^[^-]*-(.*)$')`
    const order = `(${given}, ${suffix} = '', ${suffix}) ${term.operator} (${wanted}, ${before} = '', ${before})`
    return `(match(${sql}, '^[0-9]+([.][0-9]+)*(-|$)') AND ${order})`
  }

  private uuid(term: FieldTerm, field: SearchField & { readonly kind: 'uuid' }, text: string): string {
    const hex = text.replaceAll('-', '').toLowerCase()
    if (!isHex(hex, UUID_CHARACTERS)) return this.noId(term, field, text, `${UUID_CHARACTERS}`)
    return this.sameUuid(field.sql, hex)
  }

  private sameUuid(column: string, hex: string): string {
    return `${column} = toUUIDOrZero(${this.bind(toHyphenated(hex), 'String')})`
  }
}

const isHex = (text: string, characters: number): boolean => text.length === characters && /^[0-9a-f]+$/.test(text)

const toHyphenated = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`

/** `%` and `_` mean themselves, wildcards become `%`. The same in ClickHouse and, with `ESCAPE '\'`, in SQL. */
export const toLike = (value: Pattern): string =>
  value.map((part) => part.replaceAll(/[\\%_]/g, (character) => `\\${character}`)).join('%')
