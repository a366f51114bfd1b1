/** Slices of at most `size` elements: a statement may have a limited number of parameters. */
export const chunks = <Value>(values: readonly Value[], size: number): Value[][] => {
  const result: Value[][] = []
  for (let start = 0; start < values.length; start += size) result.push(values.slice(start, start + size))
  return result
}

/** Rows of one multi-row statement; times the widest row (30 columns), below SQLite's 32,766 parameters. */
export const ROWS_PER_STATEMENT = 400
