/** Sums of the last so many steps; steps are counted from the newest. Nothing is 0. */
export const sumsOf = (values: Float64Array, length: number): Float64Array => {
  const sums = new Float64Array(values.length)
  const at = (step: number): number => {
    const value = values[step]
    return value === undefined || Number.isNaN(value) ? 0 : value
  }
  let sum = 0
  for (let step = values.length - 1; step >= 0; step -= 1) {
    sum += at(step) - at(step + length)
    sums[step] = sum
  }
  return sums
}
