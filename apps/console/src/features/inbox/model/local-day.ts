import { timeZone } from '../../../lib/moments.ts'

/** Hours and days of the reader's clock. */

const formats = new Map<string, Intl.DateTimeFormat>()

/** What the clock says, as if it were UTC. */
function wallClock(at: number): number {
  const zone = timeZone()
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(zone, format)
  }
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}

/** An hour of the day that is so many days after that of `now`. */
export function hourOfDay(now: number, days: number, hour: number): number {
  const today = new Date(wallClock(now))
  const wanted = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + days, hour)
  // Twice: the clock may be set between now and then.
  const near = wanted - (wallClock(wanted) - wanted)
  return wanted - (wallClock(near) - near)
}

/** 0 is Sunday. */
export function weekdayOf(at: number): number {
  return new Date(wallClock(at)).getUTCDay()
}
