import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/durations.ts'
import { Unanswerable } from '../lib/unanswerable.ts'
import { parseDuration, type Buckets, type Period } from '../search/index.ts'
import { LIMITS } from './limits.ts'

/**
 * Whole steps that cover the time that is asked for.
 *
 * @param endsNow the period has a length and ends now: as many steps as fit in that length, the last one not over yet
 * @throws Unanswerable
 */
export const readIntervals = (
  text: string | undefined,
  { from, to }: Period,
  endsNow: boolean,
): { readonly buckets: Buckets; readonly period: Period } => {
  const length = text === undefined ? HOUR_MS : (parseDuration(text) ?? 0)
  if (length < MINUTE_MS || length > DAY_MS || DAY_MS % length !== 0) {
    throw new Unanswerable('"interval" is a part of a day, of a minute at least: 1m, 15m, 1h, 1d.')
  }
  const end = Math.ceil(to / length) * length
  const start = endsNow ? end - Math.ceil((to - from) / length) * length : Math.floor(from / length) * length
  const count = (end - start) / length
  if (count > LIMITS.SESSION_INTERVALS) {
    throw new Unanswerable(
      `This makes ${count} steps, and an answer has ${LIMITS.SESSION_INTERVALS} at most. Ask for a longer interval (interval=1d), or for a shorter time (statsPeriod=14d).`,
    )
  }
  return { buckets: { start: start / 1000, interval: length / 1000, count }, period: { from: start, to: end } }
}
