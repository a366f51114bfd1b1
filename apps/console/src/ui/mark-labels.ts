/** A mark of a chart: where its line is, and how wide its words are, in pixels. */
export interface PlacedMark {
  readonly x: number
  readonly width: number
}

interface Room {
  readonly left: number
  readonly right: number
  /** Between a line and its words. */
  readonly gap: number
}

/**
 * Where the words of marks begin: after their line, or before it where the chart ends, but never outside of it; null for
 * those that would stand on the words of a newer one.
 *
 * @param marks in the order of time
 */
export function markLabels(marks: readonly PlacedMark[], { gap, left, right }: Room): readonly (number | null)[] {
  let free = Infinity
  return marks
    .toReversed()
    .map(({ width, x }) => {
      const start = x + gap + width <= right ? x + gap : Math.max(left, x - gap - width)
      if (start + width + gap > free) return null
      free = Math.min(start, x)
      return start
    })
    .toReversed()
}
