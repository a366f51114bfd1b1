import { formatMoment } from './moments.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const MONTH_MS = 30.44 * DAY_MS
const YEAR_MS = 365.25 * DAY_MS

const count = new Intl.NumberFormat('en-US')
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** 48213 → `48,213`. */
export function formatCount(value: number): string {
  return count.format(value)
}

/** 48213 → `48.2K`, for places too narrow for the whole number. */
export function formatCompact(value: number): string {
  return compact.format(value)
}

/** A length of time in one short unit, as in the stream: `12 s`, `1 m`, `2 h`, `8 d`, `3 mo`, `1 y`. */
export function formatAge(durationMs: number): string {
  const ms = Math.max(0, durationMs)
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s`
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} m`
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`
  if (ms < 60 * DAY_MS) return `${Math.floor(ms / DAY_MS)} d`
  if (ms < YEAR_MS) return `${Math.floor(ms / MONTH_MS)} mo`
  return `${Math.floor(ms / YEAR_MS)} y`
}

/** A moment in full, in the reader's time zone: `Fri, 20 Nov 2026, 23:16:22 UTC`. */
export function formatExact(timeMs: number): string {
  return formatMoment('exact', timeMs)
}

/** `20 Nov 2026`. */
export function formatDay(timeMs: number): string {
  return formatMoment('day', timeMs)
}

/** Bytes in decimal units: `512 B`, `4.1 kB`, `2.3 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit] ?? 'B'}`
}

/** A duration with up to two units: `41 ms`, `1.2 s`, `3 m 20 s`, `2 h 5 m`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < SECOND_MS) return `${Math.round(durationMs)} ms`
  if (durationMs < 10 * SECOND_MS) return `${(durationMs / SECOND_MS).toFixed(1)} s`
  if (durationMs < MINUTE_MS) return `${Math.round(durationMs / SECOND_MS)} s`
  const [big, small, bigName, smallName] =
    durationMs < HOUR_MS
      ? ([MINUTE_MS, SECOND_MS, 'm', 's'] as const)
      : durationMs < DAY_MS
        ? ([HOUR_MS, MINUTE_MS, 'h', 'm'] as const)
        : ([DAY_MS, HOUR_MS, 'd', 'h'] as const)
  const rest = Math.floor((durationMs % big) / small)
  return `${Math.floor(durationMs / big)} ${bigName}${rest > 0 ? ` ${rest} ${smallName}` : ''}`
}

/** How long a step of a chart is: `30 s`, `15 min`, `4 h`, `1 d`. */
export function formatStep(stepMs: number): string {
  return formatDuration(stepMs).replace(/ m$/, ' min')
}

/** First letters for an avatar: `Anna Kovac` → `AK`, `ann@shop.test` → `A`. */
export function initials(name: string): string {
  const words = name
    .replace(/@.*$/, '')
    .split(/[\s._-]+/)
    .filter((word) => word !== '')
  const first = Array.from(words[0] ?? '')[0] ?? '?'
  const last = words.length > 1 ? (Array.from(words.at(-1) ?? '')[0] ?? '') : ''
  return (first + last).toUpperCase()
}
