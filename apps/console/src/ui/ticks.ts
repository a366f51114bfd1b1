/**
 * The texts of a value axis: as short as its steps are (`2 s`, not `2.00 s`), and none that says nothing.
 *
 * @param highest of all values that are drawn; null when there is none, and so nothing to measure
 */
export function tickTexts(
  ticks: readonly number[],
  highest: number | null,
  format: (value: number) => string,
): readonly string[] {
  return ticks.map((tick) =>
    highest === null || (highest === 0 && tick > 0)
      ? ''
      : tick === 0
        ? '0'
        : format(tick)
            .replace(/(\.\d*?)0+(?=\D|$)/, '$1')
            .replace(/\.(?=\D|$)/, ''),
  )
}

const USUAL_ROOM = 44

/** Pixels that a value axis needs for its texts: a longer one would lose its first digits. @param between it and the chart */
export function roomOf(texts: readonly string[], widthOf: (text: string) => number, between: number): number {
  return texts.reduce((room, text) => Math.max(room, Math.ceil(widthOf(text)) + between), USUAL_ROOM)
}

/** The highest value of all lines; null when none has a value. */
export function highestOf(lines: readonly ArrayLike<number | null | undefined>[]): number | null {
  let highest: number | null = null
  for (const line of lines) {
    for (let place = 0; place < line.length; place += 1) {
      const value = line[place]
      if (value !== null && value !== undefined && (highest === null || value > highest)) highest = value
    }
  }
  return highest
}
