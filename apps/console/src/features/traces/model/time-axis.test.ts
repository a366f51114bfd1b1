import { describe, expect, it } from 'vitest'
import {
  bringIntoSight,
  clampZoom,
  firstSight,
  fit,
  isWhole,
  nearestMark,
  offsetText,
  panBy,
  placeOfMark,
  ticksOf,
  zoomAround,
} from './time-axis.ts'

const labels = (from: number, to: number, about = 6) => ticksOf({ from, to }, about).map((tick) => tick.label)

describe('the time axis', () => {
  it('has round moments, and says the unit once', () => {
    expect(labels(40_100_000, 43_000_000)).toEqual(['40.5 s', '41.0', '41.5', '42.0', '42.5', '43.0'])
    expect(labels(0, 6000)).toEqual(['0 ms', '1', '2', '3', '4', '5', '6'])
    expect(labels(0, 50)).toEqual(['0 µs', '10', '20', '30', '40', '50'])
    expect(labels(0, 7_000_000, 5)).toEqual(['0 s', '2', '4', '6'])
    expect(labels(-500_000, 500_000, 4)).toEqual(['-500 ms', '0', '500'])
  })
})

describe('zoom', () => {
  const whole = { from: 0, to: 1000 }

  it('stays within the trace and is never inside out', () => {
    expect(clampZoom({ from: -50, to: 200 }, whole)).toEqual({ from: 0, to: 250 })
    expect(clampZoom({ from: 900, to: 1300 }, whole)).toEqual({ from: 600, to: 1000 })
    expect(clampZoom({ from: 500, to: 500 }, whole)).toEqual({ from: 500, to: 510 })
    expect(clampZoom({ from: -5, to: 4000 }, whole)).toEqual(whole)
  })

  it('keeps the moment that it is around where it is', () => {
    expect(zoomAround(whole, whole, 0.5, 400)).toEqual({ from: 200, to: 700 })
    expect(zoomAround({ from: 200, to: 700 }, whole, 4, 400)).toEqual(whole)
    expect(isWhole(whole, whole)).toBe(true)
    // Spans that would be a thin line among late errors and log lines are what is in sight first.
    expect(firstSight({ from: 0, to: 100 }, whole)).toEqual({ from: 0, to: 120 })
    expect(firstSight({ from: 0, to: 400 }, whole)).toBe(whole)
  })

  it('moves without a change of its length', () => {
    expect(panBy({ from: 100, to: 300 }, whole, 0.25)).toEqual({ from: 150, to: 350 })
    expect(panBy({ from: 100, to: 300 }, whole, -9)).toEqual({ from: 0, to: 200 })
    expect(panBy({ from: 700, to: 900 }, whole, 9)).toEqual({ from: 800, to: 1000 })
  })

  it('fits a span with some room, and brings one into sight', () => {
    expect(fit(500, 700, whole)).toEqual({ from: 484, to: 716 })
    const zoom = { from: 0, to: 100 }
    expect(bringIntoSight(zoom, whole, 90, 300)).toBe(zoom)
    expect(bringIntoSight(zoom, whole, 500, 600)).toEqual({ from: 500, to: 600 })
  })
})

it('what was before the first span says so, and stands at the edge while that is in sight', () => {
  expect([offsetText(4_240_000), offsetText(0), offsetText(-214_000_000)]).toEqual(['+4.24 s', '+0 ms', '−3:34 min'])
  const whole = { from: 0, to: 1000 }
  const places = (zoom: { from: number; to: number }) => [-9000, 0, 500].map((at) => placeOfMark(at, zoom, whole, 200))
  expect(places(whole)).toEqual([5, 0, 100])
  expect(places({ from: 0, to: 500 })).toEqual([5, 0, 200])
  expect(places({ from: 500, to: 1000 })).toEqual([-3800, -200, 0])
})

it('the nearest mark within reach is hit', () => {
  expect([0, 9, 14, 30].map((x) => nearestMark([10, 15], x, 6))).toEqual([-1, 0, 1, -1])
})
