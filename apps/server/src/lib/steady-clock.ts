import type { Clock } from './clock.ts'

/** A clock that never goes back, whatever somebody sets the machine's to. */
export interface SteadyClock extends Clock {
  /** The last time that the machine's clock was set forward, or the machine slept: nothing was received in between. */
  jump(): { readonly from: number; readonly to: number } | null
}

/** Corrections of a clock that are no jump. */
const TOLERANCE_MS = 1000
const JUMP_MS = 30_000

/**
 * Follows another clock as long as that one goes on. Where it is set back, time goes on as it passes, until the other one
 * has come around again: what comes in after each other has times after each other.
 *
 * @param passed milliseconds that passed, from any beginning
 */
export const createSteadyClock = (clock: Clock, passed: () => number = () => performance.now()): SteadyClock => {
  let last = clock.now()
  let lastPassed = passed()
  let jump: { from: number; to: number } | null = null
  return {
    now: () => {
      const wall = clock.now()
      const at = passed()
      const expected = last + Math.max(0, at - lastPassed)
      if (wall - expected > JUMP_MS) jump = { from: Math.floor(expected), to: wall }
      last = wall < expected - TOLERANCE_MS ? expected : Math.max(last, wall)
      lastPassed = at
      return Math.floor(last)
    },
    jump: () => jump,
  }
}
