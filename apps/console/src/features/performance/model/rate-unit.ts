import { formatCompact } from '../../../lib/format.ts'
import { formatRate } from './change.ts'

/** Rates of a list in one unit, so that a column can be compared at a glance. */

export interface RateUnit {
  /** Behind a number, and beside the word in the head of a column: `/h`. */
  readonly text: string
  /** Minutes in it. */
  readonly minutes: number
}

const MINUTE: RateUnit = { text: '/min', minutes: 1 }
const HOUR: RateUnit = { text: '/h', minutes: 60 }
const DAY: RateUnit = { text: '/d', minutes: 1440 }

/** The shortest in which half of the rates are 1 or more. */
export function rateUnitOf(perMinute: readonly number[]): RateUnit {
  const sorted = perMinute.toSorted((one, other) => one - other)
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0
  return [MINUTE, HOUR].find(({ minutes }) => middle * minutes >= 1) ?? (middle > 0 ? DAY : MINUTE)
}

/** Whether a rate says more than how many there were: by the day, of one day, it is the same number. */
export function isTold({ minutes }: RateUnit, seconds: number): boolean {
  return Math.abs(seconds / 60 / minutes - 1) > 0.05
}

const COMPACT_FROM = 10_000

/** Without the unit: `0.2`, `18.4`, `611`, `86.4K`. */
export function formatRateIn(perMinute: number, { minutes }: RateUnit): string {
  const rate = perMinute * minutes
  return rate >= COMPACT_FROM ? formatCompact(rate) : formatRate(rate)
}

const exact = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 })

/** `0.00347222 /min, 0.208333 /h, 5 /d`. */
export function exactRate(perMinute: number): string {
  return [MINUTE, HOUR, DAY].map(({ minutes, text }) => `${exact.format(perMinute * minutes)} ${text}`).join(', ')
}
