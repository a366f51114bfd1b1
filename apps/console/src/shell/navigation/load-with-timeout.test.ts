import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadWithTimeout, RouteLoadError } from './load-with-timeout.ts'
import { ROUTE_TIMEOUT } from './policy.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('specification: a route that does not load within 3800 ms falls back to a full page load', () => {
  it('the limit is 3800 ms', () => {
    expect(ROUTE_TIMEOUT).toBe(3800)
  })

  it('at 3799 ms it still waits, at 3800 ms it gives up', async () => {
    const outcome = loadWithTimeout(() => new Promise<never>(() => undefined), ROUTE_TIMEOUT).catch(
      (error: unknown) => error,
    )
    let done = false
    void outcome.then(() => {
      done = true
    })
    await vi.advanceTimersByTimeAsync(3799)
    expect(done).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await outcome).toBeInstanceOf(RouteLoadError)
  })
})

describe('loadWithTimeout', () => {
  it('gives the module and leaves no timer behind', async () => {
    expect(await loadWithTimeout(async () => 'module', ROUTE_TIMEOUT)).toBe('module')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('a file that is gone (an older build) counts as not loaded', async () => {
    const cause = new TypeError('Failed to fetch dynamically imported module')
    const error = await loadWithTimeout(() => Promise.reject(cause), ROUTE_TIMEOUT).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(RouteLoadError)
    expect((error as RouteLoadError).cause).toBe(cause)
  })
})
