import { DAY_MS } from '../../lib/durations.ts'
import { LIMITS as EVENT_LIMITS } from '../limits.ts'
import { clockShift, readTime } from '../normalise/timestamps.ts'
import { LIMITS as STORAGE_LIMITS } from '../../storage/limits.ts'

/** When a line was written or a value measured, by our clock. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Nanoseconds behind it. */
  readonly nanos: number
  readonly note: string | null
}

const NANOSECONDS = 1_000_000

/**
 * The clock of one envelope: drift from 55 minutes on is corrected, as for errors (protocol.md 4.5). What says no
 * time, or one that cannot be, has that of its arrival.
 *
 * @param sentAt milliseconds since the epoch by the sender's clock
 * @param receivedAt the same by ours
 */
export const createMomentOf = (sentAt: number | null, receivedAt: number) => {
  const shift = clockShift(sentAt, receivedAt)
  const momentOf = (milliseconds: number, nanos: number): Moment => {
    const at = milliseconds + shift
    const isPast = at < receivedAt - STORAGE_LIMITS.RETENTION_DEFAULT_DAYS * DAY_MS
    if (isPast || at > receivedAt + EVENT_LIMITS.FUTURE_SECONDS * 1000) {
      const note = `It said that it was from ${new Date(milliseconds).toISOString()}, which cannot be.`
      return { at: receivedAt, nanos: 0, note }
    }
    const note = shift === 0 ? null : `Its clock was off by ${Math.round(shift / 1000)} s, which is corrected.`
    return { at, nanos, note }
  }
  const unknown: Moment = { at: receivedAt, nanos: 0, note: 'It said no time; it has that of its arrival.' }
  return {
    /** Of seconds, which are exact to the microsecond, or of a text. */
    ofSeconds: (value: unknown): Moment => {
      const seconds = readTime(value, receivedAt / 1000)
      if (seconds === undefined) return unknown
      const micros = Math.round(seconds * 1e6)
      const milliseconds = Math.floor(micros / 1000)
      return momentOf(milliseconds, (micros - milliseconds * 1000) * 1000)
    },
    /** Of nanoseconds since the epoch, in digits. The first that is none of `0` counts. */
    ofNanoseconds: (...sent: readonly string[]): Moment => {
      const digits = sent.find((one) => /^\d{1,20}$/.test(one) && one !== '0')
      if (digits === undefined) return unknown
      const cut = Math.max(0, digits.length - 6)
      const milliseconds = Number(digits.slice(0, cut) || '0')
      // What is no date at all, such as the largest number there is.
      if (milliseconds > LATEST_MS) return unknown
      return momentOf(milliseconds, Number(digits.slice(cut)) % NANOSECONDS)
    },
  }
}

const LATEST_MS = 8.64e15

export type MomentOf = ReturnType<typeof createMomentOf>

const SEQUENCE_MAXIMUM = 0xffff_ffff

/** SDK 11 numbers what is of the same moment. Null for no number. */
export const sequenceOf = (value: unknown): number | null => {
  const number = Number(value ?? NaN)
  return Number.isInteger(number) && number >= 0 && number <= SEQUENCE_MAXIMUM ? number : null
}
