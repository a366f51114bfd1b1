import { EVENT_KEYS, type SearchKey } from '../../search/model/index.ts'
import { type Dataset, datasetOf } from './datasets.ts'

/** What can be grouped by and counted: an attribute of the rows of a dataset. */
export interface AttributeOption {
  readonly key: string
  /** When it is not called by its key. */
  readonly label?: string
  readonly hint: string
}

interface Sent {
  readonly key: string
  readonly name: string
  readonly attributeType: string
}

/**
 * Those that every project has, then what came beside them.
 *
 * @param sent attributes of spans, log lines and values
 * @param tags of errors
 */
export function offeredAttributes(
  { attributes }: Pick<Dataset, 'attributes'>,
  sent: readonly Sent[],
  tags: readonly string[],
): readonly AttributeOption[] {
  const known = new Set(attributes.map(({ key }) => key))
  return [
    ...attributes,
    ...sent
      .filter(({ key }) => !known.has(key))
      .map(({ key, name, attributeType: type }) => ({ key, label: name, hint: type === 'string' ? '' : type })),
    ...tags.filter((key) => !known.has(key)).map((key) => ({ key, hint: 'tag' })),
  ]
}

const ERRORS = datasetOf('errors').attributes

/** Errors are searched for by more than what they can be grouped by: by anything in their stacks. */
const ERROR_KEYS: readonly SearchKey[] = [
  ...EVENT_KEYS,
  ...ERRORS.filter(({ key }) => EVENT_KEYS.every((one) => one.key !== key)),
]

/** What the search field offers. */
export const searchKeysOf = ({ name, attributes }: Dataset): readonly SearchKey[] =>
  name === 'errors' ? ERROR_KEYS : attributes
