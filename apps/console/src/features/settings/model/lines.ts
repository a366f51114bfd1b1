/** A list as people type it, one per line. */
export function toLines(list: readonly string[]): string {
  return list.join('\n')
}

/** Lines as a list: trimmed, without empty ones and repetitions. */
export function fromLines(text: string): string[] {
  return [...new Set(text.split(/\r?\n/).map((line) => line.trim()))].filter((line) => line !== '')
}

/** Limits of the contract: entries of a list, and characters of an entry. */
const MAX_ENTRIES = 200
const MAX_LENGTH = 400

/** What is wrong with a list, or undefined. */
export function checkLines(text: string): string | undefined {
  const list = fromLines(text)
  if (list.length > MAX_ENTRIES) return `At most ${MAX_ENTRIES} entries; these are ${list.length}.`
  const long = list.find((line) => line.length > MAX_LENGTH)
  return long === undefined
    ? undefined
    : `An entry may have ${MAX_LENGTH} characters; “${long.slice(0, 24)}…” is longer.`
}
