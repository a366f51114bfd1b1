import type { Operator } from '@firsthand/search-syntax'
import { DAY_MS } from '../lib/durations.ts'

/** Milliseconds; `to` is exclusive. An absent bound is open. */
export interface TimeRange {
  readonly from?: number
  readonly to?: number
}

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

const RELATIVE = /^([+-]?)(\d{1,6})([smhdw])$/
const ABSOLUTE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/** `24h`, `-7d` → milliseconds, without the sign; null when it is no duration. */
export const parseDuration = (text: string): number | null => {
  const match = RELATIVE.exec(text)
  return match === null ? null : Number(match[2]) * (UNIT_MS[match[3] ?? ''] ?? 0)
}

/**
 * The range of instants that a search means by `text`.
 *
 * `-24h` is the last 24 hours, `+24h` everything before; `>2026-01-01`, `<=2026-01-01T10:00:00` compare; a date without
 * an operator is the whole day (UTC), an instant its second. With `age`, `>24h` means older and so lies before.
 */
export const parseTimeRange = (operator: Operator, text: string, now: number, age: boolean): TimeRange | null => {
  const relative = RELATIVE.exec(text)
  if (relative !== null) {
    const at = now - (parseDuration(text) ?? 0)
    if (operator === '=') return relative[1] === '+' ? { to: at } : { from: at }
    const later = operator === '>' || operator === '>='
    return later === (age && relative[1] === '') ? { to: at } : { from: at }
  }
  const instant = parseInstant(text)
  if (instant === null) return null
  const { at, length } = instant
  switch (operator) {
    case '=':
      return { from: at, to: at + length }
    case '>':
      return { from: at + (length === DAY_MS ? 0 : 1) }
    case '>=':
      return { from: at }
    case '<':
      return { to: at }
    case '<=':
      return { to: at + length }
  }
}

/** An ISO date or date-time; without a zone it is UTC. `length` (ms) is a day for dates, else a second. */
const parseInstant = (text: string): { readonly at: number; readonly length: number } | null => {
  const match = ABSOLUTE.exec(text)
  if (match === null) return null
  const dated = match[4] === undefined
  const zone = match[7] ?? (dated ? '' : 'Z')
  const at = Date.parse(dated ? text : `${text.replace(' ', 'T').replace(/(?:Z|[+-]\d{2}:?\d{2})$/, '')}${zone}`)
  // `Date.parse` reads the 31st of February as the 3rd of March.
  const [, year, month, day] = match
  if (new Date(`${year}-${month}-${day}`).getUTCDate() !== Number(day)) return null
  return Number.isNaN(at) ? null : { at, length: dated ? DAY_MS : 1000 }
}

const NUMBER = /^(-?\d{1,15}(?:\.\d{1,6})?)([kmb]?)$/i
const FACTOR: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9 }

/** `100`, `1.5k`; null when it is no number. */
export const parseNumber = (text: string): number | null => {
  const match = NUMBER.exec(text)
  return match === null ? null : Number(match[1]) * (FACTOR[(match[2] ?? '').toLowerCase()] ?? 1)
}

/** What a number is of. Its values may be written with units; without one they are milliseconds, bytes, or a share of 1. */
export type Quantity = 'duration' | 'size' | 'percentage' | 'any'

/** How values are written, for whoever wrote one in another way. */
export const QUANTITIES: Readonly<Record<Quantity, string>> = {
  duration: '250, 250ms, 1.5s or 2m',
  size: '512, 2kb or 1.5mib',
  percentage: '0.05 or 5%',
  any: '5, 1.5, 2k, 250ms or 2kb',
}

const DURATIONS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  sec: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  hr: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
  w: 604_800_000,
  wk: 604_800_000,
}

const SIZES: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
}

const WITH_UNIT = /^(-?\d{1,15}(?:\.\d{1,9})?)([a-zµ%]{1,3})$/i

/** `1s` → 1000, `2kb` → 2000, `5%` → 0.05; null when it is no such quantity. */
export const parseQuantity = (text: string, quantity: Quantity): number | null => {
  const [, digits = '', written = ''] = WITH_UNIT.exec(text) ?? []
  if (digits === '') return parseNumber(text)
  const unit = written.toLowerCase()
  if (unit === '%') return quantity === 'percentage' || quantity === 'any' ? Number(digits) / 100 : null
  const durations = quantity === 'duration' || quantity === 'any' ? DURATIONS : {}
  const sizes = quantity === 'size' || quantity === 'any' ? SIZES : {}
  const factor = durations[unit] ?? sizes[unit]
  const plain = parseNumber(text)
  // `5m` is five minutes of a duration, and five million of what nobody knows more about.
  if (factor === undefined || (plain !== null && quantity === 'any')) return plain
  return Number(digits) * factor
}
