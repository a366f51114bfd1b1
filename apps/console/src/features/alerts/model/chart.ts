import type { AlertDryRun } from '@firsthand/contract'

/** Where the chart of a dry run draws what. Pure: numbers in, pixels out. */

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Scale extends Size {
  readonly fromMs: number
  readonly toMs: number
  /** The values at the top and at the bottom. */
  readonly top: number
  readonly bottom: number
  /** What is drawn is what is missing of all: bars hang down from the top. */
  readonly hangs: boolean
  readonly x: (timeMs: number) => number
  readonly y: (value: number) => number
  readonly valueAt: (y: number) => number
}

const ROOM_ABOVE = 1.12

/** Below the lowest share, of what it misses. */
const ROOM_BELOW = 0.15

/** From all down to what is missed at the worst: the percent that crashed would be nothing beside all that did not. */
function hangingRange(run: AlertDryRun, limit: number | null): readonly [bottom: number, top: number] {
  const values = run.series.flatMap(({ points }) => points.map(([, value]) => value ?? 1))
  const lowest = Math.min(limit ?? 1, ...values)
  const missing = lowest >= 1 ? 0.01 : 1 - lowest
  return [Math.max(0, 1 - missing * (1 + ROOM_BELOW)), 1]
}

function standingRange(run: AlertDryRun, limit: number | null): readonly [bottom: number, top: number] {
  const highest = Math.max(
    0,
    limit ?? 0,
    ...run.series.flatMap(({ points }) => points.map(([, value]) => value ?? 0)),
    ...(run.band ?? []).map(([, , , upper]) => upper),
  )
  return [0, highest === 0 ? 1 : highest * ROOM_ABOVE]
}

/**
 * High enough for all values, the band and the limit, so that its handle can be reached.
 *
 * @param hangs of a share that is to be nearly all
 */
export function scaleOf(run: AlertDryRun, limit: number | null, { width, height }: Size, hangs = false): Scale {
  const [bottom, top] = hangs ? hangingRange(run, limit) : standingRange(run, limit)
  const within = (value: number): number => Math.max(bottom, hangs ? Math.min(top, value) : value)
  const fromMs = Date.parse(run.from)
  const toMs = Date.parse(run.to)
  const span = Math.max(1, toMs - fromMs)
  return {
    width,
    height,
    fromMs,
    toMs,
    top,
    bottom,
    hangs,
    x: (timeMs) => ((timeMs - fromMs) / span) * width,
    y: (value) => height - ((within(value) - bottom) / (top - bottom)) * height,
    valueAt: (y) => {
      const value = Math.max(0, bottom + ((height - y) / height) * (top - bottom))
      return hangs ? Math.min(top, value) : value
    },
  }
}

/** The worst of all groups at each step. */
export function worstPoints(run: AlertDryRun, isBelow: boolean): readonly (readonly [number, number])[] {
  const worst = new Map<number, number>()
  for (const { points } of run.series) {
    for (const [seconds, value] of points) {
      if (value === null) continue
      const known = worst.get(seconds)
      if (known === undefined || (isBelow ? value < known : value > known)) worst.set(seconds, value)
    }
  }
  return [...worst].toSorted(([a], [b]) => a - b)
}

/** A step of a scale that people count in: 1, 2 or 5 times a power of ten. */
export function niceStep(top: number, wanted: number): number {
  const rough = top / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const times = [1, 2, 5, 10].find((one) => one * power >= rough) ?? 10
  return times * power
}

/** From the top where bars hang there, otherwise from the bottom. */
export function ticksOf({ bottom, hangs, top }: Pick<Scale, 'bottom' | 'hangs' | 'top'>): readonly number[] {
  const step = niceStep(top - bottom, 4)
  return Array.from({ length: Math.floor((top - bottom) / step) + 1 }, (_, place) =>
    hangs ? top - place * step : bottom + place * step,
  )
}

/** How far a key moves a limit. @param isWhole of what is counted: nobody wants more than 4.1 users */
export const limitStep = ({ bottom, top }: Pick<Scale, 'bottom' | 'top'>, isWhole: boolean, steps = 40): number =>
  Math.max(isWhole ? 1 : 0, niceStep(top - bottom, steps))

/** A limit that is dragged stands on values that one would type. */
export function roundedLimit(value: number, scale: Pick<Scale, 'bottom' | 'top'>, isWhole = false): number {
  const step = limitStep(scale, isWhole, 100)
  const digits = Math.max(0, -Math.floor(Math.log10(step)))
  return Number((Math.round(value / step) * step).toFixed(digits))
}

/** The band of what is usual, as the points of a polygon. */
export function bandPoints(run: AlertDryRun, scale: Scale): string {
  const band = run.band ?? []
  const at = (seconds: number, value: number) => `${scale.x(seconds * 1000).toFixed(1)},${scale.y(value).toFixed(1)}`
  const upper = band.map(([seconds, , , high]) => at(seconds, high))
  const lower = band.map(([seconds, low]) => at(seconds, low)).toReversed()
  return [...upper, ...lower].join(' ')
}

/** Between two marks, so that both can be read and pressed. */
const MARK_GAP = 4
const MARK_WIDTH = 20
/** What a mark has beside its text, and what a character of that takes. */
const MARK_PADDING = 12
const MARK_CHARACTER = 7

export interface FiringMark {
  /** Of the firings that it stands for, the oldest first. */
  readonly places: readonly number[]
  readonly x: number
  readonly y: number
  /** Number of its message, or how many they are; '' for one that nobody would have got. */
  readonly text: string
}

/** A mark reaches no further over an end of the chart than this: the panel would cut it off. */
const MARK_BEYOND = 10

const widthOf = ({ text }: FiringMark): number => Math.max(MARK_WIDTH, text.length * MARK_CHARACTER + MARK_PADDING)

const within = (mark: FiringMark, { width }: Size): FiringMark => {
  const half = widthOf(mark) / 2 - MARK_BEYOND
  return { ...mark, x: Math.max(half, Math.min(mark.x, width - half)) }
}

/** Both as one: in the middle between them, above the higher bar. */
const together = (left: FiringMark, right: FiringMark): FiringMark => {
  const [count, more] = [left.places.length, right.places.length]
  return {
    places: [...left.places, ...right.places],
    x: (left.x * count + right.x * more) / (count + more),
    y: Math.min(left.y, right.y),
    text: `×${count + more}`,
  }
}

/** Where each firing stands; those that would lie over each other are one mark, which says how many they are. */
export function firingMarks(run: AlertDryRun, scale: Scale): readonly FiringMark[] {
  const drawn = new Map(worstPoints(run, false))
  /** What has no value of its own stands on top of the bar that it is in. */
  const barAt = (timeMs: number): number => {
    const steps = Math.floor((timeMs - scale.fromMs) / 1000 / run.interval)
    return drawn.get(scale.fromMs / 1000 + steps * run.interval) ?? 0
  }
  const single = run.firings
    .map(({ at, number, value }, place) => ({ place, number, timeMs: Date.parse(at), value }))
    .toSorted((a, b) => a.timeMs - b.timeMs)
    .map(({ number, place, timeMs, value }) => {
      const y = Math.max(12, scale.y(value ?? barAt(timeMs)) - 14)
      return within({ places: [place], x: scale.x(timeMs), y, text: number === null ? '' : String(number) }, scale)
    })
  const marks: FiringMark[] = []
  for (const one of single) {
    let mark = one
    // Together they may reach over those before.
    for (let before = marks.at(-1); before !== undefined; before = marks.at(-1)) {
      if (mark.x - before.x >= (widthOf(before) + widthOf(mark)) / 2 + MARK_GAP) break
      mark = within(together(before, mark), scale)
      marks.pop()
    }
    marks.push(mark)
  }
  return marks
}

const HANDLE_HEIGHT = 26
const HANDLE_GAP = 2
/** Wide enough for most limits. */
const HANDLE_WIDTH = 64
const MARK_HEIGHT = 20

/**
 * Where the handle of the limit begins, from its line on: upon the line, or as near to it as it covers neither a mark nor the
 * "now" below the chart.
 */
export function handleTop(limitY: number, marks: readonly FiringMark[], { height, width }: Size): number {
  const upon = -HANDLE_HEIGHT / 2
  const near = marks.filter((mark) => mark.x + widthOf(mark) / 2 > width - HANDLE_WIDTH)
  const covers = (top: number): boolean =>
    near.some(({ y }) => Math.abs(limitY + top - upon - y) < (HANDLE_HEIGHT + MARK_HEIGHT) / 2)
  const beside = near.flatMap(({ y }) => {
    const apart = (HANDLE_HEIGHT + MARK_HEIGHT) / 2 + HANDLE_GAP
    return [y - apart + upon - limitY, y + apart + upon - limitY]
  })
  const lowest = height + HANDLE_GAP - HANDLE_HEIGHT - limitY
  const places = [upon, lowest, ...beside].filter((top) => top <= lowest && limitY + top >= upon && !covers(top))
  return places.toSorted((a, b) => Math.abs(a - upon) - Math.abs(b - upon))[0] ?? Math.min(upon, lowest)
}

const DAY_MS = 24 * 3600_000

/** What a day takes before "now" at the end of the axis. */
const NOW_ROOM = 76

/** Days that are named below the chart. @param startOfDay when the day of a moment began, for the reader */
export function dayTicks({ fromMs, toMs, width }: Scale, startOfDay: (timeMs: number) => number): readonly number[] {
  const days = Math.max(1, Math.round((toMs - fromMs) / DAY_MS))
  const each = Math.max(1, Math.ceil(days / Math.max(2, Math.floor(width / 84))))
  const ticks: number[] = []
  const last = toMs - ((toMs - fromMs) * NOW_ROOM) / Math.max(NOW_ROOM, width)
  for (let day = startOfDay(fromMs + DAY_MS); day < last; day = startOfDay(day + each * DAY_MS + DAY_MS / 2))
    ticks.push(day)
  return ticks
}
