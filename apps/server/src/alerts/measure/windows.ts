import type { Period } from '../../search/index.ts'
import { endOf, MINUTE_MS } from './minute.ts'

/** Times by when something was received: half open, so that neighbours share nothing. */

/** Windows at equal distances, the newest first. */
export interface Grid {
  readonly end: number
  readonly stepMs: number
  readonly lengthMs: number
  readonly count: number
}

/** Some windows, or many regular ones. They are numbered from 1. */
export type Windows = readonly Period[] | Grid

export const isGrid = (windows: Windows): windows is Grid => 'stepMs' in windows

export const periodsOf = (windows: Windows): readonly Period[] =>
  isGrid(windows)
    ? Array.from({ length: windows.count }, (_, index) => {
        const to = windows.end - index * windows.stepMs
        return { from: to - windows.lengthMs, to }
      })
    : windows

/** The window that ends with a minute. */
export const windowOf = (minute: number, lengthMinutes: number): Period => ({
  from: endOf(minute) - lengthMinutes * MINUTE_MS,
  to: endOf(minute),
})

export const shifted = ({ from, to }: Period, byMs: number): Period => ({ from: from + byMs, to: to + byMs })

/** From the first to the last of them. */
export const around = (windows: Windows): Period => {
  if (isGrid(windows)) {
    const { count, end, lengthMs, stepMs } = windows
    return { from: end - (count - 1) * stepMs - lengthMs, to: end }
  }
  return {
    from: Math.min(...windows.map(({ from }) => from)),
    to: Math.max(...windows.map(({ to }) => to)),
  }
}

/** Whether no two of them share a moment. */
export const areDisjoint = (windows: readonly Period[]): boolean => {
  const sorted = windows.toSorted((left, right) => left.from - right.from)
  return sorted.every(({ from }, index) => index === 0 || from >= (sorted[index - 1]?.to ?? 0))
}
