import type { Pattern } from '../../search/index.ts'

/** Words that were searched, with what stood around them on the page. */
export interface ShownWords {
  readonly before: string
  readonly match: string
  readonly after: string
}

/** A line of a list has room for so much. */
const BEFORE_CHARS = 40
const MATCH_CHARS = 120
const AFTER_CHARS = 80

/** Where a pattern first stands in a text; null where it does not. Both are in lower case. */
const placeOf = (text: string, pattern: Pattern): readonly [number, number] | null => {
  const parts = pattern.filter((part) => part !== '')
  const start = text.indexOf(parts[0] ?? '')
  let end = start
  if (parts.length === 0 || start === -1) return null
  for (const part of parts) {
    const at = text.indexOf(part, end)
    if (at === -1) return null
    end = at + part.length
  }
  return [start, end]
}

const beginningOf = (text: string, characters: number): string => {
  const cut = text.slice(0, characters).toWellFormed()
  return cut.length < text.length ? `${cut}…` : cut
}

const endOf = (text: string, characters: number): string => {
  const cut = text.slice(-characters).toWellFormed()
  return cut.length < text.length ? `…${cut}` : cut
}

/**
 * The first of some patterns that a text has.
 *
 * @param written as it stood on the page
 * @param patterns in lower case
 */
export const shownWords = (written: string, patterns: readonly Pattern[]): ShownWords | null => {
  const folded = written.toLowerCase()
  // A few letters become two of them: then places in one text are none in the other.
  const text = folded.length === written.length ? written : folded
  for (const pattern of patterns) {
    const place = placeOf(folded, pattern)
    if (place === null) continue
    const [start, end] = place
    return {
      before: endOf(text.slice(0, start), BEFORE_CHARS),
      match: beginningOf(text.slice(start, end), MATCH_CHARS),
      after: beginningOf(text.slice(end), AFTER_CHARS),
    }
  }
  return null
}
