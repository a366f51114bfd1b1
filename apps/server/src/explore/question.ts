import { err, ok, type Result } from '../lib/result.ts'
import type { ProjectReference } from '../accounts/index.ts'
import {
  compileFilter,
  findAttribute,
  parseSearch,
  projectsNamed,
  refusalOf,
  readUnit,
  Parameters,
  textOf,
  unknownProjects,
  type Coarser,
  type Dataset,
  type FieldTerm,
  type HasTerm,
  type Period,
  type SearchedTable,
  type SearchField,
  type SearchError,
  type SearchNode,
  type SearchTerm,
} from '../search/index.ts'
import { isCall } from './call.ts'
import { readColumn, type Column } from './columns.ts'
import type { Asked } from './functions.ts'

/** Whose rows, of which time, are asked about. */
export interface Scope {
  readonly dataset: Dataset
  /** One of the dataset's names. */
  readonly name: string
  readonly organizationId: number
  readonly projects: readonly ProjectReference[]
  readonly environments: readonly string[]
  readonly period: Period
  readonly now: number
  /** Rows alone count, whatever they stand for. */
  readonly raw: boolean
}

/** A question as a statement: conditions and columns of SQL, with the parameters that stand in them. */
export interface Question {
  readonly scope: Scope
  readonly columns: readonly Column[]
  readonly where: string
  /** Of groups; null for none. */
  readonly having: string | null
  /** Rows that are equal in all columns but the aggregates are one. */
  readonly grouped: boolean
  /** Conditions of further searches, which `where` does not have. */
  readonly found: readonly string[]
  readonly parameters: Parameters
  readonly weight: string
  /** The condition of what is searched for alone; null when nothing is. */
  readonly searched: string | null
  /** Days that can be asked of sums; null when it has to be asked of rows alone. */
  readonly whole: readonly Period[] | null
}

const describe = ({ message, position }: SearchError): string => `${message} (at character ${position + 1})`

/** Whose rows they are and when; every statement begins with it. */
const scopeCondition = (
  { dataset, name, organizationId, projects, environments, period }: Scope,
  parameters: Parameters,
): string => {
  const { bind } = parameters
  const time = (at: number): string => `fromUnixTimestamp64Milli(${bind(Math.floor(at), 'Int64')})`
  const only = dataset.names.find((one) => one.name === name)?.only
  return [
    `${dataset.organization} = ${bind(organizationId, 'UInt32')}`,
    `${dataset.project} IN ${bind(
      projects.map(({ id }) => id),
      'Array(UInt64)',
    )}`,
    `${dataset.time} >= ${time(period.from)}`,
    `${dataset.time} < ${time(period.to)}`,
    ...(environments.length === 0 ? [] : [`${dataset.environment} IN ${bind(environments, 'Array(String)')}`]),
    ...(only === undefined ? [] : [only]),
  ].join(' AND ')
}

const isAggregate = (term: SearchTerm): boolean => term.kind !== 'text' && !term.key.tag && isCall(term.key.name)

/** Whether all of the terms below are about groups (`true`), about rows (`false`), or some of either (null). */
export const isAboutGroups = (node: SearchNode): boolean | null => {
  if (!('children' in node)) return isAggregate(node)
  const kinds = new Set(node.children.map(isAboutGroups))
  return kinds.size === 1 ? ([...kinds][0] ?? null) : null
}

interface SplitSearch {
  readonly rows: SearchNode | null
  readonly groups: SearchNode | null
}

const joined = (children: readonly SearchNode[]): SearchNode | null =>
  children.length > 1 ? { kind: 'and', children } : (children[0] ?? null)

/** A condition on an aggregate is about groups, all others about rows. */
const splitSearch = (root: SearchNode | null): Result<SplitSearch, string> => {
  if (root === null) return ok({ rows: null, groups: null })
  const parts = root.kind === 'and' ? root.children : [root]
  const kinds = parts.map(isAboutGroups)
  if (kinds.includes(null)) {
    return err(
      'Conditions on functions, such as p95():>1s, cannot stand in one OR with others. Join them with AND, outside of parentheses.',
    )
  }
  return ok({
    rows: joined(parts.filter((_, index) => kinds[index] === false)),
    groups: joined(parts.filter((_, index) => kinds[index] === true)),
  })
}

/** What the attributes of rows are in a search. Names of projects that nobody knows are added to `unknown`. */
const rowTable = ({ dataset, projects }: Scope, { bind }: Parameters, unknown: Set<string>): SearchedTable => {
  const { searched, tags = null } = dataset
  const nameOf = ({ name, tag, number }: { name: string; tag: boolean; number?: true }): string =>
    tag ? `tags[${name}${number === true ? ',number' : ''}]` : name
  return {
    fieldOf: (key) => findAttribute(dataset, nameOf(key), bind).search,
    words: dataset.words,
    tags,
    projectIds: projects.map(({ id }) => id),
    refuse: (key) =>
      key.tag
        ? dataset.isClosed === true
          ? refusalOf(dataset, `tags[${key.name}]`)
          : null
        : isCall(key.name)
          ? `"${key.name}" is about groups of rows, and cannot stand here.`
          : (refusalOf(dataset, key.name) ?? searched?.refuse?.(key) ?? null),
    lookUp: (term) => {
      const { lookup } = findAttribute(dataset, nameOf(term.key), bind)
      if (lookup !== 'project' || term.operator !== '=') return searched?.lookUp?.(term) ?? null
      return { sql: dataset.project, type: 'Array(UInt64)', values: projectsNamed(term, projects, unknown) }
    },
  }
}

/** A condition of a search by itself. */
export interface Condition {
  readonly term: FieldTerm | HasTerm
  /** The outermost OR that it stands in: where a row fulfils that one, it is no reason. */
  readonly either: string | null
  /** A row has the attribute; it fulfils the condition. */
  readonly present: string
  readonly matches: string
  /** Values of the attribute that have the one in them that is asked for; null where it is not asked for by a text. */
  readonly alike: { readonly value: string; readonly condition: string } | null
}

interface Required {
  readonly term: FieldTerm | HasTerm
  readonly either: SearchNode | null
}

/**
 * Conditions that rows have to fulfil: those of which one alone can be why a search finds nothing. Of those in an OR none
 * has to be fulfilled, but one of them.
 */
const requiredOf = (root: SearchNode | null, either: SearchNode | null = null): readonly Required[] => {
  if (root === null || root.kind === 'text') return []
  if ('children' in root) {
    const outermost = either ?? (root.kind === 'or' ? root : null)
    return root.children.flatMap((child) => requiredOf(child, outermost))
  }
  return root.negated || isAggregate(root) ? [] : [{ term: root, either }]
}

/** SQL of the text that a field is compared with; null where it is no text. */
const textOfField = (field: SearchField): string | null => {
  if (field.kind === 'attribute') return field.text
  return field.kind === 'text' || field.kind === 'version' ? field.sql : null
}

/**
 * The conditions of a search, each by itself, and whose rows they are about. Names of projects are told in their own
 * words, so they are left out. Null for a search that cannot be read.
 *
 * @param most further ones are left out
 */
export const readConditions = (
  scope: Scope,
  query: string,
  most: number,
): { readonly where: string; readonly conditions: readonly Condition[]; readonly parameters: Parameters } | null => {
  const { dataset } = scope
  const parsed = parseSearch(query, isKeyOf(dataset))
  if (!parsed.ok) return null
  const parameters = new Parameters('a')
  Object.assign(parameters.values, dataset.parameters)
  const compiler: Compiler = { scope, parameters, conditions: [], filters: 0 }
  const table = rowTable(scope, parameters, new Set())
  const conditions: Condition[] = []
  const alternatives = new Map<SearchNode | null, Result<string | null, string>>([[null, ok(null)]])
  for (const { either, term } of requiredOf(parsed.value.root).slice(0, most)) {
    const any = alternatives.get(either) ?? compileRows(compiler, either)
    alternatives.set(either, any)
    const field = table.fieldOf(term.key)
    const matches = compileRows(compiler, term)
    const present = compileRows(compiler, { kind: 'has', key: term.key, negated: false, position: term.position })
    if ((term.kind === 'field' && (table.lookUp?.(term) ?? null) !== null) || !matches.ok || !present.ok || !any.ok)
      continue
    const sql = textOfField(field)
    const text = term.kind === 'field' && term.values.length === 1 ? textOf(term.values[0] ?? ['']) : ''
    const alike =
      sql === null || text === ''
        ? null
        : { value: sql, condition: `positionCaseInsensitiveUTF8(${sql}, ${parameters.bind(text)}) > 0` }
    conditions.push({ term, alike, either: any.value, matches: matches.value ?? '1', present: present.value ?? '1' })
  }
  return { where: scopeCondition(scope, parameters), conditions, parameters }
}

interface Compiler {
  readonly scope: Scope
  readonly parameters: Parameters
  /** Functions in conditions on groups. */
  readonly conditions: Column[]
  filters: number
}

const compileRows = (compiler: Compiler, root: SearchNode | null): Result<string | null, string> => {
  if (root === null) return ok(null)
  const { scope, parameters } = compiler
  const problem = scope.dataset.searched?.problemOf(root, scope.now) ?? null
  if (problem !== null) return err(describe(problem))
  const unknown = new Set<string>()
  compiler.filters += 1
  const filter = compileFilter(root, rowTable(scope, parameters, unknown), scope.now, `f${compiler.filters}_`)
  if (!filter.ok) return err(describe(filter.error))
  const refusal = unknownProjects(unknown)
  if (refusal !== null) return err(refusal)
  Object.assign(parameters.values, filter.value.params)
  return ok(filter.value.sql)
}

const compileGroups = (compiler: Compiler, root: SearchNode | null, asked: Asked): Result<string | null, string> => {
  if (root === null) return ok(null)
  let problem: string | null = null
  const columnOf = (name: string): Column | null => {
    const column = readColumn(name, asked)
    if (column.ok) {
      compiler.conditions.push(column.value)
      return column.value
    }
    problem ??= column.error
    return null
  }
  const table: SearchedTable = {
    fieldOf: ({ name }) => {
      const column = columnOf(name)
      const sql = column?.sql ?? '0'
      if (column?.type === 'date') return { kind: 'time', sql: `fromUnixTimestamp64Milli(toInt64(${sql}))` }
      if (column?.type === 'string') return { kind: 'text', sql }
      if (column?.type !== 'duration' && column?.type !== 'size' && column?.type !== 'percentage') {
        return { kind: 'number', sql, nullable: true, quantity: 'any' }
      }
      const size = readUnit(column.unit ?? '')?.size ?? 1
      const whole = size === 1 ? sql : `(${sql}) * ${size}`
      return { kind: 'number', sql: whole, nullable: true, quantity: column.type }
    },
    words: "''",
    tags: null,
  }
  compiler.filters += 1
  const filter = compileFilter(root, table, compiler.scope.now, `f${compiler.filters}_`)
  if (problem !== null) return err(problem)
  if (!filter.ok) return err(describe(filter.error))
  Object.assign(compiler.parameters.values, filter.value.params)
  return ok(filter.value.sql)
}

/** The condition of a search in a function, which is about rows. */
const compileInner = (compiler: Compiler, search: string): Result<string, string> => {
  const parsed = parseSearch(search)
  if (!parsed.ok) return err(describe(parsed.error))
  const filter = compileRows(compiler, parsed.value.root)
  return filter.ok ? ok(filter.value ?? '1') : filter
}

/** Where all functions are about some rows only, nothing but those is asked of: there are no groups of others. */
const withNarrowed = (where: string, columns: readonly Column[]): string => {
  const aggregates = columns.filter(({ aggregate }) => aggregate)
  const conditions = new Set(aggregates.flatMap(({ narrowed = [] }) => narrowed))
  if (conditions.size === 0 || aggregates.some(({ narrowed }) => narrowed === undefined)) return where
  return `${where} AND (${[...conditions].map((one) => `(${one})`).join(' OR ')})`
}

/** Names that are keys of a search, whatever stands behind them. */
const isKeyOf =
  ({ attributes, searched }: Dataset) =>
  (name: string): boolean =>
    attributes.has(name) || searched?.isKey(name) === true

/** What is asked, as the caller wrote it. */
export interface QuestionText {
  readonly fields: readonly string[]
  readonly query: string
  /** What each value is of: the period, or one step of a series. */
  readonly seconds: number
  /** Single rows say which they are, whatever is asked for. */
  readonly identified?: boolean
  /** Further searches, each of rows: see `Question.found`. */
  readonly searches?: readonly string[]
  /** It is asked of rows that may be sums of others: see `SummedDays`. */
  readonly coarser?: Coarser
}

/** Reads what is asked. The error is a sentence for the caller. */
export const readQuestion = (
  scope: Scope,
  { fields, query, seconds, identified, searches = [], coarser }: QuestionText,
): Result<Question, string> => {
  const { dataset } = scope
  const parameters = new Parameters('a')
  Object.assign(parameters.values, dataset.parameters)
  const compiler: Compiler = { scope, parameters, conditions: [], filters: 0 }
  const parsed = parseSearch(query, isKeyOf(dataset))
  if (!parsed.ok) return err(describe(parsed.error))
  const split = splitSearch(parsed.value.root)
  if (!split.ok) return split
  const rows = compileRows(compiler, split.value.rows)
  if (!rows.ok) return rows
  const ofTime = scopeCondition(scope, parameters)
  const ofRows = rows.value === null ? ofTime : `${ofTime} AND (${rows.value})`
  const weight = scope.raw ? '1' : dataset.weight
  const asked: Asked = {
    dataset,
    bind: parameters.bind,
    weight,
    coarser,
    seconds,
    filter: (search) => compileInner(compiler, search),
    overall: (sql, of) => `(SELECT ${sql} FROM ${dataset.from} WHERE ${of === 'time' ? ofTime : ofRows})`,
  }
  const columns: Column[] = []
  for (const name of fields) {
    const column = readColumn(name, asked)
    if (!column.ok) return column
    columns.push(column.value)
  }
  const having = compileGroups(compiler, split.value.groups, asked)
  if (!having.ok) return having
  const where = withNarrowed(ofRows, [...columns, ...compiler.conditions])
  const grouped = having.value !== null || columns.some(({ aggregate }) => aggregate)
  if (!grouped && identified === true) columns.push(...identifying(columns, asked))
  const found: string[] = []
  for (const search of searches) {
    const filter = compileInner(compiler, search)
    if (!filter.ok) return filter
    found.push(filter.value)
  }
  const searched = rows.value
  return ok({ scope, columns, where, having: having.value, grouped, found, parameters, weight, searched, whole: null })
}

/** Which row it is, and of which project: clients expect both of single rows, asked for or not. */
const identifying = (columns: readonly Column[], asked: Asked): Column[] => {
  const names = new Set(columns.map(({ name }) => name))
  const missing = ['id', ...(names.has('project') ? [] : ['project.name'])].filter((name) => !names.has(name))
  return missing.flatMap((name) => {
    const column = readColumn(name, asked)
    return column.ok ? [column.value] : []
  })
}
