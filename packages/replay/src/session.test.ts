import { describe, expect, it } from 'vitest'
import { isExpired, isPaused, newSession, readSession, sample, writeSession } from './session.ts'

const ID = '0123456789abcdef0123456789abcdef'
const HOUR = 3_600_000

describe('the session of a replay', () => {
  it('pauses after five minutes, ends after fifteen or after an hour in all', () => {
    const session = newSession(ID, 'session', 0)
    expect([300_000, 300_001].map((at) => isPaused(session, at))).toEqual([false, true])
    expect([900_000, 900_001].map((at) => isExpired(session, at, HOUR))).toEqual([false, true])
    const busy = { ...session, lastActivity: HOUR }
    expect([HOUR, HOUR + 1].map((at) => isExpired(busy, at, HOUR))).toEqual([false, true])
  })

  it('the rate of sessions is asked first, then whether errors are waited for', () => {
    expect(sample({ session: 0.5, onError: 1 }, () => 0.4)).toBe('session')
    expect(sample({ session: 0.5, onError: 1 }, () => 0.5)).toBe('buffer')
    expect(sample({ session: 0.5, onError: 0 }, () => 0.5)).toBe(false)
    expect(sample({ session: 0, onError: 0 }, () => 0)).toBe(false)
  })

  it('is kept for the tab, and nonsense in its place is no session', () => {
    let kept: string | null = null
    const store = {
      getItem: () => kept,
      setItem: (_: string, value: string) => {
        kept = value
      },
      removeItem: () => {
        kept = null
      },
    }
    const session = newSession(ID, 'buffer', 5, 'fedcba9876543210fedcba9876543210')
    writeSession(store, session)
    expect(readSession(store)).toEqual(session)
    for (const nonsense of ['', '{', 'null', '[]', '{"id":"x"}', JSON.stringify({ ...session, segmentId: 'one' })]) {
      kept = nonsense
      expect(readSession(store)).toBe(undefined)
    }
    writeSession(store, undefined)
    expect(kept).toBe(null)
    const forbidden = {
      getItem: () => {
        throw new Error('no storage here')
      },
      setItem: () => {
        throw new Error('no storage here')
      },
      removeItem: () => undefined,
    }
    writeSession(forbidden, session)
    expect(readSession(forbidden)).toBe(undefined)
    expect(readSession(undefined)).toBe(undefined)
  })
})
