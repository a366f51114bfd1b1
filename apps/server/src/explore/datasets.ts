import { err, ok, type Result } from '../lib/result.ts'
import type { Dataset, DatasetName } from '../search/index.ts'

/** Tables that any question can be asked of: each capability declares its own. */

/** The error is a sentence for the caller. */
export const findDataset = (datasets: readonly Dataset[], name: string): Result<Dataset, string> => {
  for (const dataset of datasets) {
    const called = dataset.names.find((one) => one.name === name)
    if (called !== undefined) return ok(asCalled(dataset, called))
  }
  const known = datasets.flatMap(({ names }) => names.filter(({ former }) => former !== true).map((one) => one.name))
  return err(`The dataset "${name}" is not there. Use one of: ${known.join(', ')}.`)
}

const asCalled = (dataset: Dataset, { attributes }: DatasetName): Dataset =>
  attributes === undefined ? dataset : { ...dataset, attributes: new Map([...dataset.attributes, ...attributes]) }

/** By what a row is called in requests for attributes and single rows, or by a name of the dataset. */
export const findItems = (datasets: readonly Dataset[], type: string): Result<Dataset, string> => {
  const found = datasets.find(({ itemType }) => itemType === type)
  return found === undefined ? findDataset(datasets, type) : ok(found)
}
