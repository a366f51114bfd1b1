import { formatDuration } from '../../../lib/format.ts'
import { playTime } from './time.ts'

/** The time of a replay as a line: stretches without anything to see are folded to one width each. */
export interface Axis {
  readonly from: number
  readonly to: number
  readonly folds: readonly Fold[]
  /** 0 to 1. */
  placeOf(at: number): number
  /** The opposite: the moment at a place. */
  at(place: number): number
}

interface Fold {
  readonly from: number
  readonly to: number
  /** 0 to 1. */
  readonly start: number
  readonly end: number
}

/** Of the line, for one fold; and for all together. */
const FOLD_SHARE = 0.045
const FOLDS_SHARE = 0.3

interface Piece extends Fold {
  readonly isFold: boolean
}

const span = ([start, end]: readonly [number, number]): number => end - start

export function createAxis(from: number, to: number, idle: readonly (readonly [number, number])[]): Axis {
  const whole = Math.max(1, to - from)
  const within = idle
    .map(([start, end]) => [Math.max(from, start), Math.min(to, end)] as const)
    .filter((stretch) => span(stretch) > 0)
  const share = Math.min(FOLD_SHARE, FOLDS_SHARE / Math.max(1, within.length))
  // What is narrower than a fold would be gains nothing.
  const folded = within.filter((stretch) => span(stretch) / whole > share)
  const rest = whole - folded.reduce((sum, stretch) => sum + span(stretch), 0)
  const scale = (1 - folded.length * share) / Math.max(1, rest)
  const pieces = piecesOf(from, to, rest > 0 ? folded : [], share, rest > 0 ? scale : 1 / whole)
  const find = (is: (piece: Piece) => boolean): Piece => pieces.find(is) ?? (pieces.at(-1) as Piece)
  const between = (value: number, low: number, high: number): number =>
    high === low ? 0 : Math.min(1, Math.max(0, (value - low) / (high - low)))
  return {
    from,
    to,
    folds: pieces.filter(({ isFold }) => isFold),
    placeOf(at) {
      const piece = find(({ to: end }) => at <= end)
      return piece.start + (piece.end - piece.start) * between(at, piece.from, piece.to)
    },
    at(place) {
      const piece = find(({ end }) => place <= end)
      return piece.from + (piece.to - piece.from) * between(place, piece.start, piece.end)
    },
  }
}

function piecesOf(
  from: number,
  to: number,
  folded: readonly (readonly [number, number])[],
  share: number,
  scale: number,
): readonly Piece[] {
  const pieces: Piece[] = []
  let [at, start] = [from, 0]
  const add = (until: number, isFold: boolean): void => {
    if (until <= at) return
    const end = start + (isFold ? share : (until - at) * scale)
    pieces.push({ from: at, to: until, start, end, isFold })
    at = until
    start = end
  }
  for (const [begins, ends] of folded) {
    add(begins, false)
    add(ends, true)
  }
  add(to, false)
  return pieces.length > 0 ? pieces : [{ from, to, start: 0, end: 1, isFold: false }]
}

const STEPS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600].map((seconds) => seconds * 1000)
/** A word above the line: a moment, or how long a fold is. Pixels; the first one begins at its place, others are around it. */
export interface AxisLabel {
  readonly key: string
  readonly place: number
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Of small figures; and the room between two labels. Pixels. */
const CHARACTER_PX = 7
const ROOM_PX = 12

/** Whether two things above the line have room beside each other. */
export const areApart = (one: Pick<AxisLabel, 'start' | 'end'>, other: Pick<AxisLabel, 'start' | 'end'>): boolean =>
  one.end + ROOM_PX <= other.start || other.end + ROOM_PX <= one.start

/** @param width of the line, in pixels */
export function labelAt(place: number, text: string, width: number): AxisLabel {
  const long = text.length * CHARACTER_PX
  const start = place === 0 ? 0 : place * width - long / 2
  return { key: `${text} ${place}`, place, text, start, end: start + long }
}

/**
 * What is written above the line, as far as it has room: its beginning, then how long folds are, the longest first, then
 * even moments.
 *
 * @param width of the line, in pixels
 */
export function labelsOf({ from, to, folds, placeOf }: Axis, width: number): readonly AxisLabel[] {
  const shown = to - from - folds.reduce((sum, fold) => sum + fold.to - fold.from, 0)
  const needed = (playTime(to - from).length + 1) * CHARACTER_PX + ROOM_PX
  const step = STEPS.find((one) => (shown / one) * needed <= width * 0.7) ?? 3_600_000
  const moments: number[] = []
  for (let at = from + step; at < to; at += step) {
    // Within a fold none has a place of its own.
    if (!folds.some((fold) => fold.from < at && at < fold.to)) moments.push(at)
  }
  const wanted = [
    labelAt(0, playTime(0), width),
    ...folds
      .toSorted((one, other) => other.to - other.from - (one.to - one.from))
      .map((fold) => labelAt((fold.start + fold.end) / 2, formatDuration(fold.to - fold.from), width)),
    ...moments.map((at) => labelAt(placeOf(at), playTime(at - from), width)),
  ]
  const labels: AxisLabel[] = []
  for (const label of wanted) {
    const fits = label.start >= 0 && label.end <= width
    if (fits && labels.every((other) => areApart(label, other))) labels.push(label)
  }
  return labels
}
