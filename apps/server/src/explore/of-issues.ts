import { isEventAxis, isEventColumn } from '../issues/index.ts'
import { parseSearch } from '../search/index.ts'
import { isAboutGroups } from './question.ts'

/**
 * What was asked of errors before they were a dataset is answered by `issues`, as it always was: clients hold its shape,
 * its pages and its words. All else that is asked of them is answered here.
 */

const NAMES: ReadonlySet<string> = new Set(['errors', 'discover'])

interface Asked {
  readonly dataset: string
  readonly query?: string | undefined
}

interface AskedTable extends Asked {
  readonly field?: readonly string[] | undefined
}

interface AskedSeries extends AskedTable {
  readonly yAxis?: readonly string[] | undefined
  readonly comparisonDelta?: number | undefined
}

export const isOfIssues = ({ dataset, query = '' }: Asked): boolean => {
  if (!NAMES.has(dataset)) return false
  const parsed = parseSearch(query)
  const root = parsed.ok ? parsed.value.root : null
  return root === null || isAboutGroups(root) === false
}

export const isTableOfIssues = ({ field = [], ...asked }: AskedTable): boolean =>
  isOfIssues(asked) && field.every(isEventColumn)

export const isSeriesOfIssues = ({ comparisonDelta, yAxis = [], ...asked }: AskedSeries): boolean =>
  isTableOfIssues(asked) && yAxis.every(isEventAxis) && comparisonDelta === undefined
