import type { Clock } from '../lib/clock.ts'

export interface Throttle {
  /**
   * Counts an attempt.
   *
   * @returns 0 when it may go ahead, else the seconds to wait
   */
  attempt(key: string): number
  /** Forgets the attempts, after a success. */
  forget(key: string): void
}

interface Window {
  startedAt: number
  attempts: number
}

/**
 * At most `limit` attempts per window and key. Remembers at most `capacity` keys; the ones that came first are forgotten
 * first, which is why attempts are counted per account and per address at the same time.
 */
export const createThrottle = (options: {
  readonly clock: Clock
  readonly limit: number
  readonly windowSeconds: number
  readonly capacity: number
}): Throttle => {
  const windows = new Map<string, Window>()
  const windowMs = options.windowSeconds * 1000
  return {
    attempt(key) {
      const now = options.clock.now()
      const known = windows.get(key)
      if (known !== undefined && now - known.startedAt < windowMs) {
        known.attempts += 1
        return known.attempts <= options.limit ? 0 : Math.ceil((known.startedAt + windowMs - now) / 1000)
      }
      windows.delete(key)
      windows.set(key, { startedAt: now, attempts: 1 })
      if (windows.size > options.capacity) {
        const oldest = windows.keys().next()
        if (oldest.done !== true) windows.delete(oldest.value)
      }
      return 0
    },
    forget: (key) => {
      windows.delete(key)
    },
  }
}
