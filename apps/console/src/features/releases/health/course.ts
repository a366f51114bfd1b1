import type { Answer, getReleaseHealth, ReleaseCourse } from '@firsthand/contract'

type Steps = ReleaseCourse['steps']

/** Percent of the sessions of each step that crashed; a gap where there was none, and where it is not as old yet. */
export const crashedShares = (steps: Steps, length: number): readonly (number | null)[] =>
  Array.from({ length }, (_, step) => {
    const [total, crashed] = steps[step] ?? [0, 0]
    return total === 0 ? null : (crashed / total) * 100
  })

/**
 * How many sessions fewer would have crashed at the rate of the release before; below zero, how many more. Null where that
 * says nothing: no release before, or less than one session.
 */
export const spared = (
  { sessions }: Pick<ReleaseCourse, 'sessions'>,
  before: Pick<ReleaseCourse, 'sessions'> | null,
): number | null => {
  if (before === null || before.sessions.total === 0) return null
  const expected = (before.sessions.crashed / before.sessions.total) * sessions.total
  const fewer = Math.round(sessions.crashed - expected)
  return fewer === 0 ? null : fewer
}

const DAY_S = 24 * 60 * 60

/**
 * The first days of a release of which its numbers are, where it has lived longer: that is what is compared with the one
 * before. Null where they are of its whole life.
 */
export const firstDays = ({
  adoption,
  interval,
  release,
}: Pick<Answer<typeof getReleaseHealth>, 'adoption' | 'interval'> & {
  readonly release: Pick<ReleaseCourse, 'since' | 'steps'> | null
}): number | null => {
  if (release === null) return null
  const counted = release.steps.length * interval
  // Shares of all sessions go on until now, by whole steps.
  const now = Date.parse(adoption.start) / 1000 + (adoption.steps.length - 1) * adoption.interval
  return Date.parse(release.since) / 1000 + counted < now ? Math.round(counted / DAY_S) : null
}

interface Shares {
  readonly own: readonly (number | null)[]
  readonly before: readonly (number | null)[]
  readonly others: readonly (number | null)[]
}

/** Percent of all sessions of each step; a gap where there were none. */
export const adoptionShares = (steps: readonly (readonly [own: number, before: number, total: number])[]): Shares => {
  const share = (of: (step: readonly [number, number, number]) => number) =>
    steps.map((step) => (step[2] === 0 ? null : (of(step) / step[2]) * 100))
  return {
    own: share(([own]) => own),
    before: share(([, before]) => before),
    others: share(([own, before, total]) => total - own - before),
  }
}
