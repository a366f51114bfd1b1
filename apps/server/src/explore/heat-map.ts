import { orUnanswerable, Unanswerable } from '../lib/unanswerable.ts'
import { findAttribute, Parameters, type Buckets, type Dataset } from '../search/index.ts'
import type { Column } from './columns.ts'
import { stepOf, type ExploreView } from './explore.view.ts'
import { readSteps } from './intervals.ts'
import { LIMITS } from './limits.ts'
import { readQuestion, type Question, type Scope } from './question.ts'

/** How often which values were, over time: a cell for each step and each half of a doubling. */

/** Two levels are one doubling of the value. */
export const LEVELS_PER_DOUBLING = 2
/** From a billionth to a quadrillion: no unit has values beyond. */
const LOWEST = -60
const HIGHEST = 100

export interface HeatMap {
  readonly buckets: Buckets
  readonly column: Column
  /** Step, level, how many things. */
  readonly cells: readonly (readonly [number, number, number])[]
}

/**
 * The first column, of which the map is.
 * @throws Unanswerable when it is no number
 */
export const mappedColumn = ({ columns: [column] }: Question): Column => {
  const isNumber = column?.lookup === undefined && !['string', 'boolean', 'date'].includes(column?.type ?? 'string')
  if (column === undefined || column.aggregate || !isNumber) {
    throw new Unanswerable(`"${column?.name ?? ''}" is no number. A heat map is of one, such as span.duration.`)
  }
  return column
}

/** The name by which something that may be of any type is a number. */
export const asNumber = (dataset: Dataset, attribute: string): string => {
  const { search, type } = findAttribute(dataset, attribute, new Parameters('n').bind)
  const isOfAnyType = search.kind === 'tag' || search.kind === 'attribute'
  return isOfAnyType && type === 'string' && !attribute.startsWith('tags[') ? `tags[${attribute},number]` : attribute
}

/** Which rows are on the map: a logarithm is of what is more than 0. */
export const onMap = ({ where }: Question, { sql }: Column): string => `${where} AND ifNull(toFloat64(${sql}) > 0, 0)`

/** @throws Unanswerable */
export const readHeatMap = async (
  view: ExploreView,
  scope: Scope,
  { attribute, query }: { readonly attribute: string; readonly query: string },
): Promise<HeatMap> => {
  const question = orUnanswerable(readQuestion(scope, { fields: [attribute], query, seconds: 1 }))
  const column = mappedColumn(question)
  const seconds = Math.ceil((scope.period.to - scope.period.from) / 1000 / LIMITS.HEAT_MAP_STEPS)
  const buckets = readSteps(String(Math.max(1, seconds)), scope.period)
  const level = `toInt16(floor(log2(toFloat64(${column.sql})) * ${LEVELS_PER_DOUBLING}))`
  const rows = await view.ask(
    scope,
    `SELECT ${stepOf(question, buckets)} AS step, least(greatest(${level}, ${LOWEST}), ${HIGHEST}) AS level,
  round(sum(${question.weight})) AS things
FROM ${scope.dataset.from} WHERE ${onMap(question, column)}
GROUP BY step, level ORDER BY step, level`,
    question.parameters.values,
    // There are no more groups than the map has cells.
    { severalThreads: true },
  )
  return {
    buckets,
    column,
    cells: rows.map((row) => [Number(row['step']), Number(row['level']), Number(row['things'])]),
  }
}
