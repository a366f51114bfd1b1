import { MINUTE_MS } from '../lib/durations.ts'
import type { AlertConditions } from '@firsthand/contract'
import { zoneOf } from '../lib/zone.ts'

export type WorkingHours = NonNullable<AlertConditions['hours']>

export const isZone = (timeZone: string): boolean => zoneOf(timeZone) !== null

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** The day and the minute of the day that clocks of a zone show. */
const localTime = (timeZone: string, at: number): { readonly day: number; readonly minute: number } => {
  const local = new Date(at + (zoneOf(timeZone)?.offsetAt(at) ?? 0))
  return { day: local.getUTCDay() || 7, minute: local.getUTCHours() * 60 + local.getUTCMinutes() }
}

/** Hours that go past midnight are of the day on which they begin. Equal ends are the whole day. */
export const isInHours = ({ days, from, timezone, to }: WorkingHours, at: number): boolean => {
  const { day, minute } = localTime(timezone, at)
  const [begin, end] = [minutesOf(from), minutesOf(to)]
  if (begin < end) return days.includes(day) && minute >= begin && minute < end
  const dayBefore = day === 1 ? 7 : day - 1
  return (days.includes(day) && minute >= begin) || (days.includes(dayBefore) && minute < end)
}

export const hoursSentence = ({ from, timezone, to }: WorkingHours): string => `${from} to ${to}, ${timezone}`

const QUARTER = 15
const WEEK_MINUTES = 8 * 24 * 60

/** The first minute after a time that is within the hours: clocks are set by no less than a quarter of an hour. */
export const nextInHours = (hours: WorkingHours, at: number): number | null => {
  const from = Math.floor(at / (QUARTER * MINUTE_MS)) * QUARTER * MINUTE_MS
  for (let minute = QUARTER; minute <= WEEK_MINUTES; minute += QUARTER) {
    if (!isInHours(hours, from + minute * MINUTE_MS)) continue
    const first = Array.from({ length: QUARTER }, (_, one) => from + (minute - QUARTER + one + 1) * MINUTE_MS)
    return first.find((one) => one > at && isInHours(hours, one)) ?? from + minute * MINUTE_MS
  }
  return null
}
