import { DAY_MS } from './durations.ts'

/** How many incidents something had on the day (of UTC) of its last one. */
export interface DayCount {
  /** Days since 1970. */
  readonly day: number
  readonly count: number
}

const dayOf = (at: number): number => Math.floor(at / DAY_MS)

const countOn = ({ count, day }: DayCount, at: number): number => (day === dayOf(at) ? count : 0)

/**
 * What flaps is told of so many times a day. The last of these incidents stays open for the rest of the day, whatever comes,
 * and is over with the first good result after it.
 */
export const createIncidentCap = (perDay: number) => ({
  isReached: (before: DayCount, at: number): boolean => countOn(before, at) >= perDay,
  /** With one more. */
  after: (before: DayCount, at: number): DayCount => ({ day: dayOf(at), count: countOn(before, at) + 1 }),
  /** What is said with the last one of a day; '' with those before. */
  note: (incidents: DayCount, at: number): string =>
    countOn(incidents, at) < perDay
      ? ''
      : `This is the ${perDay}th time today: nobody is told of more before tomorrow (UTC), and the issue stays open until then.`,
})
