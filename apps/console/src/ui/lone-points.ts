/** Places of values that have no neighbour: a line needs two of them, so these are drawn as dots. */
export function lonePoints(values: ArrayLike<number | null | undefined>): number[] {
  const has = (at: number): boolean => values[at] !== null && values[at] !== undefined
  return Array.from({ length: values.length }, (_, at) => at).filter((at) => has(at) && !has(at - 1) && !has(at + 1))
}
