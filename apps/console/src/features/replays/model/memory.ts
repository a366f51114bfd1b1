import type { ReplayMark } from '@firsthand/contract'

/** How much memory the page used at a moment. */
export interface MemoryPoint {
  readonly key: string
  readonly at: number
  readonly bytes: number
  /** Since the point before; 0 for the first. */
  readonly change: number
}

export function readMemory(marks: readonly ReplayMark[]): readonly MemoryPoint[] {
  const known = marks.flatMap(({ at, id: key, kind, value }) =>
    kind === 'memory' && value !== null && value >= 0 ? [{ key, at, bytes: value }] : [],
  )
  return known.map((point, index) => ({ ...point, change: point.bytes - (known[index - 1]?.bytes ?? point.bytes) }))
}

/** Steps of the upper end of a scale of bytes, so that it can be read. */
const STEPS = [1, 2, 5]

/** A round number of bytes that is not below this one. */
export function roofOf(bytes: number): number {
  let unit = 1_000_000
  for (;;) {
    const step = STEPS.find((one) => one * unit >= bytes)
    if (step !== undefined) return step * unit
    unit *= 10
  }
}
