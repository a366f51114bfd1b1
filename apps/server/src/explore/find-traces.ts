import { DAY_MS } from '../lib/durations.ts'
import { orUnanswerable, Unanswerable } from '../lib/unanswerable.ts'
import { findAttribute, Parameters, type Bind } from '../search/index.ts'
import type { Column } from './columns.ts'
import type { ExploreView } from './explore.view.ts'
import { readQuestion, type Question, type Scope } from './question.ts'
import { valueJson } from './table.ts'

/** Traces that have a span for each of some searches. */

export interface TracesQuery {
  readonly fields: readonly string[]
  /** A trace has a span for each of these; one that says nothing is of any span. */
  readonly searches: readonly string[]
  readonly newestFirst: boolean
  readonly limit: number
  readonly offset: number
  /** Rows that came later are not there yet; milliseconds since the epoch. */
  readonly until: number
  readonly spansPerTrace: number
}

/** What one project did in a trace. Milliseconds since the epoch. */
interface Part {
  readonly trace: string
  readonly project: number
  readonly sdk: string
  readonly spans: number
  readonly start: number
  readonly end: number
  /** Of the root, where this project has it. */
  readonly root: string
  readonly hasRoot: boolean
}

interface Breakdown {
  readonly project: string | null
  readonly sdkName: string | null
  readonly start: number
  readonly end: number
  readonly duration: number
  readonly kind: 'project' | 'missing'
}

export interface FoundTrace {
  readonly trace: string
  readonly numSpans: number
  readonly matchingSpans: number
  readonly name: string | null
  readonly project: string | null
  readonly duration: number
  readonly start: number
  readonly end: number
  readonly breakdowns: Breakdown[]
  readonly spans: Record<string, unknown>[]
}

export interface FoundTraces {
  readonly traces: readonly FoundTrace[]
  readonly columns: readonly Column[]
  readonly more: boolean
}

/** @throws Unanswerable */
export const findTracesOf = async (view: ExploreView, scope: Scope, query: TracesQuery): Promise<FoundTraces> => {
  const searches = query.searches.filter((search) => search.trim() !== '')
  const question = orUnanswerable(
    readQuestion(scope, { fields: query.fields, query: '', seconds: 1, identified: true, searches }),
  )
  if (question.grouped) throw new Unanswerable('Traces are listed with attributes of their spans, not with functions.')
  const found = await findIds(view, question, query)
  const shown = found.slice(0, query.limit)
  const ids = shown.map(({ trace }) => trace)
  if (ids.length === 0) return { traces: [], columns: question.columns, more: false }
  const [parts, spans] = await Promise.all([readParts(view, scope, ids), readSpans(view, question, ids, query)])
  return {
    traces: shown.map(({ trace, matching }) => ({
      ...summarise(
        trace,
        parts.filter((part) => part.trace === trace),
        scope,
      ),
      matchingSpans: matching,
      spans: spans.get(trace) ?? [],
    })),
    columns: question.columns,
    more: found.length > shown.length,
  }
}

const matching = ({ where, found }: Question): string =>
  found.length === 0 ? where : `${where} AND (${found.map((one) => `(${one})`).join(' OR ')})`

const findIds = async (
  view: ExploreView,
  question: Question,
  { limit, offset, newestFirst, until }: TracesQuery,
): Promise<{ trace: string; matching: number }[]> => {
  const { scope, found, parameters } = question
  const { dataset } = scope
  const trace = findAttribute(dataset, 'trace', parameters.bind).sql
  const each = found.map((one) => `countIf(${one}) > 0`)
  const order = newestFirst ? `max(${dataset.time}) DESC` : `min(${dataset.time})`
  const rows = await view.ask(
    scope,
    `SELECT ${trace} AS trace, count() AS matching FROM ${dataset.from}
WHERE ${matching(question)} AND ${dataset.received} <= fromUnixTimestamp64Milli(${parameters.bind(until, 'Int64')})
GROUP BY trace ${each.length === 0 ? '' : `HAVING ${each.join(' AND ')}`}
ORDER BY ${order}, trace LIMIT ${parameters.bind(limit + 1, 'UInt32')} OFFSET ${parameters.bind(offset, 'UInt32')}`,
    parameters.values,
  )
  return rows as unknown as { trace: string; matching: number }[]
}

/** Condition for the spans of these traces, by the column that has an index. */
const inTraces = (scope: Scope, ids: readonly string[], bind: Bind): string => {
  const { search } = findAttribute(scope.dataset, 'trace', bind)
  const column = search.kind === 'uuid' ? search.sql : ''
  return `${column} IN (SELECT toUUIDOrZero(arrayJoin(${bind(ids.map(hyphenated), 'Array(String)')})))`
}

const hyphenated = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`

/** All spans of the traces, of the projects that are looked at, also those a little outside of the period. */
const readParts = async (view: ExploreView, scope: Scope, ids: readonly string[]): Promise<Part[]> => {
  const parameters = new Parameters('t')
  const { bind } = parameters
  const { dataset } = scope
  const sqlOf = (name: string): string => findAttribute(dataset, name, bind).sql
  const isRoot = `${sqlOf('parent_span')} = ''`
  const at = (instant: number): string => `fromUnixTimestamp64Milli(${bind(Math.floor(instant), 'Int64')})`
  const rows = await view.ask(
    scope,
    `SELECT ${sqlOf('trace')} AS trace, ${dataset.project} AS project, any(${sqlOf('sdk.name')}) AS sdk, count() AS spans,
  min(${sqlOf('precise.start_ts')}) * 1000 AS start, max(${sqlOf('precise.finish_ts')}) * 1000 AS end,
  argMinIf(${sqlOf('transaction')}, ${dataset.time}, ${isRoot}) AS root, countIf(${isRoot}) > 0 AS hasRoot
FROM ${dataset.from}
WHERE ${dataset.organization} = ${bind(scope.organizationId, 'UInt32')} AND ${dataset.project} IN ${bind(
      scope.projects.map(({ id }) => id),
      'Array(UInt64)',
    )} AND ${dataset.time} >= ${at(scope.period.from - DAY_MS)} AND ${dataset.time} < ${at(scope.period.to + DAY_MS)}
  AND ${inTraces(scope, ids, bind)}
GROUP BY trace, project ORDER BY start`,
    parameters.values,
  )
  return rows as unknown as Part[]
}

const readSpans = async (
  view: ExploreView,
  question: Question,
  ids: readonly string[],
  { spansPerTrace }: TracesQuery,
): Promise<ReadonlyMap<string, Record<string, unknown>[]>> => {
  const { scope, columns, parameters } = question
  const { dataset } = scope
  const trace = findAttribute(dataset, 'trace', parameters.bind).sql
  const rows = await view.ask(
    scope,
    `SELECT ${[...columns.map(({ sql }, index) => `${sql} AS c${index}`), `${trace} AS trace`].join(', ')}
FROM ${dataset.from} WHERE ${matching(question)} AND ${inTraces(scope, ids, parameters.bind)}
ORDER BY ${dataset.time}, ${dataset.id.sql} LIMIT ${parameters.bind(spansPerTrace, 'UInt32')} BY trace`,
    parameters.values,
  )
  const found = new Map<string, Record<string, unknown>[]>()
  for (const row of rows) {
    const values = columns.map((column, index) => [column.name, valueJson(row[`c${index}`], column, question)] as const)
    const id = String(row['trace'])
    found.set(id, [...(found.get(id) ?? []), Object.fromEntries(values)])
  }
  return found
}

/** Of all projects together. Where none of them did anything, something is missing. */
const summarise = (trace: string, parts: readonly Part[], scope: Scope) => {
  const slugOf = (id: number): string | null => scope.projects.find((project) => project.id === id)?.slug ?? null
  const start = Math.min(...parts.map((part) => part.start))
  const end = Math.max(...parts.map((part) => part.end))
  const root = parts.find(({ hasRoot }) => hasRoot)
  const breakdowns: Breakdown[] = []
  let covered = start
  for (const part of parts) {
    if (part.start > covered) {
      const gap = { start: covered, end: part.start, duration: part.start - covered }
      breakdowns.push({ ...gap, project: null, sdkName: null, kind: 'missing' })
    }
    breakdowns.push({
      project: slugOf(part.project),
      sdkName: part.sdk === '' ? null : part.sdk,
      start: part.start,
      end: part.end,
      duration: part.end - part.start,
      kind: 'project',
    })
    covered = Math.max(covered, part.end)
  }
  return {
    trace,
    numSpans: parts.reduce((sum, { spans }) => sum + spans, 0),
    name: root?.root ?? null,
    project: root === undefined ? null : slugOf(root.project),
    duration: end - start,
    start,
    end,
    breakdowns,
  }
}
