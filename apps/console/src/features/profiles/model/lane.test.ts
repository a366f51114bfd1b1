import { describe, expect, it } from 'vitest'
import { functionOf, gapAt, OTHERS, type ProfileLane, stepsTogether, stretchAt, stretchesOf } from './lane.ts'

/** Steps of 10 ms: `[step, function, milliseconds]`. */
const laneOf = (rows: readonly (readonly [number, number, number])[], steps = 10): ProfileLane => ({
  profile: 'a'.repeat(32),
  projectId: '1',
  transaction: 'GET /tea',
  spanId: '',
  thread: { id: '0', name: 'main' },
  start: 5_000_000,
  end: 5_000_000 + steps * 10_000,
  step: 10_000,
  samples: 1,
  steps: {
    step: rows.map(([step]) => step),
    function: rows.map(([, one]) => one),
    self: rows.map(([, , ms]) => ms * 1000),
  },
})

const told = (lane: ProfileLane, together: number) =>
  stretchesOf(lane, together).map(
    ({ function: one, from, to, self, ran }) => `${from / 1000}-${to / 1000} f${one} ${self / 1000} of ${ran / 1000}`,
  )

describe('a profile on the time line of a trace', () => {
  const lane = laneOf([
    [0, 1, 7],
    [0, 2, 3],
    [1, 1, 10],
    [2, 2, 6],
    [2, OTHERS, 4],
    // Nothing ran in the fourth.
    [4, 2, 2],
    [9, OTHERS, 5],
  ])

  it('T63: is stretches in which one function ran longest, and none where nothing ran', () => {
    expect(told(lane, 1)).toEqual(['0-20 f1 17 of 20', '20-30 f2 6 of 10', '40-50 f2 2 of 2', '90-100 f-1 5 of 5'])
    expect(stretchesOf(lane, 1)[0]?.cells.map(({ busy }) => busy)).toEqual([1, 1])
    expect(stretchesOf(laneOf([]), 1)).toEqual([])
  })

  it('T63: says of a moment in which nothing ran how long that was', () => {
    const stretches = stretchesOf(lane, 1)
    const gap = (ms: number) => gapAt(lane, stretches, ms * 1000)
    expect(gap(35)).toEqual({ from: 30_000, to: 40_000 })
    expect(gap(50)).toEqual({ from: 50_000, to: 90_000 })
    expect([gap(0), gap(29.9), gap(95), gap(-1), gap(101)]).toEqual([null, null, null, null, null])
    expect(gapAt(laneOf([]), [], 4000)).toEqual({ from: 0, to: 100_000 })
    const early = laneOf([[0, 1, 7]])
    expect(gapAt(early, stretchesOf(early, 1), 99_000)).toEqual({ from: 10_000, to: 100_000 })
  })

  it('T81: adds up to the same, however many steps are drawn as one', () => {
    for (const together of [1, 2, 3, 7, 100]) {
      const stretches = stretchesOf(lane, together)
      expect(stretches.reduce((sum, { ran }) => sum + ran, 0)).toBe(37_000)
      for (const { cells } of stretches) for (const { busy } of cells) expect(busy).toBeLessThanOrEqual(1)
    }
    expect(told(lane, 3)).toEqual(['0-30 f1 17 of 30', '30-60 f2 2 of 2', '90-100 f-1 5 of 5'])
    expect(told(lane, 100)).toEqual(['0-100 f1 17 of 37'])
  })

  it('draws no bar too narrow to be met', () => {
    expect([1, 0.0004, 0.0001, 1e-9, 0].map((scale) => stepsTogether(lane, scale))).toEqual([
      1,
      1,
      4,
      400_000,
      expect.any(Number),
    ])
  })

  it('is met where it is, or nearest', () => {
    const stretches = stretchesOf(lane, 1)
    expect([0, 19_000, 33_000, 38_000, 70_001, 1e9].map((at) => stretchAt(stretches, at))).toEqual([0, 0, 1, 2, 3, 3])
    expect(stretchAt([], 5)).toBe(-1)
  })

  it('names functions and where they stand', () => {
    const known = {
      functions: { name: [1, 2], file: [3, 0], line: [18, 4], kind: [0, 2] },
      words: ['', 'load', 'gc', 'tax.js'],
    }
    expect([0, 1, OTHERS].map((place) => functionOf(known, place))).toEqual([
      { name: 'load', file: 'tax.js:18', kind: 0 },
      { name: 'gc', file: '', kind: 2 },
      { name: 'other functions', file: '', kind: 1 },
    ])
  })
})
