import { describe, expect, it } from 'vitest'
import { chartOf, drawnRows, matches, sumByOutcome, sumReceived } from './receipts.ts'

const HOUR = 3600_000
const at = (hour: number, outcome: 'accepted' | 'filtered', quantity: number) => ({
  timestamp: new Date(hour * HOUR).toISOString(),
  outcome,
  quantity,
})

describe('chartOf', () => {
  it('fills empty buckets and keeps the order of outcomes', () => {
    const chart = chartOf([at(2, 'filtered', 3), at(0, 'accepted', 5), at(2, 'accepted', 1)], 0, 3 * HOUR, HOUR)
    expect(chart.times).toEqual([0, HOUR, 2 * HOUR])
    expect(chart.series).toEqual([
      { outcome: 'accepted', values: [5, 0, 1] },
      { outcome: 'filtered', values: [0, 0, 3] },
    ])
  })

  it('ignores rows outside the period and broken times', () => {
    expect(
      chartOf([at(9, 'accepted', 5), { timestamp: 'x', outcome: 'accepted', quantity: 1 }], 0, HOUR, HOUR).series,
    ).toEqual([])
  })

  it('draws nothing for a period without length', () => {
    expect(chartOf([], 0, 0, HOUR)).toEqual({ times: [], series: [] })
    expect(chartOf([], 0, HOUR, 0)).toEqual({ times: [], series: [] })
  })
})

it('sums quantities, not rows', () => {
  expect(sumByOutcome([at(0, 'accepted', 5), at(1, 'accepted', 2)]).get('accepted')).toBe(7)
})

it('an SDK that did not say its name can be asked for', () => {
  const row = { outcome: 'accepted', itemType: 'event', sdk: '' } as const
  expect(matches(row, { sdk: '' })).toBe(true)
  expect(matches(row, { sdk: 'sentry.javascript.browser/11.0.0' })).toBe(false)
})

it('what an SDK dropped is no part of what was received', () => {
  const rows = [
    at(0, 'accepted', 2),
    at(0, 'filtered', 1),
    { ...at(0, 'filtered', 900), outcome: 'client_discard' as const },
  ]
  expect(sumReceived(sumByOutcome(rows))).toBe(3)
  expect(drawnRows(rows)).toEqual(rows.slice(0, 2))
  expect(drawnRows(rows.slice(2))).toEqual(rows.slice(2))
})
