/**
 * Moments in words, in the reader's time zone and by their clock. What the account says comes with the session, before
 * anything that shows a time; on a change, what is shown next follows.
 */

export interface TimePreferences {
  /** IANA name, or '' for the browser's. */
  readonly timezone: string
  readonly clock24Hours: boolean
}

const MINUTES = { hour: '2-digit', minute: '2-digit' } as const
const STYLES = {
  /** `Fri, 20 Nov 2026, 23:16:22 UTC` */
  exact: {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...MINUTES,
    second: '2-digit',
    timeZoneName: 'short',
  },
  /** `20 Nov 2026` */
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  /** `20 Nov, 14:00` */
  hour: { day: 'numeric', month: 'short', ...MINUTES },
  /** `20 Nov, 14:00:30` */
  second: { day: 'numeric', month: 'short', ...MINUTES, second: '2-digit' },
  /** `Fri 20 Nov` */
  weekday: { weekday: 'short', day: 'numeric', month: 'short' },
  /** `Fri 14:00` */
  dayClock: { weekday: 'short', ...MINUTES },
  /** `14:00` */
  clock: MINUTES,
  /** `14:00:30` */
  seconds: { ...MINUTES, second: '2-digit' },
  /** `20 Nov` */
  date: { day: 'numeric', month: 'short' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>
export type MomentStyle = keyof typeof STYLES

let preferences: TimePreferences = { timezone: '', clock24Hours: true }
/** Making one takes longer than using it a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** What stands in for a zone that this browser does not know is its own. */
export function applyTimePreferences({ timezone, clock24Hours }: TimePreferences): void {
  const known = isTimeZone(timezone) ? timezone : ''
  if (known === preferences.timezone && clock24Hours === preferences.clock24Hours) return
  preferences = { timezone: known, clock24Hours }
  formats.clear()
}

export function formatMoment(style: MomentStyle, timeMs: number): string {
  return formatOf(style, STYLES[style]).format(timeMs)
}

/** By the clock of another zone; null for one that this browser does not know. */
export function formatMomentIn(zone: string, style: MomentStyle, timeMs: number): string | null {
  return isTimeZone(zone) ? formatOf(style, STYLES[style], zone).format(timeMs) : null
}

/** The zone in force, for what divides time by itself. */
export function timeZone(): string {
  return preferences.timezone === '' ? deviceTimeZone() : preferences.timezone
}

/** The zone that the device has. */
export function deviceTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Does a day begin at this minute, for the reader? */
export function isMidnight(timeMs: number): boolean {
  return minuteOfDay(timeMs) === 0
}

/** By the reader's clock: 90 for half past one. */
export function minuteOfDay(timeMs: number): number {
  const [hours, minutes] = formatOf('midnight', { ...MINUTES, hourCycle: 'h23' })
    .format(timeMs)
    .split(':')
  return Number(hours) * 60 + Number(minutes)
}

function formatOf(
  style: MomentStyle | 'midnight',
  options: Intl.DateTimeFormatOptions,
  zone = preferences.timezone,
): Intl.DateTimeFormat {
  const key = `${style} ${zone}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    ...options,
    ...(options.hour !== undefined && options.hourCycle === undefined ? { hour12: !preferences.clock24Hours } : {}),
    ...(zone === '' ? {} : { timeZone: zone }),
  })
  formats.set(key, made)
  return made
}

function isTimeZone(name: string): boolean {
  try {
    return name !== '' && new Intl.DateTimeFormat('en-GB', { timeZone: name }).format(0) !== ''
  } catch {
    // The way to ask a browser whether it knows a zone: it throws for one that it does not.
    return false
  }
}
