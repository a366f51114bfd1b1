import { DAY_MS } from '../lib/durations.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { LIMITS } from './limits.ts'
import { parseDuration } from './values.ts'

/** Milliseconds since the epoch; `to` is exclusive. */
export interface Period {
  readonly from: number
  readonly to: number
}

export interface PeriodQuery {
  readonly statsPeriod?: string | undefined
  /** ISO, UTC when no zone is given, or seconds since the epoch. */
  readonly start?: string | undefined
  readonly end?: string | undefined
}

const MAXIMUM_DAYS = 3650

/** Null when the query names no period. The error is a sentence for the caller. */
export const readPeriod = (query: PeriodQuery, now: number): Result<Period | null, string> => {
  if (query.statsPeriod !== undefined) {
    const length = parseDuration(query.statsPeriod) ?? 0
    if (length <= 0) return err('"statsPeriod" must be longer than nothing: 24h, 14d.')
    return ok({ from: now - Math.min(length, MAXIMUM_DAYS * DAY_MS), to: now + 60_000 })
  }
  if (query.start === undefined && query.end === undefined) return ok(null)
  const to = query.end === undefined ? now : parseInstant(query.end)
  const from = query.start === undefined ? to - MAXIMUM_DAYS * DAY_MS : parseInstant(query.start)
  if (Number.isNaN(from) || Number.isNaN(to)) {
    return err('"start" and "end" are dates, or seconds since 1970: 2026-01-31T10:00:00, or 1769853600.')
  }
  if (from >= to) return err('"start" must be before "end".')
  return ok({ from: Math.max(from, to - MAXIMUM_DAYS * DAY_MS), to })
}

/** Nine digits at least: fewer are a year, or a mistake. */
const EPOCH_SECONDS = /^\d{9,11}(?:\.\d{1,9})?$/

/** Milliseconds since the epoch, of an ISO date, in UTC when no zone is given, or of seconds since then; NaN when it is neither. */
export const parseInstant = (text: string): number => {
  if (EPOCH_SECONDS.test(text)) return Math.round(Number(text) * 1000)
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/.test(text) || !/\d[T ]\d/.test(text) ? text : `${text}Z`
  return Date.parse(zoned)
}

/** Equal steps that cover a period; all in seconds since the epoch. */
export interface Buckets {
  readonly start: number
  readonly interval: number
  readonly count: number
}

const INTERVALS = [10, 60, 300, 900, 1800, 3600, 2 * 3600, 4 * 3600, 12 * 3600, 86_400, 7 * 86_400, 30 * 86_400]

/** The finest usual interval that gives at most `maximum` buckets. */
export const chooseInterval = ({ from, to }: Period, maximum: number): number => {
  const seconds = (to - from) / 1000
  return INTERVALS.find((interval) => seconds / interval <= maximum) ?? Math.ceil(seconds / maximum)
}

/** Buckets begin at multiples of the interval (UTC). */
export const createBuckets = ({ from, to }: Period, interval: number): Buckets => {
  const start = Math.floor(from / 1000 / interval) * interval
  return { start, interval, count: Math.max(1, Math.ceil((to / 1000 - start) / interval)) }
}

/** The asked interval, unless it makes more than `CHART_BUCKETS` steps. @param minimum seconds */
export const readInterval = (text: string | undefined, period: Period, usual: number, minimum = 1): Buckets => {
  const finest = chooseInterval(period, LIMITS.CHART_BUCKETS)
  const asked = text === undefined ? chooseInterval(period, usual) : (parseDuration(text) ?? 0) / 1000
  return createBuckets(period, Math.max(asked, finest, minimum))
}

/** `[seconds, count]` of every bucket, empty ones included. */
export const fillBuckets = (buckets: Buckets, counts: ReadonlyMap<number, number>): [number, number][] =>
  Array.from({ length: buckets.count }, (_, index) => [
    buckets.start + index * buckets.interval,
    counts.get(index) ?? 0,
  ])

/** Until now, and a little beyond for clocks that are ahead. */
export const lastDays = (now: number, days: number): Period => ({ from: now - days * DAY_MS, to: now + 60_000 })
