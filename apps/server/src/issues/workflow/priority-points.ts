/**
 * How urgent an issue is, in points, each with its reason. Pure. What somebody set by hand is not asked for them.
 */

export type Priority = 'high' | 'medium' | 'low'

/** What is known of an issue. */
export interface PriorityFacts {
  readonly level: string
  readonly isUnhandled: boolean
  /** Different people to whom it happened in the last `PRIORITY_DAYS`. */
  readonly users: number
  /** Different people who wrote about it. */
  readonly writers: number
  /** It came with the newest release of its project. */
  readonly isOfNewestRelease: boolean
  /** Events of the last 24 hours, and on a usual one of the days before; null where it is younger than two days. */
  readonly events: number
  readonly usualEvents: number | null
}

export type PriorityReason =
  | { readonly why: 'level'; readonly points: number; readonly level: string }
  | { readonly why: 'unhandled'; readonly points: number }
  | { readonly why: 'users'; readonly points: number; readonly count: number }
  | { readonly why: 'writers'; readonly points: number; readonly count: number }
  | { readonly why: 'release'; readonly points: number }
  | { readonly why: 'growth'; readonly points: number; readonly times: number }

/** By level alone, as Sentry ranks: errors are high, whatever else is known. */
const LEVEL_POINTS: Readonly<Record<string, number>> = { fatal: 6, error: 5, warning: 2 }
const HIGH_POINTS = 5
const MEDIUM_POINTS = 2

/** From so many on; the last that is reached counts. */
const USER_POINTS = [
  [10, 1],
  [100, 2],
  [1000, 3],
] as const
const WRITER_POINTS = [
  [1, 2],
  [5, 3],
] as const
const GROWTH_TIMES = 3
const GROWTH_LEAST_EVENTS = 20

export const priorityReasons = (facts: PriorityFacts): readonly PriorityReason[] => {
  const { events, isOfNewestRelease, isUnhandled, level, users, usualEvents, writers } = facts
  const reasons: PriorityReason[] = []
  reasons.push({ why: 'level', points: LEVEL_POINTS[level] ?? 0, level })
  if (isUnhandled) reasons.push({ why: 'unhandled', points: 2 })
  const byUsers = reached(USER_POINTS, users)
  if (byUsers > 0) reasons.push({ why: 'users', points: byUsers, count: users })
  const byWriters = reached(WRITER_POINTS, writers)
  if (byWriters > 0) reasons.push({ why: 'writers', points: byWriters, count: writers })
  if (isOfNewestRelease) reasons.push({ why: 'release', points: 1 })
  const times = usualEvents === null ? 0 : events / Math.max(1, usualEvents)
  if (events >= GROWTH_LEAST_EVENTS && times >= GROWTH_TIMES)
    reasons.push({ why: 'growth', points: 2, times: Math.round(times) })
  return reasons
}

const reached = (steps: readonly (readonly [number, number])[], count: number): number =>
  steps.findLast(([from]) => count >= from)?.[1] ?? 0

export const priorityOf = (reasons: readonly PriorityReason[]): Priority => {
  const points = reasons.reduce((sum, reason) => sum + reason.points, 0)
  return points >= HIGH_POINTS ? 'high' : points >= MEDIUM_POINTS ? 'medium' : 'low'
}

/** "High: an error (3), nobody handled it (2), 212 people met it (2)." */
export const prioritySentence = (priority: Priority, reasons: readonly PriorityReason[]): string => {
  const words = reasons
    .filter((reason) => reason.points > 0 || reasons.length === 1)
    .map((reason) => `${wordsOf(reason)} (${reason.points})`)
  const name = priority.replace(/^./, (first) => first.toUpperCase())
  return words.length === 0 ? `${name}: nothing speaks for more.` : `${name}: ${words.join(', ')}.`
}

const wordsOf = (reason: PriorityReason): string => {
  switch (reason.why) {
    case 'level':
      return /^[aeiou]/.test(reason.level) ? `an ${reason.level}` : `a ${reason.level}`
    case 'unhandled':
      return 'nobody handled it'
    case 'users':
      return `${reason.count.toLocaleString('en')} people met it`
    case 'writers':
      return reason.count === 1
        ? 'somebody wrote about it'
        : `${reason.count.toLocaleString('en')} people wrote about it`
    case 'release':
      return 'it came with the newest release'
    case 'growth':
      return `${reason.times} times as often as usual`
  }
}

export const PRIORITY_RANKS: Readonly<Record<Priority, number>> = { low: 0, medium: 1, high: 2 }

/** What is stored of it; nothing until it was counted. */
export const readPriorityReasons = (json: string | null): readonly PriorityReason[] => {
  if (json === null) return []
  // Only the job writes it.
  return JSON.parse(json) as readonly PriorityReason[]
}
