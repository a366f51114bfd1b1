import { shortVersion } from '../../../lib/short-version.ts'

/** The graph: one bar for each bucket, and a mark where a release begins to matter. */

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

export interface ReleaseMoment {
  readonly version: string
  /** Milliseconds. */
  readonly time: number
}

/** Marks inside the graph; of several at nearly the same place only the last is drawn, its name would hide the others. */
export function graphMarks(moments: readonly ReleaseMoment[], start: number, end: number): readonly GraphMark[] {
  const span = end - start
  if (span <= 0) return []
  const inside = moments
    .filter((moment) => moment.time >= start && moment.time <= end)
    .toSorted((a, b) => a.time - b.time)
    .map((moment) => ({ label: shortVersion(moment.version), at: (moment.time - start) / span }))
  return inside.filter((mark, index) => (inside[index + 1]?.at ?? 2) - mark.at > MIN_DISTANCE)
}

const MIN_DISTANCE = 0.06

/** A tag's value where there is little room: the version of a release, the path of an address. */
export function shownValue(key: string, value: string): string {
  if (key === 'release') return shortVersion(value)
  const url = key === 'url' ? URL.parse(value) : null
  return url === null || url.host === '' ? value : url.pathname + url.search
}
