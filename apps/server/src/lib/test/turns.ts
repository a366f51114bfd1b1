/** Counts how often others have their turn while something is made: what is done in slices lets them. */
export const countTurns = async <Value>(make: () => Promise<Value>): Promise<{ value: Value; turns: number }> => {
  let turns = 0
  let isDone = false
  const others = (): void => {
    turns += 1
    if (!isDone) setImmediate(others)
  }
  setImmediate(others)
  const value = await make()
  isDone = true
  return { value, turns }
}
