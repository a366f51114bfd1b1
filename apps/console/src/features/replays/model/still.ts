import type { ReplayPlayback } from '@firsthand/contract'

/** Before the picture begins one need not be told, if it begins within this time. Milliseconds. */
const SOON_MS = 1000

/**
 * Why the picture does not move at a moment, as a text that stays the same as long as the reason does: `before` it
 * begins, or the place of a gap. Null when it moves.
 */
export function stillIn({ gaps }: Pick<ReplayPlayback, 'gaps'>, pictureFrom: number | null, at: number): string | null {
  if (pictureFrom !== null && at < pictureFrom - SOON_MS) return `before ${pictureFrom}`
  const gap = gaps.find(({ from, to }) => from <= at && at < to)
  return gap === undefined ? null : `gap ${gap.to} ${gap.segments}`
}

/** @param moment how a moment is called */
export function whyStill(still: string, moment: (at: number) => string): string {
  const [why, at, segments] = still.split(' ')
  if (why === 'before') return `The picture begins at ${moment(Number(at))}.`
  const missing = segments === '1' ? 'A segment' : `${segments} segments`
  return `${missing} of the recording did not come. The picture goes on at ${moment(Number(at))}.`
}
