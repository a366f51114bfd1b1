import type { ClickHouseClient } from '@clickhouse/client'
import { rowsOf, tooLarge, unlessTooLarge, type Buckets } from '../search/index.ts'
import type { Column, Sort } from './columns.ts'
import { keysetCondition, keysOf, type Key, type KeyValue } from './keyset.ts'
import { LIMITS } from './limits.ts'
import type { Question, Scope } from './question.ts'
import { rowsAndSums, summedSample } from './whole-days.ts'

/** What telemetry answers to questions. */

/** Values of the columns, in their order. */
export type Row = readonly unknown[]

/** Of the rows behind a value: how many there are, how many things they stand for, and how far that may be off. */
export interface Sample {
  readonly rows: number
  readonly weight: number
  readonly variance: number
}

export interface TablePage {
  readonly rows: readonly Row[]
  /** Of groups, in the order of the rows. */
  readonly samples: readonly Sample[]
  readonly more: boolean
  /** Of the last row, for the next page of single rows. */
  readonly last: readonly KeyValue[]
}

export interface TableRequest {
  readonly sort: readonly Sort[]
  readonly limit: number
  /** Of groups. */
  readonly offset: number
  /** Of single rows: the keys behind which the page begins. */
  readonly after: readonly KeyValue[] | null
  /** Rows that came later are not there yet; milliseconds since the epoch. */
  readonly until: number
}

export interface Line {
  /** Of its group, the same in each period; empty for a single line, and for all others. */
  readonly key: string
  /** Of the columns that it is about; none for a single line, and for all others. */
  readonly values: Row
  readonly isOther: boolean
  /** By number of the step: a value for each axis, and of what. */
  readonly points: ReadonlyMap<number, { readonly values: Row; readonly sample: Sample }>
}

export interface LinesRequest {
  readonly axes: readonly Column[]
  readonly by: readonly Column[]
  readonly order: Sort
  readonly limit: number
  readonly others: boolean
  /** The lines of another period: those of the same groups are wanted, not of the first ones of this period. */
  readonly like: readonly Line[] | null
}

type JsonRow = Readonly<Record<string, unknown>>

/** `EXPLORE_GROUPS` stops each thread for itself: two of them would make twice as many groups. */
interface Asking {
  /** Several threads may work on it: it has few groups or none, or whoever asks counts them. */
  readonly severalThreads?: boolean
  /** How long telemetry may work on it. */
  readonly seconds?: number
}

const settingsOf = ({ dataset }: Scope, { severalThreads = false, seconds = LIMITS.EXPLORE_SECONDS }: Asking): string =>
  [
    ...dataset.settings,
    ...(severalThreads ? [] : ['max_threads = 1']),
    `max_execution_time = ${seconds}`,
    `max_memory_usage = ${LIMITS.EXPLORE_MEMORY_BYTES}`,
    `max_rows_to_group_by = ${LIMITS.EXPLORE_GROUPS}`,
    `max_result_bytes = ${LIMITS.EXPLORE_PAGE_BYTES}`,
    "result_overflow_mode = 'throw'",
    "group_by_overflow_mode = 'throw'",
  ].join(', ')

/** The slug of one project, where there are several. */
const firstOfSeveral = (projects: Scope['projects']): string | undefined =>
  projects.length > 1 ? projects[0]?.slug : undefined

export type ExploreView = ReturnType<typeof createExploreView>

export const createExploreView = ({ client }: { readonly client: ClickHouseClient }) => {
  const query = rowsOf(client)
  const ask: AskRows = (scope, sql, params, asking = {}) =>
    unlessTooLarge(
      query<JsonRow>(`${sql}\nSETTINGS ${settingsOf(scope, asking)}`, params),
      scope.period,
      firstOfSeveral(scope.projects),
    )
  return {
    /** A page of single rows or of groups. */
    table: (question: Question, request: TableRequest): Promise<TablePage> =>
      question.grouped ? groups(ask, question, request) : singleRows(ask, question, request),
    lines: lines(ask),
    /** Any statement over a dataset, within the bounds of a question. */
    ask,
  }
}

type AskRows = (scope: Scope, sql: string, params: JsonRow, asking?: Asking) => Promise<JsonRow[]>

const listed = (columns: readonly Column[], prefix: string): string[] =>
  columns.map(({ sql }, index) => `${sql} AS ${prefix}${index}`)

const valuesOf = (row: JsonRow, columns: readonly Column[], prefix: string): Row =>
  columns.map((_, index) => row[`${prefix}${index}`])

/** How many groups there are, whatever is shown of them. */
const ALL_GROUPS = 'count() OVER () AS all_groups'

const withinBound = (rows: readonly JsonRow[], { period, projects }: Scope): void => {
  if (Number(rows[0]?.['all_groups'] ?? 0) > LIMITS.EXPLORE_GROUPS) throw tooLarge(period, firstOfSeveral(projects))
}

const SAMPLE = (weight: string): string =>
  `count() AS sampled, sum(${weight}) AS weighed, sum(${weight} * ${weight} - ${weight}) AS varied`

const sampleOf = (row: JsonRow): Sample => ({
  rows: Number(row['sampled']),
  weight: Number(row['weighed']),
  variance: Number(row['varied']),
})

const arrivedBy = ({ scope, parameters }: Question, until: number): string =>
  `${scope.dataset.received} <= fromUnixTimestamp64Milli(${parameters.bind(until, 'Int64')})`

const groups = async (ask: AskRows, question: Question, request: TableRequest): Promise<TablePage> => {
  const { scope, columns, where, having, parameters, weight, whole } = question
  const by = columns.flatMap(({ aggregate }, index) => (aggregate ? [] : [`c${index}`]))
  const order = request.sort.map(({ column, descending }) => `c${column}${descending ? ' DESC' : ''}`)
  const arrived = arrivedBy(question, request.until)
  const { days } = scope.dataset
  const source =
    whole === null || days === undefined
      ? { sample: SAMPLE(weight), from: `${scope.dataset.from}\nWHERE ${where} AND ${arrived}` }
      : { sample: summedSample(question, days), from: rowsAndSums(question, days, whole, arrived) }
  const rows = await ask(
    scope,
    `SELECT ${[...listed(columns, 'c'), source.sample, ...(by.length === 0 ? [] : [ALL_GROUPS])].join(', ')}
FROM ${source.from}
${by.length === 0 ? '' : `GROUP BY ${by.join(', ')}`}
${having === null ? '' : `HAVING ${having}`}
${order.length + by.length === 0 ? '' : `ORDER BY ${[...order, ...by].join(', ')}`}
LIMIT ${parameters.bind(request.limit + 1, 'UInt32')} OFFSET ${parameters.bind(request.offset, 'UInt32')}`,
    parameters.values,
    // What is left of groups does not say how many there were.
    { severalThreads: having === null },
  )
  withinBound(rows, scope)
  const shown = rows.slice(0, request.limit)
  return {
    rows: shown.map((row) => valuesOf(row, columns, 'c')),
    samples: shown.map(sampleOf),
    more: rows.length > shown.length,
    last: [],
  }
}

const singleRows = async (ask: AskRows, question: Question, request: TableRequest): Promise<TablePage> => {
  const { scope, columns, where, parameters } = question
  const keys: readonly Key[] = keysOf(scope.dataset, columns, request.sort)
  const behind = request.after === null ? '' : ` AND ${keysetCondition(keys, request.after, parameters.bind)}`
  const rows = await ask(
    scope,
    `SELECT ${[...listed(columns, 'c'), ...keys.map(({ shown }, index) => `${shown} AS k${index}`)].join(', ')}
FROM ${scope.dataset.from}
WHERE ${where}${behind}
ORDER BY ${keys.map(({ sql, descending }) => `${sql}${descending ? ' DESC' : ''}`).join(', ')}
LIMIT ${parameters.bind(request.limit + 1, 'UInt32')}`,
    parameters.values,
    { severalThreads: true },
  )
  const shown = rows.slice(0, request.limit)
  const last = shown.at(-1)
  const keyOf = (row: JsonRow): KeyValue[] => keys.map((_, index) => (row[`k${index}`] ?? null) as KeyValue)
  // A row that came twice stands twice, one after the other, until the engine merged the two.
  const once = new Map(shown.map((row) => [JSON.stringify(keyOf(row)), row]))
  return {
    rows: [...once.values()].map((row) => valuesOf(row, columns, 'c')),
    samples: [],
    more: rows.length > shown.length,
    last: last === undefined ? [] : keyOf(last),
  }
}

/** Number of the step that a row is in. */
export const stepOf = ({ scope, parameters }: Question, { start, interval }: Buckets): string =>
  `toInt32(intDiv(toInt64(toUnixTimestamp(${scope.dataset.time})) - ${parameters.bind(start, 'Int64')}, ${parameters.bind(interval, 'Int64')}))`

const lines =
  (ask: AskRows) =>
  async (question: Question, buckets: Buckets, request: LinesRequest): Promise<Line[]> => {
    const { axes, by, order, limit, others, like } = request
    const { scope, where, having, parameters, weight } = question
    const { from } = scope.dataset
    const key =
      by.length === 0 ? "''" : `toString(cityHash64(${by.map(({ sql }) => `ifNull(toString(${sql}), '')`).join(', ')}))`
    const values = [...listed(axes, 'a'), SAMPLE(weight)].join(', ')
    const askTop = async (): Promise<Pick<Line, 'key' | 'values'>[]> => {
      const rows = await ask(
        scope,
        `SELECT ${[...listed(by, 'v'), `${key} AS line`, ...listed(axes, 'a'), ALL_GROUPS].join(', ')}
FROM ${from} WHERE ${where}
GROUP BY ${by.map((_, index) => `v${index}`).join(', ')}
${having === null ? '' : `HAVING ${having}`}
ORDER BY a${order.column}${order.descending ? ' DESC' : ''}, line LIMIT ${parameters.bind(limit, 'UInt32')}`,
        parameters.values,
        { severalThreads: having === null },
      )
      withinBound(rows, scope)
      return rows.map((row) => ({ key: String(row['line']), values: valuesOf(row, by, 'v') }))
    }
    const top = by.length === 0 ? [] : (like?.filter(({ isOther }) => !isOther) ?? (await askTop()))
    if (by.length > 0 && top.length === 0) return []
    const wanted =
      by.length === 0
        ? null
        : parameters.bind(
            top.map((line) => line.key),
            'Array(String)',
          )
    const rows = await ask(
      scope,
      `SELECT ${stepOf(question, buckets)} AS step, ${wanted === null ? key : `if(${key} IN ${wanted}, ${key}, '')`} AS line, ${values}
FROM ${from} WHERE ${where}${wanted === null || others ? '' : ` AND ${key} IN ${wanted}`}
GROUP BY step, line
${by.length > 0 || having === null ? '' : `HAVING ${having}`}`,
      parameters.values,
      // There are no more groups than a chart has steps and lines.
      { severalThreads: true },
    )
    const pointsOf = (line: string): Line['points'] =>
      new Map(
        rows
          .filter((row) => row['line'] === line)
          .map((row) => [Number(row['step']), { values: valuesOf(row, axes, 'a'), sample: sampleOf(row) }]),
      )
    if (by.length === 0) return [{ key: '', values: [], isOther: false, points: pointsOf('') }]
    const found = top.map((line) => ({ ...line, isOther: false, points: pointsOf(line.key) }))
    return others ? [...found, { key: '', values: [], isOther: true, points: pointsOf('') }] : found
  }
