import type { AlertComparison } from '@firsthand/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Baseline } from './baseline.ts'
import { judge } from './standing.ts'

const above = (limit: number): AlertComparison => ({ kind: 'fixed', direction: 'above', limit, worseLimit: null })
const change = (floor: number, direction: 'above' | 'below' = 'above'): AlertComparison => ({
  kind: 'change',
  direction,
  percent: 50,
  against: 1440,
  floor,
})
const unusual = (direction: 'above' | 'below' | 'both', floor = 0): AlertComparison => ({
  kind: 'unusual',
  direction,
  sensitivity: 'normal',
  floor,
})

const BASELINE: Baseline = {
  values: 12,
  lowest: 61,
  middle: 74,
  highest: 98,
  lower: 30,
  upper: 118,
  learning: null,
}

describe('a value against its limit', () => {
  it('A4: more than 100 is 101', () => {
    expect(judge(above(100), null, { value: 100 })).toMatchObject({ isBeyond: false, isBack: true })
    expect(judge(above(100), null, { value: 101 })).toMatchObject({ isBeyond: true, isBack: false })
  })

  it('what has a limit of its own for being over stays until it is there', () => {
    expect(judge(above(100), 80, { value: 90 })).toMatchObject({ isBeyond: false, isBack: false })
    expect(judge(above(100), 80, { value: 80 })).toMatchObject({ isBeyond: false, isBack: true })
  })

  it('A6: an empty past counts as a half, and what is below the floor says so', () => {
    const empty = { value: 19, before: 0 }
    expect(judge(change(0), null, { value: 1, before: 0 })).toMatchObject({ limit: 0.75, isBeyond: true })
    expect(judge(change(20), null, empty)).toMatchObject({ isBeyond: false, isBelowFloor: true })
    expect(judge(change(20), null, { ...empty, value: 20 })).toMatchObject({ isBeyond: true, isBelowFloor: false })
    expect(judge(change(20), null, { value: null, before: null })).toMatchObject({ isBeyond: false })
  })

  it('a fall is told as well', () => {
    expect(judge(change(0, 'below'), null, { value: 49, before: 100 })).toMatchObject({ limit: 50, isBeyond: true })
    expect(judge(change(0, 'below'), null, { value: 50, before: 100 })).toMatchObject({ isBeyond: false })
  })

  it('what is unusual on either side is beyond that side’s limit', () => {
    expect(judge(unusual('both'), null, { value: 119, baseline: BASELINE })).toMatchObject({
      isBeyond: true,
      direction: 'above',
      limit: 118,
    })
    expect(judge(unusual('both'), null, { value: 29, baseline: BASELINE })).toMatchObject({
      isBeyond: true,
      direction: 'below',
      limit: 30,
    })
    expect(judge(unusual('above'), null, { value: 29, baseline: BASELINE })).toMatchObject({ isBeyond: false })
    expect(judge(unusual('above', 200), null, { value: 150, baseline: BASELINE })).toMatchObject({
      isBeyond: false,
      isBelowFloor: true,
    })
  })

  it('of nothing, and while nothing is known, nothing is beyond', () => {
    expect(judge(unusual('both'), null, { value: 5, baseline: null })).toMatchObject({ isBeyond: false, limit: null })
    for (const comparison of [above(0), change(0), unusual('both')]) {
      expect(judge(comparison, null, { value: null, before: 3, baseline: BASELINE })).toMatchObject({
        isBeyond: false,
        isBack: false,
      })
    }
  })

  it('nothing is beyond its limit and back at the same time, unless the recovery asks for less than the limit', () => {
    const numbers = fc.double({ min: 0, max: 1e6, noNaN: true })
    const comparisons = fc.constantFrom(above(100), change(10), change(0, 'below'), unusual('both'), unusual('below'))
    fc.assert(
      fc.property(comparisons, numbers, numbers, (comparison, value, before) => {
        const { isBack, isBeyond } = judge(comparison, null, { value, before, baseline: BASELINE })
        expect(isBeyond && isBack).toBe(false)
      }),
    )
  })
})
