import { orUnanswerable, Unanswerable } from '../lib/unanswerable.ts'
import type { Buckets } from '../search/index.ts'
import { findSort, type Column } from './columns.ts'
import { findDataset } from './datasets.ts'
import type { Line } from './explore.view.ts'
import { readSteps } from './intervals.ts'
import { LIMITS } from './limits.ts'
import { withNames } from './names.ts'
import { readQuestion, type Question, type Scope } from './question.ts'
import { readQuestionScope, type ExploreServices, type QuestionQuery } from './scope.ts'

export interface SeriesQuery extends QuestionQuery {
  readonly dataset: string
  readonly query?: string | undefined
  readonly interval?: string | undefined
  readonly yAxis?: readonly string[] | undefined
  /** By the most frequent values of these there is a line each. */
  readonly by: readonly string[]
  readonly topEvents?: number | undefined
  readonly sort?: readonly string[] | undefined
  readonly excludeOther?: string | undefined
  readonly comparisonDelta?: number | undefined
}

/** Lines over time, one for each group. */
export interface Series {
  readonly question: Question
  readonly axes: readonly Column[]
  readonly by: readonly Column[]
  readonly buckets: Buckets
  readonly lines: readonly Line[]
  /** The same for the time before; null when nothing is compared. */
  readonly before: readonly Line[] | null
}

const DEFAULT_AXIS = 'count()'

const isDrawn = ({ aggregate, type }: Column): boolean =>
  aggregate && type !== 'string' && type !== 'boolean' && type !== 'date'

/** @throws Unanswerable */
export const readSeries = async (
  services: ExploreServices,
  organizationId: number,
  query: SeriesQuery,
): Promise<Series> => {
  const dataset = orUnanswerable(findDataset(services.datasets, query.dataset))
  const now = services.clock.now()
  const asked = { organizationId, dataset, name: query.dataset, now }
  const scope = await readQuestionScope(services, asked, query)
  const buckets = readSteps(query.interval, scope.period)
  const names = query.yAxis ?? [DEFAULT_AXIS]
  const top = Math.min(query.topEvents ?? 0, LIMITS.SERIES_TOP)
  const ask = async (shift: number, like: readonly Line[] | null): Promise<Omit<Series, 'before' | 'buckets'>> => {
    const period = { from: scope.period.from - shift * 1000, to: scope.period.to - shift * 1000 }
    const question = orUnanswerable(
      readQuestion(
        { ...scope, period },
        { fields: [...names, ...query.by], query: query.query ?? '', seconds: buckets.interval },
      ),
    )
    const axes = question.columns.slice(0, names.length)
    const wrong = axes.find((axis) => !isDrawn(axis))
    if (wrong !== undefined)
      throw new Unanswerable(`"${wrong.name}" is no number over time. Use count(), p95() and the like.`)
    const by = top === 0 ? [] : question.columns.slice(names.length).filter(({ aggregate }) => !aggregate)
    const [sort] = query.sort ?? []
    const order = sort === undefined ? { column: 0, descending: true } : orUnanswerable(findSort(sort, axes))
    const found = await services.view.lines(
      question,
      { ...buckets, start: buckets.start - shift },
      { axes, by, order, limit: top, others: by.length > 0 && query.excludeOther !== '1', like },
    )
    // Lines that are like others are found by their keys: nobody reads their values.
    return { question, axes, by, lines: like === null ? await named(services, scope, by, found) : found }
  }
  const found = await ask(0, null)
  const delta = query.comparisonDelta
  return { ...found, buckets, before: delta === undefined ? null : (await ask(delta, found.lines)).lines }
}

const named = async (
  services: ExploreServices,
  scope: Scope,
  by: readonly Column[],
  lines: readonly Line[],
): Promise<Line[]> => {
  const values = lines.flatMap((line) => (line.isOther ? [] : [line.values]))
  const names = await withNames(services, scope, by, values)
  return lines.map((line) => ({ ...line, values: names[values.indexOf(line.values)] ?? line.values }))
}

/** The line of the time before that is of the same group. */
export const lineBefore = (line: Line, before: readonly Line[] | null): Line | null =>
  before?.find(({ key, isOther }) => key === line.key && isOther === line.isOther) ?? null
