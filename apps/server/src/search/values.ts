import type { Operator } from '@firsthand/search-syntax'

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

const DAY_MS = 86_400_000

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
