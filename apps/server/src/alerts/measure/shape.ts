import { readCall, readQuestion, findDataset, type Column } from '../../explore/index.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { findAttribute, isWildcard, Parameters, parseSearch, textOf, type Dataset } from '../../search/index.ts'
import type { SearchNode } from '../../search/index.ts'
import type { Scatter } from './baseline.ts'

/** What a rule measures, as far as it does not depend on whose rows these are. */
export interface Shape {
  readonly dataset: Dataset
  /** The dataset's name, of several. */
  readonly name: string
  readonly aggregate: Column
  readonly by: readonly Column[]
  /** A count scatters by its root, and nothing is 0 of it; of other numbers nothing is nothing. */
  readonly isCount: boolean
  /** The value of an hour is the sum of those of its minutes. */
  readonly isSum: boolean
  /** It is computed from rows that are not in the window, too: it cannot share a statement. */
  readonly isOverall: boolean
}

interface Measures {
  readonly dataset: string
  readonly aggregate: string
  readonly groupBy: readonly string[]
}

/** Functions whose values count things. */
const COUNTS =
  /^(?:count|count_unique|failure_count|count_miserable|count_op|count_web_vitals|count_scores|http_response_count|count_at_least|sum|epm|eps|spm|tpm|tps|per_minute|per_second)(?:_if)?\(/

/** A scope for the words of a question alone: nothing is asked with it. */
const nobody = (dataset: Dataset, name: string) => ({
  dataset,
  name,
  organizationId: 0,
  projects: [],
  environments: [],
  period: { from: 0, to: 1 },
  now: 0,
  raw: false,
})

/** The columns of several rules as they stand in one statement. The error is a sentence for who wrote the rule. */
export const columnsOf = (
  dataset: Dataset,
  name: string,
  fields: readonly string[],
  seconds: number,
): Result<{ readonly columns: readonly Column[]; readonly parameters: Parameters }, string> =>
  readQuestion(nobody(dataset, name), { fields, query: '', seconds })

/** Reads what is measured. The error is a sentence for who wrote the rule. */
export const readShape = (datasets: readonly Dataset[], measures: Measures): Result<Shape, string> => {
  const dataset = findDataset(datasets, measures.dataset)
  if (!dataset.ok) return dataset
  const call = readCall(measures.aggregate)
  if (!call.ok) return call
  if (call.value === null && !measures.aggregate.startsWith('equation|')) {
    return err(
      `"${measures.aggregate}" is no function. Measure count(), count_unique(user), p95(span.duration) and the like.`,
    )
  }
  const read = columnsOf(dataset.value, measures.dataset, [measures.aggregate, ...measures.groupBy], 60)
  if (!read.ok) return read
  const [aggregate, ...by] = read.value.columns
  if (aggregate === undefined || !isNumber(aggregate))
    return err(`"${measures.aggregate}" is no number that can be held against a limit.`)
  const wrong = by.find((column) => column.aggregate)
  if (wrong !== undefined)
    return err(`"${wrong.name}" is a function: rules are grouped by attributes, such as release.`)
  return ok({
    dataset: dataset.value,
    name: measures.dataset,
    aggregate,
    by,
    isCount: COUNTS.test(measures.aggregate),
    isSum: aggregate.estimate === 'sum',
    isOverall: /\(SELECT /.test(aggregate.sql),
  })
}

/** How its values differ for no reason. */
export const scatterOf = ({ aggregate, isCount }: Shape): Scatter =>
  isCount ? 'count' : aggregate.type === 'percentage' ? 'share' : 'other'

/** Which of the values of a group is its project; -1 where rows are not grouped by it. */
export const projectPlaceOf = ({ by }: Pick<Shape, 'by'>): number => by.findIndex(({ lookup }) => lookup === 'project')

const isNumber = ({ aggregate, type }: Column): boolean =>
  aggregate && type !== 'string' && type !== 'boolean' && type !== 'date'

/** Levels that a search asks for, when it asks for nothing else; null for any other search. */
export const levelsIn = (dataset: Dataset, query: string): readonly string[] | null => {
  if (query.trim() === '') return []
  const parsed = parseSearch(query)
  if (!parsed.ok) return null
  return parsed.value.root === null ? [] : levelsOf(dataset, parsed.value.root)
}

const levelsOf = (dataset: Dataset, node: SearchNode): readonly string[] | null => {
  if (node.kind !== 'field' || node.negated || node.operator !== '=' || node.key.tag) return null
  if (node.key.name !== 'level' || node.values.length === 0 || node.values.some(isWildcard)) return null
  const { search } = findAttribute(dataset, 'level', new Parameters('x').bind)
  if (search.kind !== 'choice') return null
  const levels = node.values.map((value) => textOf(value).toLowerCase())
  return levels.every((level) => search.values.includes(level)) ? levels : null
}

/** SQL of a row's level; null where rows have none. */
export const levelColumn = (dataset: Dataset): string | null => {
  const { search } = findAttribute(dataset, 'level', new Parameters('x').bind)
  return search.kind === 'choice' ? search.sql : null
}
