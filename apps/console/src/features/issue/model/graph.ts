import { shortVersion } from '../../../lib/short-version.ts'

/** The graph: one bar for each bucket, and marks where releases began to run. */

export interface GraphBar {
  /** Instants, milliseconds. */
  readonly start: number
  readonly end: number
  readonly count: number
  /** 0 … 1 of the highest bar. */
  readonly height: number
}

export interface GraphMark {
  readonly label: string
  /** 0 … 1 of the graph's width. */
  readonly at: number
}

/** @param points `[seconds since the epoch, count]`, oldest first */
export function graphBars(
  points: readonly (readonly [number, number])[],
  intervalSeconds: number,
): readonly GraphBar[] {
  const highest = Math.max(1, ...points.map(([, count]) => count))
  return points.map(([seconds, count]) => ({
    start: seconds * 1000,
    end: (seconds + intervalSeconds) * 1000,
    count,
    height: count / highest,
  }))
}

/** When something began: `useReleaseMarks` has those of releases. */
export interface GraphMoment {
  readonly label: string
  readonly timeMs: number
}

/** Marks inside the graph; of several at nearly the same place only the last is drawn, its name would hide the others. */
export function graphMarks(moments: readonly GraphMoment[], start: number, end: number): readonly GraphMark[] {
  const span = end - start
  if (span <= 0) return []
  const inside = moments
    .filter((moment) => moment.timeMs >= start && moment.timeMs <= end)
    .toSorted((a, b) => a.timeMs - b.timeMs)
    .map((moment) => ({ label: moment.label, at: (moment.timeMs - start) / span }))
  return inside.filter((mark, index) => (inside[index + 1]?.at ?? 2) - mark.at > MIN_DISTANCE)
}

const MIN_DISTANCE = 0.06

/** A tag's value where there is little room: the version of a release, the path of an address. */
export function shownValue(key: string, value: string): string {
  if (key === 'release') return shortVersion(value)
  const url = key === 'url' ? URL.parse(value) : null
  return url === null || url.host === '' ? value : url.pathname + url.search
}
