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

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Making one takes longer than a hundred uses of it. There are about 600 zones. */
const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  formats.set(zone, made)
  return made
}

export const isTimeZone = (zone: string): boolean => {
  try {
    formatOf(zone)
    return true
  } catch {
    return false
  }
}

/** @param zone IANA name; one that does not exist (any more) is UTC */
export const localTime = (at: number, zone: string): LocalTime => {
  const parts = new Map(
    formatOf(isTimeZone(zone) ? zone : 'UTC')
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes): string => parts.get(name) ?? ''
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    weekday: WEEKDAYS.indexOf(part('weekday')),
    minute: Number(part('hour')) * 60 + Number(part('minute')),
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
