/** Entries of one memory; when it is full it starts again, which keeps it bounded without bookkeeping per look-up. */
const MEMORY_ENTRIES = 4096
/** Longer texts are rare and would make the memory heavy. */
const MEMORY_TEXT_CHARACTERS = 512

/**
 * Remembers the results of a pure function of a text. The same few files and functions appear in nearly every event of a
 * project, and the expressions that judge them are the dearest part of grouping.
 */
export const memoise = <Value>(compute: (text: string) => Value): ((text: string) => Value) => {
  const memory = new Map<string, Value>()
  return (text) => {
    const known = memory.get(text)
    if (known !== undefined) return known
    const value = compute(text)
    if (text.length <= MEMORY_TEXT_CHARACTERS) {
      if (memory.size >= MEMORY_ENTRIES) memory.clear()
      memory.set(text, value)
    }
    return value
  }
}
