import { describe, expect, it } from 'vitest'
import { createThrottle } from './throttle.ts'

describe('throttle', () => {
  it('lets some attempts through per window and key, then says how long to wait', () => {
    let now = 0
    const throttle = createThrottle({ clock: { now: () => now }, limit: 2, windowSeconds: 60, capacity: 10 })
    expect([throttle.attempt('a'), throttle.attempt('a')]).toEqual([0, 0])
    now = 15_000
    expect([throttle.attempt('a'), throttle.attempt('b')]).toEqual([45, 0])
    now = 60_000
    expect(throttle.attempt('a')).toBe(0)
    throttle.attempt('a')
    throttle.forget('a')
    expect(throttle.attempt('a')).toBe(0)
  })

  it('remembers only so many keys', () => {
    const throttle = createThrottle({ clock: { now: () => 0 }, limit: 1, windowSeconds: 60, capacity: 3 })
    for (const key of ['a', 'b', 'c', 'd']) throttle.attempt(key)
    expect(throttle.attempt('d')).toBe(60)
    expect(throttle.attempt('a')).toBe(0)
  })
})
