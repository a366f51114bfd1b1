import { ok, type Result } from '../lib/result.ts'
import type { Period, SummedDays } from '../search/index.ts'
import { readCall } from './call.ts'
import type { Column } from './columns.ts'
import { readQuestion, type Question, type QuestionText } from './question.ts'
import type { ExploreServices } from './scope.ts'

/** Questions that sums of whole days answer as their rows would: percentiles within a hundredth, all else the same. */

/** Functions that only add up, and percentiles. */
const FUNCTIONS = new Set(
  'avg count epm eps failure_count failure_rate p50 p75 p90 p95 p99 percentile sum tpm tps'.split(' '),
)

/** The average of a sum is of what its rows stand for, so it says nothing of the rows alone. */
const FUNCTIONS_OF_WEIGHTS = new Set(['avg', 'sum'])

const columnsIn = (sql: string, { name }: SummedDays): string[] =>
  [...sql.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))].map(([, column = '']) => column)

const isCovered = ({ aggregate, name, sql }: Column, days: SummedDays, raw: boolean): boolean => {
  const columns = columnsIn(sql, days).filter((column) => !days.columns.includes(column))
  if (!aggregate) return columns.length === 0
  const call = readCall(name)
  if (!call.ok || call.value === null || !FUNCTIONS.has(call.value.name)) return false
  if (raw && FUNCTIONS_OF_WEIGHTS.has(call.value.name)) return false
  return columns.every((column) => column === days.measured.column || OF_SUMS.has(column))
}

const WEIGHT = 'weight'
const ROWS = 'rows'
const OF_SUMS = new Set(['about', ROWS, WEIGHT])

/**
 * The same question, of sums where there are any: what was asked needs no more than they have.
 *
 * @param question as it is asked of rows
 */
export const overWholeDays = async (
  { ask }: Pick<ExploreServices, 'ask'>,
  question: Question,
  text: QuestionText,
): Promise<Result<Question, string>> => {
  const { grouped, having, scope, searched } = question
  const { days } = scope.dataset
  if (days === undefined || !grouped || having !== null) return ok(question)
  const filtered = columnsIn(searched ?? '', days)
  if (!filtered.every((column) => days.columns.includes(column))) return ok(question)
  const weight = `${days.name}.${scope.raw ? ROWS : WEIGHT}`
  const dataset = { ...scope.dataset, weight }
  const summed = readQuestion({ ...scope, dataset, raw: false }, { ...text, coarser: days.measured })
  if (!summed.ok || !summed.value.columns.every((column) => isCovered(column, days, scope.raw))) return ok(question)
  const whole = await ask(days.whole, { organizationId: scope.organizationId, period: scope.period })
  return ok(whole.length === 0 ? question : { ...summed.value, scope, whole })
}

/** What is between the days. */
const between = ({ from, to }: Period, whole: readonly Period[]): Period[] => {
  const starts = [from, ...whole.map((period) => period.to)]
  const ends = [...whole.map((period) => period.from), to]
  return starts.map((start, index) => ({ from: start, to: ends[index] ?? start })).filter((gap) => gap.from < gap.to)
}

/** Rows and sums as one table that is called as the rows are. @param arrived a condition of rows alone */
export const rowsAndSums = (
  { parameters, scope, where }: Question,
  days: SummedDays,
  whole: readonly Period[],
  arrived: string,
): string => {
  const { dataset, period } = scope
  const at = (time: number): string => `fromUnixTimestamp64Milli(${parameters.bind(Math.floor(time), 'Int64')})`
  const within = (periods: readonly Period[]): string =>
    periods.length === 0
      ? '0'
      : periods.map(({ from, to }) => `(${dataset.time} >= ${at(from)} AND ${dataset.time} < ${at(to)})`).join(' OR ')
  return `(
  SELECT ${days.ofRow.join(', ')} FROM ${dataset.from}
  WHERE ${where} AND ${arrived} AND (${within(between(period, whole))})
  UNION ALL
  SELECT ${days.ofSum.join(', ')} FROM ${days.table} AS ${days.name}
  WHERE ${where} AND (${within(whole)})
) AS ${days.name}`
}

/** Of what an answer is, as it follows from rows that may be sums. */
export const summedSample = ({ scope, weight }: Question, { name }: SummedDays): string =>
  `sum(${name}.rows) AS sampled, sum(${weight}) AS weighed, ${scope.raw ? '0' : `sum(${name}.varied)`} AS varied`
