/**
 * Which rows of a list that is asked for again stand on the screen: those that stood there keep their places, what came
 * in between or above waits until somebody wants to see it, and what follows behind is further pages.
 */
export interface HeldRows {
  readonly order: readonly string[]
  /** How many are not shown yet. */
  readonly waiting: number
}

/** @param shown keys of the rows that stand on the screen; null before there are any */
export function heldRows(shown: readonly string[] | null, asked: readonly string[]): HeldRows {
  if (shown === null || shown.length === 0) return { order: asked, waiting: 0 }
  const there = new Set(asked)
  const kept = shown.filter((key) => there.has(key))
  if (kept.length === 0) return { order: asked, waiting: 0 }
  const known = new Set(kept)
  const last = asked.findLastIndex((key) => known.has(key))
  const behind = asked.slice(last + 1)
  const order = [...kept, ...behind]
  const isSame = order.length === shown.length && order.every((key, index) => key === shown[index])
  return { order: isSame ? shown : order, waiting: asked.length - order.length }
}
