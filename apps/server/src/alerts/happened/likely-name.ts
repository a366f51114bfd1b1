/** How many letters have to be changed, added or left out to make one word of another, up to `most`. */
const distance = (left: string, right: string, most: number): number => {
  if (Math.abs(left.length - right.length) > most) return most + 1
  let before = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [row, letter] of Array.from(left).entries()) {
    const next = [row + 1]
    for (const [column, other] of Array.from(right).entries()) {
      const replaced = (before[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (before[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    before = next
  }
  return before.at(-1) ?? 0
}

const SHORTEST = 5

/** The name that somebody may have meant to write; null when it is like none. Short names are like too many. */
export const likelyName = (written: string, names: readonly string[]): string | null => {
  const word = written.toLowerCase()
  if (word.length < SHORTEST || word.length > 40) return null
  const found = names.find((name) => name.length >= SHORTEST && distance(word, name.toLowerCase(), 2) <= 2)
  return found === undefined || found === written ? null : found
}
