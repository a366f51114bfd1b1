import type { TimelineCell } from '@firsthand/contract'

/** What a part of a time line looks like: the gravest of what happened in it. */
export type CellLook = 'failed' | 'missed' | 'late' | 'running' | 'unknown' | 'ok'

export const lookOf = (cell: TimelineCell): CellLook => {
  if (cell.error > 0 || cell.timeout > 0) return 'failed'
  if (cell.missed > 0) return 'missed'
  if (cell.late > 0) return 'late'
  if (cell.running > 0) return 'running'
  return cell.ok > 0 ? 'ok' : 'unknown'
}

/** Heights of bars, 0 to 1: how long the longest run of a part took, beside the longest of all. */
export function heightsOf(cells: readonly TimelineCell[]): readonly number[] {
  const longest = Math.max(1, ...cells.map((cell) => cell.longest ?? 0))
  return cells.map((cell) => {
    // A run that never came has no length: an empty frame of full height says so.
    if (lookOf(cell) === 'missed' || lookOf(cell) === 'unknown') return 1
    return cell.longest === null ? LEAST : Math.max(LEAST, cell.longest / longest)
  })
}

const LEAST = 0.3

/** `3 missed, 20 on time`, for those who hear the line. */
export function summaryOf(cells: readonly TimelineCell[]): string {
  const sum = (pick: (cell: TimelineCell) => number): number => cells.reduce((all, cell) => all + pick(cell), 0)
  const parts = (
    [
      [sum((cell) => cell.missed), 'missed'],
      [sum((cell) => cell.error), 'failed'],
      [sum((cell) => cell.timeout), 'timed out'],
      [sum((cell) => cell.late), 'late'],
      [sum((cell) => cell.unknown), 'unknown'],
      [sum((cell) => cell.running), 'running'],
      [sum((cell) => cell.ok), 'on time'],
    ] as const
  ).filter(([count]) => count > 0)
  return parts.length === 0 ? 'no runs' : parts.map(([count, word]) => `${count} ${word}`).join(', ')
}
