import { err, ok, type Result } from '../lib/result.ts'
import { logsDataset } from '../logs/index.ts'
import { metricsDataset } from '../metrics/index.ts'
import type { Dataset } from '../search/index.ts'
import { spansDataset } from '../traces/index.ts'

/** Tables that any question can be asked of. A further one is declared by its capability and named here. */
export const DATASETS: readonly Dataset[] = [spansDataset, logsDataset, metricsDataset]

/** What `issues` answers. */
const OF_ISSUES: readonly string[] = ['errors', 'discover']

export const isOfIssues = (name: string): boolean => OF_ISSUES.includes(name)

const NAMES = [...OF_ISSUES.slice(0, 1), ...DATASETS.flatMap(({ names }) => names.map(({ name }) => name))]

/** The error is a sentence for the caller. */
export const findDataset = (name: string): Result<Dataset, string> => {
  const found = DATASETS.find(({ names }) => names.some((one) => one.name === name))
  return found === undefined ? err(`The dataset "${name}" is not there. Use one of: ${NAMES.join(', ')}.`) : ok(found)
}

/** By what a row is called in requests for attributes and single rows, or by a name of the dataset. */
export const findItems = (type: string): Result<Dataset, string> => {
  const found = DATASETS.find(({ itemType }) => itemType === type)
  return found === undefined ? findDataset(type) : ok(found)
}
