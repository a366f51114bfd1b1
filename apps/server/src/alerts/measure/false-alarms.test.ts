import { describe, expect, it } from 'vitest'
import { LIMITS } from '../limits.ts'
import { simulate, type Series } from './test/simulate.ts'

const SERIES = 40

/*
 * A week by the minute, windows of an hour, false alarms a week and spikes of three times as much that were found:
 *
 *   an hour, noise    two of three minutes      at once
 *   3, Poisson        0.0,  33 % (105 min)      0.0,  33 % (104 min)
 *   30, Poisson       0.1, 100 %  (33 min)      0.1, 100 %  (32 min)
 *   30, bursty        2.5,  98 %  (50 min)      2.6,  98 %  (48 min)
 *   300, bursty       3.8, 100 %  (43 min)      4.1, 100 %  (41 min)
 *
 * A window of an hour hardly changes within minutes, so that asking for two of three of them spares one alarm in twelve.
 */

const outcomeOf = (series: Series) => {
  const told = Array.from({ length: SERIES }, (_, seed) => simulate(series, seed + 1, LIMITS.UNUSUAL_MINUTES))
  const found = told.filter(({ isFound }) => isFound)
  return {
    falsePerWeek: told.reduce((sum, { falseAlarms }) => sum + falseAlarms, 0) / SERIES,
    found: found.length / SERIES,
    delay: found.reduce((sum, { delay }) => sum + delay, 0) / Math.max(1, found.length),
  }
}

describe('rules about what is unusual, over a simulated week by the minute', () => {
  it.each([
    { perHour: 3, isBursty: false, most: 0.2, least: 0.15 },
    { perHour: 30, isBursty: false, most: 0.2, least: 0.95 },
    { perHour: 30, isBursty: true, most: 3, least: 0.95 },
    { perHour: 300, isBursty: true, most: 6, least: 1 },
  ])('$perHour an hour, bursty: $isBursty', ({ most, least, ...series }) => {
    const outcome = outcomeOf(series)
    expect(outcome.falsePerWeek).toBeLessThanOrEqual(most)
    expect(outcome.found).toBeGreaterThanOrEqual(least)
  })
})
