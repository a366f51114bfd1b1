import { baselineOf } from '../baseline.ts'
import { afterMinute, QUIET, type CourseRules } from '../course.ts'
import { judge } from '../standing.ts'

/**
 * Weeks of somebody's errors by the minute, with days and weekends, one spike of three times as much for three hours, and
 * what a rule about what is unusual makes of the last of them.
 */
export interface Series {
  readonly perHour: number
  /** Rates of neighbouring hours differ for no reason. */
  readonly isBursty: boolean
}

export interface Told {
  /** Incidents outside of the spike. */
  readonly falseAlarms: number
  readonly isFound: boolean
  /** Minutes from the beginning of the spike. */
  readonly delay: number
}

const HOUR = 60
const DAY = 24 * HOUR
const WEEK = 7 * DAY
const WEEKS = 5
const SPIKE_MINUTES = 3 * HOUR

/** The same numbers every time: mulberry32. */
const randomOf = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const poisson = (mean: number, random: () => number): number => {
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = random(); product > limit; product *= random()) count += 1
  return count
}

/** Of shape 10 and mean 1: by the product of uniform numbers. */
const burst = (random: () => number): number => {
  let product = 1
  for (let index = 0; index < 10; index += 1) product *= random()
  return -Math.log(product) / 10
}

const rateAt = (minute: number, perHour: number): number => {
  const hour = (minute % DAY) / HOUR
  const isWeekend = Math.floor(minute / DAY) % 7 >= 5
  return (perHour / HOUR) * (1 + 0.6 * Math.sin(((hour - 8) / 24) * 2 * Math.PI)) * (isWeekend ? 0.5 : 1)
}

const countsOf = ({ isBursty, perHour }: Series, spike: number, random: () => number): Float64Array => {
  const counts = new Float64Array(WEEKS * WEEK)
  let factor = 1
  for (let minute = 0; minute < counts.length; minute += 1) {
    if (isBursty && minute % HOUR === 0) factor = burst(random)
    const spiked = minute >= spike && minute < spike + SPIKE_MINUTES ? 3 : 1
    counts[minute] = poisson(rateAt(minute, perHour) * factor * spiked, random)
  }
  return counts
}

/** Sums of the hour that ends with each minute. */
const sumsOf = (counts: Float64Array): Float64Array => {
  const sums = new Float64Array(counts.length)
  let sum = 0
  for (let minute = 0; minute < counts.length; minute += 1) {
    sum += (counts[minute] ?? 0) - (counts[minute - HOUR] ?? 0)
    sums[minute] = sum
  }
  return sums
}

/** @param of how many of three minutes have to be unusual */
export const simulate = (series: Series, seed: number, needed: number): Told => {
  const random = randomOf(seed)
  const begin = (WEEKS - 1) * WEEK
  const spike = begin + DAY + Math.floor(random() * (WEEK - 2 * DAY))
  const sums = sumsOf(countsOf(series, spike, random))
  const rules: CourseRules = { needed, of: 3, recoveryMinutes: 15, direction: 'above', hasSecondLimit: false }
  const comparison = { kind: 'unusual', direction: 'above', sensitivity: 'normal', floor: 0 } as const
  let course = QUIET
  let falseAlarms = 0
  let found: number | null = null
  let baseline = baselineOf({ alike: [], all: [], days: 28 }, 'normal', 'count')
  for (let minute = begin; minute < sums.length; minute += 1) {
    if (minute % HOUR === 0) {
      const end = minute + HOUR - 1
      const alike = [1, 2, 3, 4].flatMap((week) =>
        [-1, 0, 1].flatMap((beside) => sums[end - week * WEEK + beside * HOUR] ?? []),
      )
      baseline = baselineOf({ alike, all: [], days: 28 }, 'normal', 'count')
    }
    const next = afterMinute(course, judge(comparison, null, { value: sums[minute] ?? 0, baseline }), rules, minute)
    course = next.course
    if (next.step !== 'fired') continue
    // The hour that is looked at has some of the spike for an hour after it.
    if (minute >= spike && minute < spike + SPIKE_MINUTES + HOUR) found ??= minute
    else falseAlarms += 1
  }
  return { falseAlarms, isFound: found !== null, delay: found === null ? SPIKE_MINUTES : found - spike }
}
