interface Step {
  /** Seconds since the epoch. */
  readonly at: number
  readonly count: number
}

/** Where the lines of a chart end although its axis goes on: nothing came after it. Null when that is as far as one can tell. */
export function silentSince(steps: readonly Step[], interval: number): number | null {
  const last = steps.findLastIndex(({ count }) => count > 0)
  const end = steps[last]
  // The last step has only begun.
  return end === undefined || last >= steps.length - 2 ? null : end.at + interval
}
