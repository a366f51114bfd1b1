import type { ReleaseCommit } from './release.ts'

/** A commit with the paths that it added or changed. */
export interface ToldCommit extends ReleaseCommit {
  readonly files: readonly string[]
}

/** A place in own code that a stack went through. */
export interface StackPlace {
  readonly path: string
  readonly line: number | null
}

/** A commit that changed what threw. */
export interface Suspect {
  readonly commit: ToldCommit
  /** As the repository calls it. */
  readonly file: string
  readonly place: StackPlace
  /** How many parts of both paths are the same, counted from their ends. */
  readonly equalParts: number
}

/** Among more nobody can say which it was. */
const MOST_SUSPECTS = 3

/**
 * The commits of a release that changed the file nearest to the throw. Without the repository there are only paths, so they
 * are compared from their ends: two parts must be equal, or the name of the file when the release has it once. Where two
 * files fit as well, or many commits changed it, none is named: a wrong name is worse than none.
 *
 * @param places nearest to the throw first
 * @param commits newest first
 */
export const suspectsOf = (places: readonly StackPlace[], commits: readonly ToldCommit[]): readonly Suspect[] => {
  const files = [...new Set(commits.flatMap((commit) => commit.files))].map((file) => ({ file, parts: partsOf(file) }))
  const names = Map.groupBy(files, ({ parts }) => parts.at(-1) ?? '')
  for (const place of places) {
    const own = partsOf(place.path)
    const sameName = names.get(own.at(-1) ?? '') ?? []
    const fitting = sameName
      .map(({ file, parts }) => ({ file, equalParts: equalFromEnd(own, parts) }))
      .filter(({ equalParts }) => equalParts >= 2 || sameName.length === 1)
    const [best, another] = fitting.toSorted((a, b) => b.equalParts - a.equalParts)
    if (best === undefined) continue
    if (another?.equalParts === best.equalParts) return []
    const changed = commits.filter((commit) => commit.files.includes(best.file))
    return changed.length > MOST_SUSPECTS ? [] : changed.map((commit) => ({ commit, place, ...best }))
  }
  return []
}

const partsOf = (path: string): readonly string[] =>
  path
    .replace(/[?#].*$/s, '')
    .split(/[/\\]+/)
    .filter((part) => part !== '' && part !== '.' && part !== '..')

const equalFromEnd = (left: readonly string[], right: readonly string[]): number => {
  let count = 0
  while (count < left.length && count < right.length && left.at(-1 - count) === right.at(-1 - count)) count++
  return count
}
