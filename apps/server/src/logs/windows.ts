import { LIMITS } from './limits.ts'

/** More than it takes by what was found so far: lines do not come evenly. */
const MARGIN = 1.25

interface Looked {
  readonly found: number
  readonly wanted: number
  /** Milliseconds in which they were found. */
  readonly looked: number
  /** Nothing was in the last window. */
  readonly isEmpty: boolean
}

/**
 * How long the next window of a search is, in milliseconds: as long as it takes to find the rest, if lines go on to come as
 * they did. Never shorter than the last one, and never more than so many times as long.
 */
export const nextWindow = (last: number, { found, wanted, looked, isEmpty }: Looked): number => {
  const longest = last * LIMITS.LOG_WINDOW_TIMES
  if (isEmpty || found === 0) return longest
  const needed = Math.ceil((looked * Math.max(0, wanted - found) * MARGIN) / found)
  return Math.min(longest, Math.max(last, needed))
}
