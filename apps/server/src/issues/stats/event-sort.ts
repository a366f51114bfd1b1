import { err, ok, type Result } from '../../lib/result.ts'
import type { EventColumn } from '../search/index.ts'

const plain = (name: string): string => name.replaceAll(/[^a-z0-9]+/gi, '_').replace(/_+$/, '')

/** `-count` and `-count()` mean the same column. The error is a sentence for the caller. */
export const findSort = (
  text: string,
  columns: readonly EventColumn[],
): Result<{ readonly column: number; readonly descending: boolean }, string> => {
  const descending = text.startsWith('-')
  const wanted = descending ? text.slice(1) : text
  const column = columns.findIndex(({ name }) => name === wanted || plain(name) === plain(wanted))
  return column === -1
    ? err(`"${wanted}" can only be sorted by when it is one of the fields.`)
    : ok({ column, descending })
}
