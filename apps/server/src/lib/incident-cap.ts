import { DAY_MS, MINUTE_MS } from './durations.ts'

/** How many incidents something had on the day (of UTC) of its last one. */
export interface DayCount {
  /** Days since 1970. */
  readonly day: number
  readonly count: number
}

const dayOf = (at: number): number => Math.floor(at / DAY_MS)

const countOn = ({ count, day }: DayCount, at: number): number => (day === dayOf(at) ? count : 0)

/**
 * What flaps is told of so many times a day; of more, only when it fails for long without a break. Each of these has to last
 * twice as long as the one before it, so that they are few as well.
 */
export const createIncidentCap = (perDay: number, lastingMs: number) => ({
  /**
   * Whether one more may be told.
   *
   * @param since when it began to fail; null while it failed only once
   */
  mayTell: (before: DayCount, at: number, since: number | null): boolean => {
    const beyond = countOn(before, at) - perDay
    return beyond < 0 || (since !== null && at - since >= lastingMs * 2 ** beyond)
  },
  /** With one more. */
  after: (before: DayCount, at: number): DayCount => ({ day: dayOf(at), count: countOn(before, at) + 1 }),
  /** What is said with the last one of a day; '' with those before. */
  note: (incidents: DayCount, at: number): string => {
    const count = countOn(incidents, at)
    if (count < perDay) return ''
    const minutes = (lastingMs * 2 ** (count - perDay)) / MINUTE_MS
    return `This is the ${count}th time today: before tomorrow (UTC) nobody is told of another one unless it lasts ${minutes} minutes.`
  },
})
