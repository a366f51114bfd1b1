import { formatMoment, formatMomentIn } from '../../../lib/moments.ts'

/** A moment by the reader's clock, and by that of a monitor where it shows something else. */
export interface Clocks {
  /** `Fri 04:00` */
  readonly here: string
  /** `03:00 Europe/Berlin`, or `Thu 23:00 UTC` where it is another day; null where both show the same. */
  readonly there: string | null
}

export function clocksOf(timeMs: number, zone: string): Clocks {
  const here = formatMoment('dayClock', timeMs)
  const there = formatMomentIn(zone, 'dayClock', timeMs)
  if (there === null || there === here) return { here, there: null }
  const isSameDay = formatMomentIn(zone, 'weekday', timeMs) === formatMoment('weekday', timeMs)
  return { here, there: `${isSameDay ? formatMomentIn(zone, 'clock', timeMs) : there} ${zone}` }
}
