import { err, ok, type Result } from '../lib/result.ts'
import { findEventField, type EventField } from './event-fields.ts'
import { isIssueKey } from './issue-keys.ts'
import {
  isWildcard,
  textOf,
  type FieldTerm,
  type HasTerm,
  type Pattern,
  type SearchError,
  type SearchNode,
} from './query.ts'
import { parseNumber, parseTimeRange } from './values.ts'

/** A ClickHouse condition over `events`, with named parameters; never a value inside the text. */
export interface EventFilter {
  readonly sql: string
  readonly params: Readonly<Record<string, SearchParameter>>
}

type SearchParameter = string | number | readonly string[] | readonly number[]

export interface EventFilterContext {
  /** Milliseconds since the epoch, for relative times. */
  readonly now: number
  /** What `release:latest` means: the newest releases of the searched projects. */
  readonly latestReleases?: readonly string[]
  /** Ids by upper-case short id (merged issues have several), and by project slug: the caller knows the organisation. */
  readonly issueIds?: ReadonlyMap<string, readonly number[]>
  readonly projectIds?: ReadonlyMap<string, number>
}

/**
 * Each tag as `key=value`: the expression of the index `by_tags`, word for word, which answers without reading the tags.
 * Keys have no `=` in them (protocol.md 3.1), so that a pair says one thing only.
 */
const TAG_PAIRS = "arrayMap((k, v) -> concat(k, '=', v), mapKeys(events.tags), mapValues(events.tags))"

/** Kinds of fields whose values have an order. */
const ORDERED: ReadonlySet<EventField['kind']> = new Set(['time', 'number', 'version'])

const MATCH_EVERYTHING: EventFilter = { sql: '1', params: {} }

/**
 * Compiles a search over events. Columns are qualified with `events`.
 *
 * Tags and names match exactly, as in Sentry; messages and free text match anywhere and without regard to case. A
 * negated term also matches events that lack the field.
 */
export const toEventFilter = (
  root: SearchNode | null,
  context: EventFilterContext,
): Result<EventFilter, SearchError> => {
  if (root === null) return ok(MATCH_EVERYTHING)
  const compiler = new Compiler(context)
  const sql = compiler.compile(root)
  return compiler.error === null ? ok({ sql, params: compiler.params }) : err(compiler.error)
}

class Compiler {
  readonly params: Record<string, SearchParameter> = {}
  error: SearchError | null = null
  private readonly context: EventFilterContext
  private count = 0

  constructor(context: EventFilterContext) {
    this.context = context
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
    const name = `p${this.count++}`
    this.params[name] = value
    return `{${name}:${type}}`
  }

  private has(term: HasTerm): string {
    const sql = this.present(findEventField(term.key.name, term.key.tag))
    return term.negated ? `NOT ${sql}` : sql
  }

  private present(field: EventField): string {
    switch (field.kind) {
      case 'text':
        return `(events.${field.column} != '')`
      case 'part':
      case 'version':
        return `(${field.sql} != '')`
      case 'words':
        return `(events.message != '')`
      case 'list':
        return `notEmpty(events.${field.column})`
      case 'tag':
        return `(events.tags[${this.bind(field.name, 'String')}] != '')`
      case 'boolean':
      case 'time':
      case 'uuid':
      case 'number':
        return '(1)'
    }
  }

  private field(term: FieldTerm): string {
    const special = this.special(term)
    const sql = special ?? this.ordinary(term, findEventField(term.key.name, term.key.tag))
    return term.negated ? `NOT ${sql}` : sql
  }

  /** Keys whose values name something that the ledger knows. Null for all others. */
  private special(term: FieldTerm): string | null {
    if (term.key.tag) return null
    switch (term.key.name) {
      case 'issue':
        return this.ids(term, 'issue_id', (value) => this.context.issueIds?.get(value.toUpperCase()) ?? [])
      case 'project':
      case 'project.name':
        return this.ids(term, 'project_id', (value) => this.context.projectIds?.get(value) ?? [])
      case 'release': {
        if (!term.values.some((value) => textOf(value) === 'latest')) return null
        const others = term.values.map(textOf).filter((value) => value !== 'latest')
        return `(events.release IN ${this.bind([...(this.context.latestReleases ?? []), ...others], 'Array(String)')})`
      }
      default:
        return null
    }
  }

  private ids(term: FieldTerm, column: string, find: (value: string) => number | readonly number[]): string {
    const ids = term.values.flatMap((value) => find(textOf(value)))
    return ids.length === 0 ? '(0)' : `(events.${column} IN ${this.bind(ids, 'Array(UInt64)')})`
  }

  private ordinary(term: FieldTerm, field: EventField): string {
    const { operator, position, key } = term
    if (!key.tag && isIssueKey(key.name)) {
      return this.fail(
        `"${key.name}" is asked of issues, and this is a search for events. If it is a tag, write tags[${key.name}].`,
        position,
      )
    }
    if (operator !== '=' && !ORDERED.has(field.kind)) {
      return this.fail(`"${key.name}" cannot be compared with ${operator}. Use ${key.name}:value.`, position)
    }
    return `(${term.values.map((value) => this.one(term, field, value)).join(' OR ')})`
  }

  private one(term: FieldTerm, field: EventField, value: Pattern): string {
    const text = textOf(value)
    switch (field.kind) {
      case 'text':
        return this.text(`events.${field.column}`, value, field.ignoreCase === true)
      case 'tag':
        return isWildcard(value) || text === ''
          ? this.text(`events.tags[${this.bind(field.name, 'String')}]`, value, false)
          : `has(${TAG_PAIRS}, ${this.bind(`${field.name}=${text}`, 'String')})`
      case 'words':
        return this.words(value)
      case 'list':
        if (text === '') return `empty(events.${field.column})`
        if (!isWildcard(value) && field.ignoreCase !== true)
          return `has(events.${field.column}, ${this.bind(text, 'String')})`
        return `arrayExists(x -> ${this.text('x', value, field.ignoreCase === true)}, events.${field.column})`
      case 'boolean': {
        const yes = ['true', '1', 'yes'].includes(text)
        if (!yes && !['false', '0', 'no'].includes(text)) {
          return this.fail(`"${term.key.name}" is true or false.`, term.position)
        }
        return yes ? `(${field.sql})` : `NOT (${field.sql})`
      }
      case 'time':
        return this.time(term, field.column, text)
      case 'part':
        return this.text(field.sql, value, false)
      case 'version':
        return term.operator === '=' ? this.text(field.sql, value, false) : this.version(term, field.sql, text)
      case 'uuid':
        return this.uuid(term, field.column, text)
      case 'number': {
        const number = parseNumber(text)
        if (number === null) return this.fail(`"${text}" is not a number.`, term.position)
        return `events.${field.column} ${term.operator} ${this.bind(number, 'Float64')}`
      }
    }
  }

  private text(column: string, value: Pattern, ignoreCase: boolean): string {
    if (isWildcard(value)) {
      if (value.every((part) => part === '')) return `${column} != ''`
      return `${column} ${ignoreCase ? 'ILIKE' : 'LIKE'} ${this.bind(toLike(value), 'String')}`
    }
    const bound = this.bind(textOf(value), 'String')
    return ignoreCase ? `lowerUTF8(${column}) = lowerUTF8(${bound})` : `${column} = ${bound}`
  }

  /** The column holds lower case and has an index of its trigrams. */
  private words(value: Pattern): string {
    const lower = value.map((part) => part.toLowerCase())
    return `(events.search_text LIKE ${this.bind(`%${toLike(lower)}%`, 'String')})`
  }

  private time(term: FieldTerm, column: string, text: string): string {
    const range = parseTimeRange(term.operator, text, this.context.now, false)
    if (range === null) {
      return this.fail(`"${text}" is no time. Write -24h, 2026-01-31 or 2026-01-31T10:00:00.`, term.position)
    }
    const bounds: string[] = []
    if (range.from !== undefined)
      bounds.push(`events.${column} >= fromUnixTimestamp64Milli(toInt64(${this.bind(range.from, 'Float64')}))`)
    if (range.to !== undefined)
      bounds.push(`events.${column} < fromUnixTimestamp64Milli(toInt64(${this.bind(range.to, 'Float64')}))`)
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

  private uuid(term: FieldTerm, column: string, text: string): string {
    const hex = text.replaceAll('-', '').toLowerCase()
    if (!/^[0-9a-f]{32}$/.test(hex)) {
      return this.fail(`"${text}" is no id of an event. It has 32 hexadecimal characters.`, term.position)
    }
    return `events.${column} = toUUIDOrZero(${this.bind(toHyphenated(hex), 'String')})`
  }
}

const toHyphenated = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`

/** `%` and `_` mean themselves, wildcards become `%`. The same in ClickHouse and, with `ESCAPE '\'`, in SQL. */
export const toLike = (value: Pattern): string =>
  value.map((part) => part.replaceAll(/[\\%_]/g, (character) => `\\${character}`)).join('%')
