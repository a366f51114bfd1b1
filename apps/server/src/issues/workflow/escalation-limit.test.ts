import { describe, expect, it } from 'vitest'
import { escalationLimit } from './escalation-limit.ts'

const WEEK = 7 * 24
const NOW = 500_000

const at = (count: (hour: number) => number, weeks = 4): Map<number, number> => {
  const hours = new Map<number, number>()
  for (let hour = NOW - weeks * WEEK - 1; hour < NOW; hour += 1) {
    const value = count(hour)
    if (value > 0) hours.set(hour, value)
  }
  return hours
}

describe('the limit above which an archived issue escalates', () => {
  it('is never so low that a few events pass it', () => {
    expect(escalationLimit(new Map(), NOW, NOW)).toBe(10)
    expect(
      escalationLimit(
        at(() => 1),
        NOW,
        0,
      ),
    ).toBe(13)
  })

  it('is the middle of this hour in the weeks before and six times how far chance or habit moves it', () => {
    // 100 each time: sqrt(100) + 1 = 11.
    expect(
      escalationLimit(
        at(() => 100),
        NOW,
        0,
      ),
    ).toBe(166)
    // As many hours with 60 as with 140: the spread is 40.
    const bursty = at((hour) => (Math.floor((NOW - hour) / WEEK) % 2 === 0 ? 60 : 140))
    expect(escalationLimit(bursty, NOW, 0)).toBe(Math.ceil(100 + 6 * 1.4826 * 40))
  })

  it('knows the rhythm of the week: what is usual on this hour is no escalation, on another it is', () => {
    const mondays = at((hour) => ((NOW - hour) % WEEK <= 1 || (NOW - hour) % WEEK === WEEK - 1 ? 500 : 0))
    expect(escalationLimit(mondays, NOW, 0)).toBeGreaterThan(500)
    expect(escalationLimit(mondays, NOW - 48, 0)).toBe(10)
  })

  it('asks all hours where the issue is too young for weeks', () => {
    const young = at(() => 30, 1)
    expect(escalationLimit(young, NOW, NOW - 72)).toBe(Math.ceil(30 + 6 * (Math.sqrt(30) + 1)))
  })
})
