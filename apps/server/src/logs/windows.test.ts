import { describe, expect, it } from 'vitest'
import { LIMITS } from './limits.ts'
import { nextWindow } from './windows.ts'

const HOUR = 3_600_000

/** Windows of a search that finds a line every so many milliseconds, until a page is full. */
const windowsOf = (everyMs: number, wanted: number, endMs: number): number[] => {
  const windows: number[] = []
  let length: number = LIMITS.LOG_WINDOW_MS
  let looked = 0
  for (;;) {
    const before = Math.floor(looked / everyMs)
    const window = Math.min(length, endMs - looked)
    looked += window
    windows.push(window)
    const found = Math.floor(looked / everyMs)
    if (found >= wanted || looked >= endMs) return windows
    length = nextWindow(length, { found, wanted, looked, isEmpty: found === before })
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

describe('windows of a search', () => {
  it('T80 look hardly further than a page takes, in few steps, however rare its lines are', () => {
    for (const everyMs of [900, 20_000, 12 * 60_000, 1.1 * HOUR]) {
      const windows = windowsOf(everyMs, 201, 14 * 24 * HOUR)
      expect(sum(windows) / (201 * everyMs), `${everyMs}`).toBeLessThan(1.6)
      expect(windows.length, `${everyMs}`).toBeLessThanOrEqual(9)
    }
  })

  it('grow as fast as they may while nothing is found, also after something was', () => {
    const growing = [1, 8, 64, 512].map((times) => times * LIMITS.LOG_WINDOW_MS)
    expect(windowsOf(Number.MAX_SAFE_INTEGER, 201, 20 * HOUR).slice(0, 4)).toEqual(growing)
    expect(nextWindow(HOUR, { found: 100, wanted: 201, looked: 2 * HOUR, isEmpty: true })).toBe(8 * HOUR)
  })

  it('are never shorter than the last one', () => {
    expect(nextWindow(HOUR, { found: 200, wanted: 201, looked: 2 * HOUR, isEmpty: false })).toBe(HOUR)
    expect(nextWindow(HOUR, { found: 1, wanted: 201, looked: 2 * HOUR, isEmpty: false })).toBe(8 * HOUR)
  })
})
