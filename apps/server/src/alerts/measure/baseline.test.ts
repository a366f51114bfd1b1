import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { baselineOf, medianOf, type History } from './baseline.ts'
import { LIMITS } from '../limits.ts'

const known = (alike: readonly number[]): History => ({ alike, all: [], days: 28 })

describe('what is usual', () => {
  it('is the middle of the same hours of four weeks, and how far they lie from it', () => {
    const values = [61, 70, 72, 73, 74, 74, 75, 76, 80, 90, 95, 98]
    const baseline = baselineOf(known(values), 'normal', 'count')
    expect(baseline).toMatchObject({ values: 12, lowest: 61, middle: 74.5, highest: 98, learning: null })
    // The root of the middle, and one, is more than the spread of these.
    expect(baseline?.upper).toBeCloseTo(74.5 + 4 * (Math.sqrt(74.5) + 1))
    expect(baselineOf(known(values), 'sensitive', 'count')?.upper).toBeLessThan(baseline?.upper ?? 0)
    expect(baselineOf(known(values), 'calm', 'count')?.upper).toBeGreaterThan(baseline?.upper ?? 0)
  })

  it('A8: below two weeks all hours there are, with the days that were learned from; below a day nothing', () => {
    const all = Array.from({ length: 24 * 5 }, (_, hour) => 10 + (hour % 24))
    const history: History = { alike: [1, 1, 1, 1], all, days: 5.4 }
    expect(baselineOf(history, 'normal', 'count')).toMatchObject({ learning: 5, values: 120, lowest: 10, highest: 33 })
    const few = { ...history, all: all.slice(0, LIMITS.BASELINE_LEAST_LEARNED - 1), days: 0.9 }
    expect(baselineOf(few, 'normal', 'count')).toBeNull()
    expect(baselineOf({ ...history, days: LIMITS.BASELINE_LEARNING_DAYS }, 'normal', 'count')).toMatchObject({
      learning: null,
      values: 4,
    })
  })

  it('a tenth of a duration or of a share is no difference', () => {
    const baseline = baselineOf(known([800, 800, 800, 800, 801]), 'normal', 'other')
    expect(baseline?.upper).toBeCloseTo(800 + 4 * 80)
  })

  it('of a share that is nearly all, a tenth of what it misses is none, and half a point', () => {
    const usual = [0.995, 0.996, 0.996, 0.996, 0.997]
    expect(baselineOf(known(usual), 'normal', 'share')?.lower).toBeCloseTo(0.996 - 4 * 0.005)
    const low = [0.7, 0.7, 0.7, 0.7]
    expect(baselineOf(known(low), 'normal', 'share')?.lower).toBeCloseTo(0.7 - 4 * 0.03)
    expect(baselineOf(known([0.02, 0.02, 0.02, 0.02]), 'normal', 'share')?.upper).toBeCloseTo(0.02 + 4 * 0.002)
  })

  const values = fc.array(fc.nat(10_000), { minLength: LIMITS.BASELINE_LEAST_VALUES, maxLength: 12 })

  it('lies between the limits, of which the lower is nothing at least', () => {
    fc.assert(
      fc.property(values, fc.constantFrom('sensitive', 'normal', 'calm'), (list, sensitivity) => {
        const baseline = baselineOf(known(list), sensitivity, 'count')
        if (baseline === null) throw new Error('there are enough values')
        expect(baseline.lower).toBeGreaterThanOrEqual(0)
        expect(baseline.lower).toBeLessThanOrEqual(baseline.middle)
        expect(baseline.upper).toBeGreaterThan(baseline.middle)
        expect(baseline.lowest).toBeLessThanOrEqual(baseline.middle)
        expect(baseline.highest).toBeGreaterThanOrEqual(baseline.middle)
      }),
    )
  })

  it('one hour gone mad moves it by no more than another order of the others would', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 11, maxLength: 11 }), (list) => {
        const usual = baselineOf(known(list), 'normal', 'count')
        const mad = baselineOf(known([...list, 1_000_000]), 'normal', 'count')
        expect(mad?.middle).toBeLessThanOrEqual(Math.max(...list))
        expect(mad?.middle).toBeGreaterThanOrEqual(usual?.middle ?? 0)
      }),
    )
  })

  it('a median has as many values on either side', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1, maxLength: 50 }), (list) => {
        const middle = medianOf(list)
        const half = list.length / 2
        expect(list.filter((one) => one < middle).length).toBeLessThanOrEqual(half)
        expect(list.filter((one) => one > middle).length).toBeLessThanOrEqual(half)
      }),
    )
  })
})
