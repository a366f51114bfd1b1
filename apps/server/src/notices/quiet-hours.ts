import { nextMinute, WEEK_MINUTES, type LocalTime } from './local-time.ts'
import type { QuietHours } from './settings.ts'

const isQuiet =
  ({ from, to, weekends }: QuietHours) =>
  ({ weekday, minute }: LocalTime): boolean => {
    if (weekends && (weekday === 0 || weekday === 6)) return true
    return from <= to ? minute >= from && minute < to : minute >= from || minute < to
  }

/** When the quiet hours end in which the instant is; null when it is in none. */
export const quietUntil = (quiet: QuietHours | null, zone: string, now: number): number | null => {
  if (quiet === null) return null
  const holds = isQuiet(quiet)
  const end = nextMinute(now, zone, WEEK_MINUTES, (time) => !holds(time))
  return end === null || end === now ? null : end
}
