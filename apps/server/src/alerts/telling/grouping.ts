import { LIMITS } from '../limits.ts'

/**
 * What belongs together is told together: the first firing at once, what follows within `ALERT_GATHER_MS` in one message
 * after it, and after `ALERT_GATHER_LONG_MS` while it goes on. What is more urgent than all that was told goes out at once.
 */
export interface Group {
  readonly openedAt: number
  /** When what waits is told; when nothing waits then, the next firing is a first again. */
  readonly dueAt: number
  /** Summaries so far. */
  readonly told: number
  /** Firings that wait. */
  readonly waiting: number
  readonly urgency: Urgency
}

/** 1: an issue of high priority, or a value far beyond; 2: a fatal error, or what was told became worse. */
export type Urgency = 0 | 1 | 2

/** What a rule may still say to a receiver. */
export interface Budget {
  /** Messages within the last hour, and those that are sure to come because something waits for them. */
  readonly used: number
  readonly most: number
  /** Of the most urgent of them; -1 for none: beyond the most, what is more urgent than all of them is told. */
  readonly urgency: Urgency | -1
}

/** Told now, told together with others, or held back because the rule has said as much as it may. */
export type Place = 'now' | 'wait' | 'held'

/** A clock that was set back leaves no group open for longer than it lasts. */
export const isOpen = ({ dueAt, waiting }: Pick<Group, 'dueAt' | 'waiting'>, now: number): boolean =>
  waiting > 0 || (now < dueAt && dueAt <= now + LIMITS.ALERT_GATHER_LONG_MS)

/** @param group to which the firing belongs; null where none is kept, or nothing is gathered */
export const placeOf = (
  group: Pick<Group, 'dueAt' | 'waiting' | 'urgency'> | null,
  urgency: Urgency,
  budget: Budget,
  now: number,
): Place => {
  const hasRoom = budget.used < budget.most
  const passes = hasRoom || (budget.urgency >= 0 && urgency > budget.urgency)
  if (group === null || !isOpen(group, now)) return passes ? 'now' : 'held'
  if (urgency > group.urgency && passes) return 'now'
  // Whoever joins a message that comes in any case makes none.
  return group.waiting > 0 || hasRoom ? 'wait' : 'held'
}

export const openedGroup = (urgency: Urgency, now: number): Group => ({
  openedAt: now,
  dueAt: now + LIMITS.ALERT_GATHER_MS,
  told: 0,
  waiting: 0,
  urgency,
})

/** After a minute, after five, and then every five minutes. */
export const nextSummaryAt = ({ openedAt, told }: Pick<Group, 'openedAt' | 'told'>, now: number): number => {
  const later = now + LIMITS.ALERT_GATHER_LONG_MS
  return told > 0 ? later : Math.min(later, Math.max(now, openedAt + LIMITS.ALERT_GATHER_LONG_MS))
}
