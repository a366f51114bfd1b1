type Values = readonly (number | null)[]

/**
 * Adds each series to the ones below it, so that bars drawn from the top series down look stacked. Nothing of a series is
 * no bar: the edge of one would show around the bar on it.
 */
export function stack(series: readonly Values[]): (number | null)[][] {
  let below: readonly number[] = []
  return series.map((values, place) => {
    const sums = values.map((value, index) => (value ?? 0) + (below[index] ?? 0))
    below = sums
    return sums.map((sum, index) => (place > 0 && (values[index] ?? 0) === 0 ? null : sum))
  })
}
