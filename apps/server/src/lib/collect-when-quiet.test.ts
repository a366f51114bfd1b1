import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { collectWhenQuiet } from './collect-when-quiet.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('collects once, after much was worked on and when nothing comes any more', () => {
  let collections = 0
  const done = collectWhenQuiet({ uncollectedBytes: 100, quietMs: 1000, collect: () => collections++ })
  done(60)
  vi.advanceTimersByTime(10_000)
  expect(collections).toBe(0)
  done(60)
  vi.advanceTimersByTime(900)
  done(1)
  vi.advanceTimersByTime(900)
  expect(collections).toBe(0)
  vi.advanceTimersByTime(100)
  expect(collections).toBe(1)
  // What was collected does not count again.
  done(60)
  vi.advanceTimersByTime(10_000)
  expect(collections).toBe(1)
})
