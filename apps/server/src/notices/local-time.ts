import { zoneOf } from '../lib/zone.ts'

/** Time as the clock on somebody's wall says it. */

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440

export interface LocalTime {
  /** `2026-11-27` */
  readonly date: string
  /** 0 is Sunday. */
  readonly weekday: number
  /** Since midnight. */
  readonly minute: number
}

export const isTimeZone = (zone: string): boolean => zoneOf(zone) !== null

const UTC = { offsetAt: () => 0 }

/** @param zone IANA name; one that does not exist (any more) is UTC */
export const localTime = (at: number, zone: string): LocalTime => {
  const local = new Date(at + (zoneOf(zone) ?? UTC).offsetAt(at))
  return {
    date: local.toISOString().slice(0, 10),
    weekday: local.getUTCDay(),
    minute: local.getUTCHours() * 60 + local.getUTCMinutes(),
  }
}

/**
 * The first full minute from `at` on of which `holds` is true: by quarters of an hour, as clocks are set by no less, and
 * then by minutes. Null when there is none within `withinMinutes`.
 */
export const nextMinute = (
  at: number,
  zone: string,
  withinMinutes: number,
  holds: (time: LocalTime) => boolean,
): number | null => {
  if (holds(localTime(at, zone))) return at
  const quarter = 15 * MINUTE_MS
  const from = Math.floor(at / quarter) * quarter
  for (let step = 1; step * 15 <= withinMinutes + 15; step += 1) {
    if (!holds(localTime(from + step * quarter, zone))) continue
    for (let minute = 1; minute < 15; minute += 1) {
      const before = from + (step - 1) * quarter + minute * MINUTE_MS
      if (before > at && holds(localTime(before, zone))) return before
    }
    return from + step * quarter
  }
  return null
}

/** Minutes of a week and a bit: whatever comes again each week comes within it. */
export const WEEK_MINUTES = 8 * DAY_MINUTES
