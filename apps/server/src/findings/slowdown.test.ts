import { describe, expect, it } from 'vitest'
import { findSlowdown, HOUR_MS, isNews, SLOWDOWN, type TransactionHour } from './slowdown.ts'
import { times } from './spans.fixture.ts'

const UNTIL = Date.UTC(2026, 10, 20, 12)
const THRESHOLDS = Object.fromEntries(SLOWDOWN.thresholds.map(({ name, default: value }) => [name, value]))
const WEEK = 7 * 24

/** Hours of which the last ended at `UNTIL`; null for one of which nothing is known. */
const hoursOf = (p95s: readonly (number | null)[], hoursAgo = 0): TransactionHour[] =>
  p95s.flatMap((p95, index) =>
    p95 === null ? [] : [{ hour: UNTIL - (p95s.length - index + hoursAgo) * HOUR_MS, samples: 200, p95 }],
  )

/** A day that is fast, and what comes then. */
const afterDay = (...p95s: readonly (number | null)[]): TransactionHour[] =>
  hoursOf([...times(24, (index) => 170 + (index % 3) * 10), ...p95s])

const find = (hours: readonly TransactionHour[], thresholds = THRESHOLDS) => findSlowdown(hours, UNTIL, thresholds)

describe('a transaction became slower', () => {
  it('T85: when three hours are slower than all of the day before: before, after, since when, of how many', () => {
    expect(find(afterDay(400, 420, 440))).toEqual({
      since: UNTIL - 3 * HOUR_MS,
      until: UNTIL,
      before: 180,
      after: 420,
      samplesBefore: 24 * 200,
      samplesAfter: 3 * 200,
    })
  })

  it('since the same hour when it is looked at later', () => {
    const since = UNTIL - 6 * HOUR_MS
    expect(find(afterDay(420, 420, 420, 420, 420, 420))?.since).toBe(since)
    expect(find(afterDay(420, null, 420, 420, null, 420))?.since).toBe(since)
  })

  it('is none of two hours, nor of one bad hour, nor once it is over', () => {
    expect(find(afterDay(420, 420))).toBeNull()
    expect(find(afterDay(9000, 180, 180))).toBeNull()
    expect(find(afterDay(420, 420, 420, 180))).toBeNull()
    expect(find(afterDay(420, 420, 420, null))).toBeNull()
  })

  it('is none when the day before had an hour like it: a job at night, or a change that was told', () => {
    const day = times(24, (index) => (index === 4 ? 500 : 180))
    expect(find(hoursOf([...day, 420, 430, 440]))).toBeNull()
    expect(find(hoursOf([...day, 520, 530, 540]))).not.toBeNull()
    expect(find(afterDay(...times(7, () => 420)))).toBeNull()
  })

  it('is none when it was as slow at the same time a week ago', () => {
    const monday = afterDay(400, 420, 440)
    expect(find([...hoursOf([390, 400, 410], WEEK), ...monday])).toBeNull()
    expect(find([...hoursOf([200, 9000, 190], WEEK), ...monday])).not.toBeNull()
    // The hours beside them say nothing.
    expect(find([...hoursOf([400, 400, 400, 190, 190, 190], WEEK), ...monday])).not.toBeNull()
  })

  it('T85: is none just below each of its numbers', () => {
    expect(find(afterDay(315, 315, 315))).not.toBeNull()
    expect(find(afterDay(314, 314, 314))).toBeNull()
    const fast = (p95: number) => hoursOf([...times(24, () => 20), p95, p95, p95])
    expect(find(fast(119))).toBeNull()
    expect(find(fast(120))).not.toBeNull()
    expect(find(fast(119), { ...THRESHOLDS, difference: 50 })).not.toBeNull()
    expect(find(afterDay(315, 315, 315), { ...THRESHOLDS, increase: 100 })).toBeNull()
  })

  it('T85: is none with too few hours before, wherever in the day they are', () => {
    const known = (count: number) => hoursOf([...times(24, (index) => (index < count ? 180 : null)), 420, 420, 420])
    expect(find(known(5))).toBeNull()
    expect(find(known(6))).toMatchObject({ before: 180, samplesBefore: 6 * 200 })
    expect(find(hoursOf([420, 420, 420]))).toBeNull()
    expect(find([])).toBeNull()
  })
})

it('a change is told once; another is one when it was fast for a day after the one that was told', () => {
  const found = find(afterDay(400, 420, 440))
  if (found === null) throw new Error('nothing was found')
  expect(isNews(found, null)).toBe(true)
  expect(isNews(found, UNTIL + 600_000)).toBe(false)
  expect(isNews(found, found.since - 24 * HOUR_MS)).toBe(false)
  expect(isNews(found, found.since - 24 * HOUR_MS - 1)).toBe(true)
})
