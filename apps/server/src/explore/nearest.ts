/** How many characters have to be put in, left out or exchanged to make one word of another. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at]
    for (let to = 1; to <= other.length; to += 1) {
      const exchanged = (row[to - 1] ?? 0) + (one.charAt(at - 1) === other.charAt(to - 1) ? 0 : 1)
      next.push(Math.min(exchanged, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

/** At most two that somebody may have meant, the likelier first. */
export const nearest = (word: string, known: readonly string[]): string[] => {
  const bearable = Math.max(1, Math.floor(word.length / 3))
  return known
    .map((name) => ({ name, far: distance(word, name) }))
    .filter(({ far }) => far <= bearable)
    .toSorted((one, other) => one.far - other.far || one.name.localeCompare(other.name))
    .slice(0, 2)
    .map(({ name }) => name)
}
