import type { Repository } from './ledger/repositories.ts'

/**
 * The repository that a commit is of. A program that knows none says `origin`, as the clone calls it: then it is the only one
 * that the project's code mappings name, or the only one there is.
 *
 * @param mapped ids of those that the project's code mappings name
 */
export const repositoryOf = (
  { repository: told }: { readonly repository: string | null },
  repositories: readonly Repository[],
  mapped: readonly number[] = [],
): Repository | null => {
  const named = repositories.find(({ name }) => name === told)
  if (named !== undefined) return named
  if (told !== null && told !== 'origin') return null
  const own = mapped.length === 0 ? repositories : repositories.filter(({ id }) => mapped.includes(id))
  const [only, another] = own
  return only !== undefined && another === undefined ? only : null
}
