import type { Repository } from './ledger/repositories.ts'

type RepositoryOf = (
  commit: { readonly repository: string | null },
  /** Ids of those that the project's code mappings name. */
  mapped?: readonly number[],
) => Repository | null

/**
 * Tells the repository that a commit is of. A program that knows none says `origin`, as the clone calls it: then it is the
 * only one that the project's code mappings name, or the only one there is.
 */
export const repositoryFinder = (repositories: readonly Repository[]): RepositoryOf => {
  const byName = new Map<string | null, Repository>(repositories.map((repository) => [repository.name, repository]))
  return ({ repository: told }, mapped = []) => {
    const named = byName.get(told)
    if (named !== undefined) return named
    if (told !== null && told !== 'origin') return null
    const own = mapped.length === 0 ? repositories : repositories.filter(({ id }) => mapped.includes(id))
    const [only, another] = own
    return only !== undefined && another === undefined ? only : null
  }
}
