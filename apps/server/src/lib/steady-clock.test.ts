import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSteadyClock } from './steady-clock.ts'

const HOUR = 3_600_000

/** A machine whose clock can be set, and whose time passes all the same. */
const machine = () => {
  let wall = 1_000_000_000
  let passed = 0
  return {
    clock: { now: () => wall },
    passed: () => passed,
    pass: (ms: number) => {
      wall += ms
      passed += ms
    },
    set: (byMs: number) => {
      wall += byMs
    },
  }
}

describe('a clock that never goes back', () => {
  it('A28: set back by an hour, time goes on as it passes, until the machine’s clock has come around', () => {
    const { clock, passed, pass, set } = machine()
    const steady = createSteadyClock(clock, passed)
    const begin = steady.now()
    set(-HOUR)
    pass(1000)
    expect(steady.now()).toBe(begin + 1000)
    pass(2 * HOUR)
    expect(steady.now()).toBe(begin + 1000 + 2 * HOUR)
    set(HOUR)
    pass(1)
    expect(steady.now()).toBe(clock.now())
    expect(steady.jump()).toBeNull()
  })

  it('A28: set forward by an hour, it follows, and says which time there never was', () => {
    const { clock, passed, pass, set } = machine()
    const steady = createSteadyClock(clock, passed)
    const begin = steady.now()
    pass(500)
    set(HOUR)
    expect(steady.now()).toBe(begin + 500 + HOUR)
    expect(steady.jump()).toEqual({ from: begin + 500, to: begin + 500 + HOUR })
  })

  it('whatever happens to the machine’s clock, no time is before another that was told first', () => {
    const step = fc.record({ pass: fc.nat(100_000), set: fc.integer({ min: -2 * HOUR, max: 2 * HOUR }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { clock, passed, pass, set } = machine()
        const steady = createSteadyClock(clock, passed)
        let last = steady.now()
        for (const one of steps) {
          pass(one.pass)
          set(one.set)
          const now = steady.now()
          expect(now).toBeGreaterThanOrEqual(last)
          last = now
        }
      }),
    )
  })
})
