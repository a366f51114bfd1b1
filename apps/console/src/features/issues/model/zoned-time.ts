/** Instants as the fields of forms write them (`2026-01-31T10:00:00`, without a zone), in a time zone of the reader's choice. */

const PARTS = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
} as const

/** @param zone IANA name */
export function toZoned(at: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', { ...PARTS, timeZone: zone }).formatToParts(at)
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '00'
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}`
}

/**
 * The instant that a clock in the zone shows so; NaN for what is no time. Of an hour that comes twice it is one of them,
 * and of one that is left out, the hour beside it.
 */
export function fromZoned(text: string, zone: string): number {
  const asUtc = Date.parse(`${text}Z`)
  if (Number.isNaN(asUtc)) return NaN
  // The zone's distance from UTC is that of the instant, which is what is sought: the second guess is right but for
  // the hours of a change.
  const distanceAt = (at: number) => Date.parse(`${toZoned(at, zone)}Z`) - at
  const guess = asUtc - distanceAt(asUtc)
  return asUtc - distanceAt(guess)
}
