/** What two issues are compared by. */
export interface Comparable {
  readonly type: string
  readonly title: string
  readonly culprit: string
}

/** Words of two letters or numbers say little; they would make any two messages alike. */
const MIN_WORD = 3

/**
 * Those that are most alike first: the same place in the code counts most, then the words of title and message that both
 * have. What is equally alike keeps its order.
 */
export function mostAlikeFirst<Row extends Comparable>(issue: Comparable, others: readonly Row[]): readonly Row[] {
  const words = wordsOf(issue.title)
  return others
    .map((other) => ({ other, likeness: likeness(issue, words, other) }))
    .toSorted((a, b) => b.likeness - a.likeness)
    .map(({ other }) => other)
}

function likeness(issue: Comparable, words: ReadonlySet<string>, other: Comparable): number {
  const theirs = wordsOf(other.title)
  const both = [...words].filter((word) => theirs.has(word)).length
  const all = words.size + theirs.size - both
  const shared = all === 0 ? 0 : both / all
  return (
    (other.culprit !== '' && other.culprit === issue.culprit ? 1 : 0) +
    (other.type === issue.type ? shared : shared / 2)
  )
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .toLowerCase()
      .match(/\p{L}[\p{L}\p{N}]+/gu)
      ?.filter((word) => word.length >= MIN_WORD),
  )
}
