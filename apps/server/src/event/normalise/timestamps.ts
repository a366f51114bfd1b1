import { EVENT_LIMITS, LIMITS } from '../limits.ts'
import { LIMITS as STORAGE_LIMITS } from '../../storage/limits.ts'
import type { NormalisedEvent } from '../event.ts'
import { isAbsent, type Raw, type Reading } from './reading.ts'

const ISO =
  /^([+-]?\d{4,6})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9})\d{0,9})?)? ?(Z|z|UTC|[+-]\d\d(?::?\d\d)?)?$/
/** `2026-11-20` alone is midnight. */
const DATE_ONLY = /^[+-]?\d{4,6}-\d\d-\d\d$/
const NUMBER = /^-?\d{1,18}(?:\.\d{1,18})?$/
const YEAR_10000_SECONDS = 253_402_300_800
const YEAR_1_SECONDS = -62_135_596_800
/** Before this nobody sent events: a time in milliseconds is told from one in seconds by where it lands. */
const YEAR_2000_SECONDS = 946_684_800
const DAY_SECONDS = 86_400
const MICROSECONDS = 1e6

/**
 * Seconds since the epoch, to the microsecond, from a number of seconds or an ISO 8601 text; no zone is UTC
 * (protocol.md 4.5). Numbers of milli-, micro- or nanoseconds are recognised when they make sense around `receivedSeconds`.
 * Undefined when it is none of these.
 */
export const readTime = (value: unknown, receivedSeconds: number): number | undefined => {
  if (typeof value === 'number') return fromNumber(value, receivedSeconds)
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return NUMBER.test(text) ? fromNumber(Number(text), receivedSeconds) : fromIso(text)
}

const fromNumber = (value: number, receivedSeconds: number): number | undefined => {
  if (!Number.isFinite(value)) return undefined
  if (value > EVENT_LIMITS.SECONDS_MAXIMUM) {
    for (const unitsPerSecond of [1e3, 1e6, 1e9]) {
      const seconds = value / unitsPerSecond
      if (seconds >= YEAR_2000_SECONDS && seconds <= receivedSeconds + DAY_SECONDS) return toMicroseconds(seconds)
    }
  }
  return inRange(toMicroseconds(value))
}

const fromIso = (text: string): number | undefined => {
  const match = ISO.exec(DATE_ONLY.test(text) ? `${text}T00:00` : text)
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => (part === undefined ? 0 : Number(part)))
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  const fraction = match[7] === undefined ? 0 : Number(`0.${match[7]}`)
  return inRange(toMicroseconds(date.getTime() / 1000 + fraction - offsetSeconds(match[8])))
}

const offsetSeconds = (zone: string | undefined): number => {
  if (zone === undefined || /^(?:z|utc)$/i.test(zone)) return 0
  const digits = zone.slice(1).replace(':', '')
  const seconds = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2) || 0) * 60
  return zone.startsWith('-') ? -seconds : seconds
}

const toMicroseconds = (seconds: number): number => Math.round(seconds * MICROSECONDS) / MICROSECONDS

const inRange = (seconds: number): number | undefined =>
  seconds >= YEAR_1_SECONDS && seconds < YEAR_10000_SECONDS ? seconds : undefined

export const readTimestamp = (reading: Reading, raw: Raw, key: string, receivedSeconds: number): number | undefined => {
  const value = raw[key]
  if (isAbsent(value)) return undefined
  const seconds = readTime(value, receivedSeconds)
  if (seconds === undefined) reading.invalid(key, value, 'expected a time in seconds or as ISO 8601')
  return seconds
}

/**
 * Milliseconds by which what a sender says has to be shifted, because its clock is off by 55 minutes or more.
 *
 * @param sentAt milliseconds since the epoch by the sender's clock
 * @param receivedAt the same by ours
 */
export const clockShift = (sentAt: number | null, receivedAt: number): number => {
  const drift = sentAt === null ? 0 : receivedAt - sentAt
  return Math.abs(drift) >= LIMITS.CLOCK_DRIFT_MINIMUM_MS ? drift : 0
}

/**
 * Corrects the sender's clock, then moves what is still outside of what can be true to the time of receipt
 * (protocol.md 4.5, checks 88, 89 and 121). Breadcrumbs move with the event.
 *
 * @param sentAt milliseconds since the epoch by the sender's clock
 */
export const correctClock = (event: NormalisedEvent, reading: Reading, sentAt: number | null): void => {
  const driftMs = clockShift(sentAt, event.received * 1000)
  if (driftMs !== 0) {
    reading.note(
      'clock_drift',
      'timestamp',
      event.timestamp,
      `the sender's clock is off by ${Math.round(driftMs / 1000)} s`,
    )
    shift(event, driftMs / 1000)
  }
  const { timestamp, received } = event
  const isFuture = timestamp > received + LIMITS.FUTURE_SECONDS
  const isPast = timestamp < received - STORAGE_LIMITS.RETENTION_DEFAULT_DAYS * DAY_SECONDS
  if (isFuture || isPast) {
    reading.note(isFuture ? 'future_timestamp' : 'past_timestamp', 'timestamp', timestamp, 'set to the time of receipt')
    shift(event, received - timestamp)
    event.timestamp = received
  }
  dropFutureBreadcrumbTimes(event)
}

const shift = (event: NormalisedEvent, seconds: number): void => {
  event.timestamp = toMicroseconds(event.timestamp + seconds)
  for (const breadcrumb of event.breadcrumbs?.values ?? []) {
    if (breadcrumb.timestamp === undefined) continue
    const shifted = toMicroseconds(breadcrumb.timestamp + seconds)
    // An absurd time of the event says nothing about the times of its breadcrumbs.
    if (shifted <= event.received + LIMITS.FUTURE_SECONDS) breadcrumb.timestamp = shifted
  }
}

const dropFutureBreadcrumbTimes = (event: NormalisedEvent): void => {
  for (const breadcrumb of event.breadcrumbs?.values ?? []) {
    if (breadcrumb.timestamp !== undefined && breadcrumb.timestamp > event.received + LIMITS.FUTURE_SECONDS) {
      delete breadcrumb.timestamp
    }
  }
}
