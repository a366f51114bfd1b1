import { describe, expect, it } from 'vitest'
import { LIMITS } from './limits.ts'
import { createSignInThrottle, createThrottle } from './throttle.ts'

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

  it('tells nobody to wait for longer than a window when the clock is set back', () => {
    let now = 1_795_219_200_000
    const throttle = createThrottle({ clock: { now: () => now }, limit: 1, windowSeconds: 60, capacity: 10 })
    expect([throttle.attempt('a'), throttle.attempt('a')]).toEqual([0, 60])
    now -= 24 * 60 * 60_000
    expect([throttle.attempt('a'), throttle.attempt('a')]).toEqual([0, 60])
  })

  it('remembers only so many keys', () => {
    const throttle = createThrottle({ clock: { now: () => 0 }, limit: 1, windowSeconds: 60, capacity: 3 })
    for (const key of ['a', 'b', 'c', 'd']) throttle.attempt(key)
    expect(throttle.attempt('d')).toBe(60)
    expect(throttle.attempt('a')).toBe(0)
  })
})

describe('the throttle of signing in', () => {
  const network = '203.0.113.1'
  const createHere = (known: readonly string[] = []) =>
    createSignInThrottle({
      clock: { now: () => 0 },
      knownNetworks: (userId) => Promise.resolve(new Set(userId === 1 ? known : [])),
    })

  it('does not count right passwords of an address', async () => {
    const throttle = createHere()
    for (let person = 0; person < 2 * LIMITS.LOGIN_ATTEMPTS_PER_ADDRESS; person += 1) {
      const attempt = { email: `${person}@x.example`, userId: person, network }
      expect(await throttle.attempt(attempt)).toBe(0)
      throttle.succeeded(attempt)
    }
  })

  it('lets an account in from an address that it knows, whatever else was tried from there', async () => {
    const throttle = createHere([network])
    for (let count = 0; count < LIMITS.LOGIN_ATTEMPTS_PER_ADDRESS; count += 1) {
      await throttle.attempt({ email: `${count}@x.example`, userId: null, network })
    }
    expect(await throttle.attempt({ email: 'other@x.example', userId: 2, network })).toBeGreaterThan(0)
    const known = { email: 'known@x.example', userId: 1, network }
    for (let count = 0; count < LIMITS.LOGIN_ATTEMPTS_PER_ACCOUNT; count += 1) {
      expect(await throttle.attempt(known)).toBe(0)
    }
    expect(await throttle.attempt(known)).toBeGreaterThan(0)
  })
})
