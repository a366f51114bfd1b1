import { clockShift, readTime } from '../../event/index.ts'
import { drop, type DigestItem, type Drop } from '../../ingest/index.ts'
import { MINUTE_MS } from '../../lib/durations.ts'
import { LIMITS } from '../limits.ts'

/** When something was, by our clock; null for what says no time. */
export type SessionClock = (value: unknown) => number | null

/**
 * A session is what began at one moment, and each of its updates says so. So the clock of a sender is corrected by whole
 * minutes: the time that a request takes must not make another beginning of it. Beyond what is corrected for errors, a
 * clock that is a little ahead is: sessions of the future are not taken.
 */
export const sessionClock = ({ header, receivedAt }: DigestItem): SessionClock => {
  const ahead = header.sentAt === null ? 0 : header.sentAt - receivedAt
  const shift = ahead > LIMITS.SESSION_FUTURE_MS ? -ahead : clockShift(header.sentAt, receivedAt)
  const whole = Math.round(shift / MINUTE_MS) * MINUTE_MS
  return (value) => {
    const seconds = readTime(value, receivedAt / 1000)
    return seconds === undefined ? null : Math.round(seconds * 1000) + whole
  }
}

export const TOO_OLD = drop('invalid', 'session_too_old', 'The session began more than 5 days before it arrived.')
export const IN_FUTURE = drop('invalid', 'session_in_future', 'The session began later than it arrived.')

/** Why a session of this beginning is not counted; null when it is. */
export const untimely = (startedAt: number, receivedAt: number): Drop | null => {
  // Half a minute is what rounding may have taken.
  if (startedAt > receivedAt + LIMITS.SESSION_FUTURE_MS + MINUTE_MS / 2) return IN_FUTURE
  return startedAt < receivedAt - LIMITS.SESSION_LATE_MS ? TOO_OLD : null
}
