import type { Trace } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { idleOf, mapScale } from './map-scale.ts'
import { STARTED, testTrace } from './testing.ts'
import { readTrace } from './trace.ts'

const SECOND = 1_000_000
const seconds = (model: ReturnType<typeof readTrace>) =>
  idleOf(model).map(({ from, to }) => [Math.round(from / SECOND), Math.round(to / SECOND)])

const errorAt = (ms: number): Trace['errors'][number] => ({
  eventId: '0'.repeat(32),
  issueId: '7',
  shortId: 'SHOP-7',
  title: 'TypeError',
  level: 'error',
  projectId: '1',
  timestamp: new Date(Date.parse(STARTED) + ms).toISOString(),
  spanId: '',
})

describe('what the map of a trace cuts short', () => {
  it('is long, and without a span or an error', () => {
    const early = { name: 'pageload', from: 0, to: 2000 }
    const late = { name: 'click', from: 40_000, to: 44_000 }
    expect(seconds(readTrace(testTrace([early, late])))).toEqual([[2, 40]])
    const nearby = { name: 'click', from: 2500, to: 5000 }
    expect(seconds(readTrace(testTrace([early, nearby])))).toEqual([])
    const open = { name: 'session', from: 0, to: 44_000 }
    expect(seconds(readTrace(testTrace([early, open, late])))).toEqual([])
    const between = testTrace([early, late], { errors: [errorAt(20_000)] })
    expect(seconds(readTrace(between))).toEqual([
      [2, 20],
      [20, 40],
    ])
  })

  const whole = { from: 0, to: 100 * SECOND }
  const idle = [{ from: 10 * SECOND, to: 90 * SECOND }]

  it('is as wide as its length needs to be read; all else shares the rest', () => {
    const scale = mapScale(whole, idle, 452)
    expect(scale.cuts.map(({ left, right }) => [left, right].map(Math.round))).toEqual([[200, 252]])
    expect([0, 5, 10, 50, 90, 95, 100].map((at) => Math.round(scale.place(at * SECOND)))).toEqual([
      0, 100, 200, 226, 252, 352, 452,
    ])
  })

  it('a place leads back to its moment', () => {
    const scale = mapScale(whole, idle, 452)
    for (const at of [0, 3, 10, 42, 90, 99, 100])
      expect(scale.moment(scale.place(at * SECOND))).toBeCloseTo(at * SECOND, 3)
    expect([scale.moment(-20), scale.moment(999)]).toEqual([0, 100 * SECOND])
  })

  it('is nothing where the map is too narrow, or nothing is idle', () => {
    const narrow = mapScale(whole, idle, 90)
    expect([narrow.cuts, narrow.place(50 * SECOND)]).toEqual([[], 45])
    expect(mapScale(whole, [], 200).place(50 * SECOND)).toBe(100)
  })
})
