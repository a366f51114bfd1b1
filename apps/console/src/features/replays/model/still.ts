import type { ReplayPlayback } from '@firsthand/contract'

/** Before the picture begins one need not be told, if it begins within this time; nor of a pause of a film. Milliseconds. */
const SOON_MS = 1000

type Seen = Pick<ReplayPlayback, 'gaps' | 'videos' | 'finishedAt' | 'complete'>

/** Stretches in which a phone filmed nothing, although it was recorded: between two videos, and behind the last. */
export function pausesOf({ complete, finishedAt, videos }: Seen): { readonly from: number; readonly to: number }[] {
  const pauses: { from: number; to: number }[] = []
  let end: number | null = null
  for (const { from, to } of videos) {
    if (end !== null && from - end > SOON_MS) pauses.push({ from: end, to: from })
    end = Math.max(end ?? 0, to)
  }
  // What runs goes on to be filmed.
  if (end !== null && complete && finishedAt - end > SOON_MS) pauses.push({ from: end, to: Infinity })
  return pauses
}

/**
 * Why the picture does not move at a moment, or not all of it, as a text that stays the same as long as the reason does: `before` it
 * begins, or the place of a gap. Null when it moves.
 *
 * @param incomplete stretches in which parts of the page are not known
 */
export function stillIn(
  seen: Seen,
  pictureFrom: number | null,
  at: number,
  incomplete: readonly { readonly from: number; readonly to: number }[] = [],
): string | null {
  if (pictureFrom !== null && at < pictureFrom - SOON_MS) return `before ${pictureFrom}`
  const gap = seen.gaps.find(({ from, to }) => from <= at && at < to)
  if (gap !== undefined) return `gap ${gap.to} ${gap.segments}`
  // Only of pages: each picture of a film is whole.
  const part = pictureFrom === null ? undefined : incomplete.find(({ from, to }) => from <= at && at < to)
  if (part !== undefined) return `part ${part.to}`
  const pause = pausesOf(seen).find(({ from, to }) => from <= at && at < to)
  if (pause === undefined) return null
  return pause.to === Infinity ? `end ${pause.from}` : `pause ${pause.to}`
}

interface Opening {
  readonly at: number
  readonly plays: boolean
  readonly firstSight: number | null
}

/** Where a replay was opened because nothing is to be seen before, as long as it stands there; null where it need not be told. */
export const opensAt = ({ at, firstSight, plays }: Opening, startedAt: number): number | null =>
  !plays && at === firstSight && at > startedAt + SOON_MS ? at : null

/** @param moment how a moment is called */
export function whyStill(still: string, moment: (at: number) => string): string {
  const [why, at, segments] = still.split(' ')
  const when = moment(Number(at))
  if (why === 'before') return `The picture begins at ${when}.`
  if (why === 'part') {
    const until = at === 'Infinity' ? 'the end' : when
    return `Changes before this moment did not come: the page may be incomplete until ${until}.`
  }
  if (why === 'pause') {
    return `The phone filmed nothing here: the app was not in front, or its screen stood still. The picture goes on at ${when}.`
  }
  if (why === 'end') return `The phone filmed nothing after ${when}.`
  const missing = segments === '1' ? 'A segment' : `${segments} segments`
  return `${missing} of the recording did not come. The picture goes on at ${when}.`
}
