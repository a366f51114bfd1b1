import { clockShift, readTime } from '../../event/index.ts'
import { LIMITS } from '../limits.ts'
import { LIMITS as EVENT_LIMITS } from '../../event/limits.ts'
import { LIMITS as STORAGE_LIMITS } from '../../storage/limits.ts'

/** Times of spans: seconds of the sender's clock → microseconds since the epoch by ours. */

const MICROSECONDS = 1_000_000
const DAY_SECONDS = 86_400

export interface Interval {
  /** Microseconds since the epoch. */
  readonly start: number
  /** Microseconds. */
  readonly duration: number
  readonly note: string | null
}

/**
 * The clock of one envelope: drift from 55 minutes on is corrected, as for errors (protocol.md 4.5).
 *
 * @param sentAt milliseconds since the epoch by the sender's clock
 * @param receivedAt the same by ours
 */
export const createClockOf = (sentAt: number | null, receivedAt: number) => {
  const received = receivedAt / 1000
  const shift = clockShift(sentAt, receivedAt) / 1000
  return {
    /** Null when the span says no time. A span that ends before it starts gets no duration; one of the future, or older than anything that is kept, ends when it was received. */
    interval: (from: unknown, to: unknown): Interval | null => {
      const start = readTime(from, received)
      const end = readTime(to, received)
      if (start === undefined || end === undefined) return null
      const notes: string[] = []
      if (shift !== 0) notes.push(`Its clock was off by ${Math.round(shift)} s, which is corrected.`)
      let seconds = end - start
      if (seconds < 0) {
        notes.push(`It ended ${-seconds} s before it started; its duration is shown as 0.`)
        seconds = 0
      }
      if (seconds > LIMITS.SPAN_DURATION_DAYS * DAY_SECONDS) {
        notes.push(`It lasted ${Math.round(seconds / DAY_SECONDS)} days; its duration is shown as 0.`)
        seconds = 0
      }
      let at = start + shift
      const isPast = at < received - STORAGE_LIMITS.RETENTION_DEFAULT_DAYS * DAY_SECONDS
      if (isPast || at > received + EVENT_LIMITS.FUTURE_SECONDS) {
        notes.push(`It said that it started at ${new Date(start * 1000).toISOString()}, which cannot be.`)
        at = received - seconds
      }
      return {
        start: Math.round(at * MICROSECONDS),
        duration: Math.round(seconds * MICROSECONDS),
        note: notes.length === 0 ? null : notes.join(' '),
      }
    },
  }
}

export type ClockOf = ReturnType<typeof createClockOf>
