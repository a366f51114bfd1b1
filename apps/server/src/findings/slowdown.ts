import { LIMITS } from './limits.ts'
import type { Rule, Thresholds } from './finding.ts'

/** A transaction that takes longer than it did: told by hours of it, not by one trace. */

/** What a project changes of it as of any rule. */
export const SLOWDOWN: Rule = {
  id: 'slower_transaction',
  type: 'performance_p95_endpoint_regression',
  typeId: 1018,
  title: 'Slower transaction',
  rule: 'For three hours or longer, the p95 of a transaction is higher than in any hour of the day before, and higher than at the same time a week ago.',
  thresholds: [
    { name: 'increase', label: 'Longer by at least', unit: 'percent', default: 75, min: 10, max: 1000 },
    { name: 'difference', label: 'And by at least', unit: 'ms', default: 100, min: 1, max: 60_000 },
    { name: 'samples', label: 'Samples of each hour', unit: 'count', default: 100, min: 20, max: 1_000_000 },
  ],
  seen: 1,
}

/** One hour of a transaction, with as many samples as the rule asks. */
export interface TransactionHour {
  /** When it began: milliseconds since the epoch. */
  readonly hour: number
  readonly samples: number
  /** Milliseconds. */
  readonly p95: number
}

export interface Slowdown {
  /** Hours: the first that was slow, and the end of the last. */
  readonly since: number
  readonly until: number
  /** Medians of the p95 of the hours, in milliseconds. */
  readonly before: number
  readonly after: number
  readonly samplesBefore: number
  readonly samplesAfter: number
}

export const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS

/** The hours that one look is about: those in which it may have begun, the day before them, and the same hours a week ago. */
export const hoursLookedAt = (until: number) => {
  const earliest = until - LIMITS.SLOWDOWN_MOST_HOURS * HOUR_MS
  return {
    from: earliest - LIMITS.SLOWDOWN_BEFORE_HOURS * HOUR_MS,
    until,
    weekAgo: { from: earliest - WEEK_MS, until: until - WEEK_MS },
  }
}

/**
 * Whether a transaction became slower within the last hours. The hours are compared, not their sums: one bad hour is no
 * change, and what is slow each night or each Monday has been so before. Hours with few samples say nothing.
 *
 * @param until the end of the last whole hour
 */
export const findSlowdown = (
  hours: readonly TransactionHour[],
  until: number,
  thresholds: Thresholds,
): Slowdown | null => {
  for (let count = LIMITS.SLOWDOWN_LEAST_HOURS; count <= LIMITS.SLOWDOWN_MOST_HOURS; count += 1) {
    const since = until - count * HOUR_MS
    const after = within(hours, since, until)
    const before = within(hours, since - LIMITS.SLOWDOWN_BEFORE_HOURS * HOUR_MS, since)
    if (after.length < LIMITS.SLOWDOWN_LEAST_HOURS || before.length < LIMITS.SLOWDOWN_KNOWN_HOURS) continue
    // It began in an hour of which something is known, and goes on.
    if (!after.some(({ hour }) => hour === since) || !after.some(({ hour }) => hour === until - HOUR_MS)) continue
    if (Math.min(...after.map(p95Of)) <= Math.max(...before.map(p95Of))) continue
    const weekAgo = within(hours, since - WEEK_MS, until - WEEK_MS)
    const now = median(after)
    if (!isMore(now, median(before), thresholds)) continue
    if (weekAgo.length > 0 && !isMore(now, median(weekAgo), thresholds)) continue
    return {
      since,
      until,
      before: median(before),
      after: now,
      samplesBefore: samplesOf(before),
      samplesAfter: samplesOf(after),
    }
  }
  return null
}

/**
 * Whether it is a change of its own: one that was told already lies before all that this one is compared with, so that it
 * must have gone in between.
 *
 * @param toldAt when one of this transaction was told last; null for never
 */
export const isNews = ({ since }: Slowdown, toldAt: number | null): boolean =>
  toldAt === null || toldAt < since - LIMITS.SLOWDOWN_BEFORE_HOURS * HOUR_MS

const within = (hours: readonly TransactionHour[], from: number, until: number): readonly TransactionHour[] =>
  hours.filter(({ hour }) => hour >= from && hour < until)

const p95Of = ({ p95 }: TransactionHour): number => p95

const samplesOf = (hours: readonly TransactionHour[]): number => hours.reduce((sum, { samples }) => sum + samples, 0)

const median = (hours: readonly TransactionHour[]): number => {
  const sorted = hours.map(p95Of).toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

const isMore = (after: number, before: number, { increase = 0, difference = 0 }: Thresholds): boolean =>
  after >= before * (1 + increase / 100) && after - before >= difference
