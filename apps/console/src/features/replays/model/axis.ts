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
/**
 * Moments that are named above the line: even ones, none beside a fold, which says how long it is.
 *
 * @param labelShare of the line, between the beginnings of two labels
 */
export function ticksOf({ from, to, folds, placeOf }: Axis, labelShare: number): readonly number[] {
  const shown = to - from - folds.reduce((sum, fold) => sum + fold.to - fold.from, 0)
  const step = STEPS.find((one) => (shown / one) * labelShare <= 0.7) ?? 3_600_000
  const middles = folds.map(({ start, end }) => (start + end) / 2)
  const ticks: number[] = []
  for (let at = from; at <= to; at += step) {
    const place = placeOf(at)
    const last = ticks.at(-1)
    const isFree =
      place <= 1 - labelShare / 2 &&
      middles.every((middle) => Math.abs(middle - place) > labelShare * 0.75) &&
      (last === undefined || place - placeOf(last) >= labelShare)
    if (isFree) ticks.push(at)
  }
  return ticks
}
