import { describe, expect, it } from 'vitest'
import { LIMITS } from './limits.ts'
import type { SpoolPosition } from './road.ts'
import { createSettledClock } from './settled-clock.ts'

const at = (offset: number): SpoolPosition => ({ segment: 0, offset })

/** A spool and a digest that are moved by hand. */
const road = () => {
  const state = { now: 1_000_000, end: at(0), passed: at(0), oldest: null as number | null }
  const settled = createSettledClock({
    spool: { end: () => state.end, receivedUntil: (now) => state.oldest ?? now },
    passed: () => state.passed,
    clock: { now: () => state.now, jump: () => null },
  })
  return { state, settled }
}

describe('up to when all that was received is stored', () => {
  it('is now while nothing waits', () => {
    const { state, settled } = road()
    expect(settled.until()).toBe(state.now)
    state.now += 5000
    expect(settled.until()).toBe(state.now)
  })

  it('stands while the digest does, and goes on with it', () => {
    const { state, settled } = road()
    const begin = settled.until()
    for (let second = 1; second <= 10; second += 1) {
      state.now += 1000
      state.end = at(second * 100)
      expect(settled.until()).toBe(begin)
    }
    state.passed = at(550)
    expect(settled.until()).toBe(1_005_000)
    state.passed = at(1000)
    expect(settled.until()).toBe(state.now)
  })

  it('is not known before all is stored that waited when the process began', () => {
    const { state, settled } = road()
    state.end = at(900)
    expect(settled.until()).toBeNull()
    state.passed = at(899)
    state.now += 60_000
    expect(settled.until()).toBeNull()
    state.passed = at(900)
    expect(settled.until()).toBe(state.now)
  })

  it('what is on its way to the disk counts as not yet there', () => {
    const { state, settled } = road()
    state.oldest = state.now - 3000
    expect(settled.until()).toBe(state.now - 3000)
    // It never goes back.
    state.oldest = state.now - 9000
    expect(settled.until()).toBe(state.now - 3000)
  })

  it('remembers few moments of a long lag, and is right about those that it has', () => {
    const { state, settled } = road()
    const moments = LIMITS.SETTLED_MARKS * 3
    settled.until()
    for (let second = 1; second <= moments; second += 1) {
      state.now += 1000
      state.end = at(second)
      settled.until()
    }
    for (const share of [0.1, 0.5, 0.9]) {
      state.passed = at(Math.floor(moments * share))
      const until = settled.until() ?? 0
      expect(until).toBeLessThanOrEqual(1_000_000 + Math.floor(moments * share) * 1000)
      expect(until).toBeGreaterThan(1_000_000 + Math.floor(moments * share) * 1000 - 60_000)
    }
  })
})
