/** One logarithmic scale for all rows of a list, from a power of ten to a power of ten. Milliseconds. */
export interface RulerScale {
  readonly from: number
  readonly to: number
}

const LEAST = 1

export function scaleFor(rows: readonly { readonly p50: number; readonly p99: number }[]): RulerScale {
  let low = Infinity
  let high = 0
  for (const { p50, p99 } of rows) {
    low = Math.min(low, p50)
    high = Math.max(high, p99)
  }
  const from = 10 ** Math.floor(Math.log10(Math.max(LEAST, Number.isFinite(low) ? low : LEAST)))
  const to = 10 ** Math.ceil(Math.log10(Math.max(from * 10, high)))
  return { from, to }
}

/** 0 at the left end, 1 at the right one. */
export function placeOn({ from, to }: RulerScale, value: number): number {
  if (value <= from) return 0
  return Math.min(1, Math.log10(value / from) / Math.log10(to / from))
}

/** So many powers of ten are too close to each other to be all named. */
const CLOSE_FROM = 4

/** The powers of ten that are named; where they are close, every second one. */
export function marksOf({ from, to }: RulerScale): readonly number[] {
  const step = Math.log10(to / from) > CLOSE_FROM - 0.5 ? 100 : 10
  const marks: number[] = []
  for (let mark = from; mark <= to * 1.0001; mark *= step) marks.push(mark)
  return marks
}

/** The first names its unit, and the first that is told in seconds does: `10 ms`, `100`, `1 s`, `10`. */
export function labelOf(mark: number, scale: RulerScale): string {
  if (mark < 1000) return mark === scale.from ? `${mark} ms` : `${mark}`
  return mark === marksOf(scale).find((one) => one >= 1000) ? `${mark / 1000} s` : `${mark / 1000}`
}
