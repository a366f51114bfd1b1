import { formatSpent } from '../../../lib/spent-time.ts'

/** A part of the trace that is in sight. Microseconds. */
export interface Zoom {
  readonly from: number
  readonly to: number
}

export interface Tick {
  readonly at: number
  readonly label: string
}

/** Nothing shorter can be looked at: clocks of browsers are not finer. */
const LEAST_MICROSECONDS = 10
const SECOND = 1_000_000
const MILLISECOND = 1000

/** Round moments in sight, about as many as asked for. The first says the unit. */
export function ticksOf({ from, to }: Zoom, about: number): readonly Tick[] {
  const rough = (to - from) / Math.max(1, about)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? 10 * power
  const [unit, name] =
    to >= SECOND && step >= MILLISECOND ? [SECOND, 's'] : to >= MILLISECOND ? [MILLISECOND, 'ms'] : [1, 'µs']
  const digits = Math.max(0, -Math.floor(Math.log10(step / unit) + 1e-9))
  const ticks: Tick[] = []
  for (let index = Math.ceil(from / step); index * step <= to; index += 1) {
    const value = ((index * step) / unit).toFixed(digits)
    ticks.push({ at: index * step, label: ticks.length === 0 ? `${value} ${name}` : value })
  }
  return ticks
}

/** Cut to the trace, never inside out and never shorter than can be drawn. */
export function clampZoom(wanted: Zoom, whole: Zoom): Zoom {
  const length = Math.min(whole.to - whole.from, Math.max(LEAST_MICROSECONDS, wanted.to - wanted.from))
  const from = Math.min(Math.max(whole.from, wanted.from), whole.to - length)
  return { from, to: from + length }
}

/** @param factor below 1 brings closer @param at the moment that stays where it is */
export function zoomAround(zoom: Zoom, whole: Zoom, factor: number, at: number): Zoom {
  return clampZoom({ from: at - (at - zoom.from) * factor, to: at + (zoom.to - at) * factor }, whole)
}

/** Moves by a share of what is in sight. */
export function panBy(zoom: Zoom, whole: Zoom, share: number): Zoom {
  const by = (zoom.to - zoom.from) * share
  const length = zoom.to - zoom.from
  const from = Math.min(Math.max(whole.from, zoom.from + by), whole.to - length)
  return { from, to: from + length }
}

/** The span with a little room at its sides. */
export function fit(from: number, to: number, whole: Zoom): Zoom {
  const room = Math.max(LEAST_MICROSECONDS, (to - from) * 0.08)
  return clampZoom({ from: from - room, to: to + room }, whole)
}

/** Of all that is shown, the spans are at least this share: else they are too small to be read. */
const SPANS_SHARE = 1 / 4

/** What is in sight at first: the whole trace, or when that is mostly errors and log lines long after the spans, those. */
export function firstSight(spans: Zoom, whole: Zoom): Zoom {
  return spans.to - spans.from < (whole.to - whole.from) * SPANS_SHARE ? fit(spans.from, spans.to, whole) : whole
}

/** Brings a span into sight that is not, without changing how close one is. The same zoom when it is. */
export function bringIntoSight(zoom: Zoom, whole: Zoom, from: number, to: number): Zoom {
  if (to >= zoom.from && from <= zoom.to) return zoom
  const length = zoom.to - zoom.from
  const start = (from + to) / 2 - length / 2
  return clampZoom({ from: start, to: start + length }, whole)
}

/** `+4.24 s` after the first span, `−3:34 min` before it. */
export function offsetText(at: number): string {
  const text = formatSpent(Math.abs(at) / MILLISECOND)
  return at < 0 ? `−${text}` : `+${text}`
}

/** So far from the left edge stands what was before the axis. */
export const EDGE_PIXELS = 5

/** Where a moment stands, in pixels. What was before all that can be shown stands at the edge while that is in sight. */
export function placeOfMark(at: number, zoom: Zoom, whole: Zoom, width: number): number {
  if (at < whole.from && zoom.from <= whole.from) return EDGE_PIXELS
  return ((at - zoom.from) / (zoom.to - zoom.from)) * width
}

export const isWhole = (zoom: Zoom, whole: Zoom): boolean => zoom.from <= whole.from && zoom.to >= whole.to

/** Which of the marks is under the pointer, the nearest within reach; -1 for none. Pixels. */
export function nearestMark(marks: readonly number[], x: number, reach: number): number {
  let nearest = -1
  let least = reach
  for (const [index, mark] of marks.entries()) {
    const distance = Math.abs(mark - x)
    if (distance > least) continue
    least = distance
    nearest = index
  }
  return nearest
}
