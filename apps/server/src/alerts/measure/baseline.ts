import { LIMITS } from '../limits.ts'

/**
 * What is usual for this hour and weekday, in a way that can be said in a sentence: the middle of some hours of the past,
 * and how far they lie from it. Nothing is fitted, and no single incident of the past moves it.
 */
export interface Baseline {
  /** How many values it is made of, and the ends of them. */
  readonly values: number
  readonly lowest: number
  readonly middle: number
  readonly highest: number
  /** Beyond these a value is unusual. */
  readonly lower: number
  readonly upper: number
  /** Days that were there to learn from, up to those that it needs; `null` when it has them. */
  readonly learning: number | null
}

/** What is counted scatters by itself, a rate of few things does so too; other numbers do not say how much. */
export type Scatter = 'count' | 'share' | 'other'

export type Sensitivity = 'sensitive' | 'normal' | 'calm'

/** How many spreads from the middle a value may be. */
const SPREADS: Readonly<Record<Sensitivity, number>> = { sensitive: 3, normal: 4, calm: 6 }

/** So many deviations from a median are one standard deviation, of values that are spread as a bell. */
const MAD_TO_DEVIATION = 1.4826

/** Of two in the middle, their average. 0 of nothing. */
export const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((left, right) => left - right)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2
}

/** Half of the values are nearer to the middle than so. */
const deviationOf = (values: readonly number[], middle: number): number =>
  medianOf(values.map((value) => Math.abs(value - middle)))

/**
 * Counts of rare things differ by the root of their number for no reason at all; of other numbers a tenth is nothing. Of a
 * share that is nearly all, such as what did not crash, a tenth of what is left is, though not less than half a point.
 */
const leastSpread = (middle: number, scatter: Scatter): number => {
  if (scatter === 'count') return Math.sqrt(Math.max(0, middle)) + 1
  const part = LIMITS.BASELINE_LEAST_SPREAD_PERCENT / 100
  if (scatter === 'share' && middle > 0.5)
    return Math.max((1 - middle) * part, LIMITS.BASELINE_LEAST_SPREAD_PER_MILLE / 1000)
  return Math.abs(middle) * part
}

export interface History {
  /** Values of the hours that are like this one. */
  readonly alike: readonly number[]
  /** Of all hours that there are, while there are too few days for that. */
  readonly all: readonly number[]
  /** How long ago the first of them was. */
  readonly days: number
}

/** Null when there is too little to say anything. */
export const baselineOf = (history: History, sensitivity: Sensitivity, scatter: Scatter): Baseline | null => {
  const isLearning = history.days < LIMITS.BASELINE_LEARNING_DAYS
  const values = isLearning ? history.all : history.alike
  if (values.length < (isLearning ? LIMITS.BASELINE_LEAST_LEARNED : LIMITS.BASELINE_LEAST_VALUES)) return null
  const middle = medianOf(values)
  const spread = Math.max(MAD_TO_DEVIATION * deviationOf(values, middle), leastSpread(middle, scatter))
  const reach = SPREADS[sensitivity] * spread
  return {
    values: values.length,
    lowest: Math.min(...values),
    middle,
    highest: Math.max(...values),
    lower: Math.max(0, middle - reach),
    upper: middle + reach,
    learning: isLearning ? Math.floor(history.days) : null,
  }
}
