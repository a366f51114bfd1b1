import { LIMITS } from '../limits.ts'

/**
 * Above how many events an hour an archived issue escalates. Pure.
 *
 * What is usual for an hour of the week is what was in it and the hours beside it in the four weeks before: their middle,
 * and how far they are from it. Where these are too few, all hours before are asked. `sqrt(m) + 1` is what chance alone
 * moves a count by, so that an issue that is rare is not taken for one that escalates.
 */
export const escalationLimit = (hours: ReadonlyMap<number, number>, hour: number, firstHour: number): number => {
  const usual = hoursLike(hour)
    .filter((one) => one >= firstHour)
    .map((one) => hours.get(one) ?? 0)
  const values = usual.length >= LIMITS.ESCALATION_LEAST_SAMPLES ? usual : allHours(hours, hour, firstHour)
  const middle = medianOf(values)
  const spread = medianOf(values.map((value) => Math.abs(value - middle)))
  const step = Math.max(1.4826 * spread, Math.sqrt(middle) + 1)
  return Math.max(LIMITS.ESCALATION_MINIMUM_EVENTS, Math.ceil(middle + LIMITS.ESCALATION_STEPS * step))
}

const WEEK_HOURS = 7 * 24
export const ESCALATION_WEEKS = 4

/** This hour of the week and those beside it, in the weeks before. */
const hoursLike = (hour: number): number[] =>
  Array.from({ length: ESCALATION_WEEKS }, (_, week) => hour - (week + 1) * WEEK_HOURS).flatMap((one) => [
    one - 1,
    one,
    one + 1,
  ])

const allHours = (hours: ReadonlyMap<number, number>, hour: number, firstHour: number): number[] => {
  const from = Math.max(firstHour, hour - ESCALATION_WEEKS * WEEK_HOURS)
  return Array.from({ length: Math.max(0, hour - from) }, (_, index) => hours.get(from + index) ?? 0)
}

const medianOf = (values: readonly number[]): number => {
  if (values.length === 0) return 0
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  const above = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? above : ((sorted[half - 1] ?? 0) + above) / 2
}
