import { memoise as memoiseText } from '../../../lib/memoise.ts'

const MEMORY_ENTRIES = 4096
/** Longer texts are rare and would make the memory heavy. */
const MEMORY_TEXT_CHARACTERS = 512

/**
 * Remembers the results of a pure function of a text. The same few files and functions appear in nearly every event of a
 * project, and the expressions that judge them are the dearest part of grouping.
 */
export const memoise = <Value>(compute: (text: string) => Value): ((text: string) => Value) =>
  memoiseText(compute, MEMORY_ENTRIES, MEMORY_TEXT_CHARACTERS)
