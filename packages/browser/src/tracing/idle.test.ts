import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createIdle, type EndReason } from './idle.ts'

const SECOND = 1000

describe('T94 when a page load or navigation is over', () => {
  let ended: { readonly reason: EndReason; readonly after: number } | undefined
  let begun = 0
  const start = (isHeld = false, times = {}) => {
    begun = Date.now()
    return createIdle(times, isHeld, (reason) => {
      expect(ended).toBeUndefined()
      ended = { reason, after: Date.now() - begun }
    })
  }
  beforeEach(() => {
    vi.useFakeTimers()
    ended = undefined
  })
  afterEach(() => vi.useRealTimers())

  it('1 s after the last child ended', () => {
    const idle = start()
    idle.childBegan()
    vi.advanceTimersByTime(3 * SECOND)
    idle.childBegan()
    idle.childEnded()
    vi.advanceTimersByTime(2 * SECOND)
    idle.childEnded()
    vi.advanceTimersByTime(SECOND - 1)
    expect(ended).toBeUndefined()
    vi.advanceTimersByTime(1)
    expect(ended).toEqual({ reason: 'idleTimeout', after: 6 * SECOND })
  })

  it('1 s after it began when it has no child, and a child begins the wait anew', () => {
    const idle = start()
    vi.advanceTimersByTime(SECOND - 1)
    idle.childBegan()
    idle.childEnded()
    vi.advanceTimersByTime(SECOND - 1)
    expect(ended).toBeUndefined()
    vi.advanceTimersByTime(1)
    expect(ended?.reason).toBe('idleTimeout')
  })

  it('15 s after the last child began, when one of them does not end', () => {
    const idle = start()
    vi.advanceTimersByTime(500)
    idle.childBegan()
    vi.advanceTimersByTime(10 * SECOND)
    idle.childBegan()
    idle.childEnded()
    vi.advanceTimersByTime(15 * SECOND - 1)
    expect(ended).toBeUndefined()
    vi.advanceTimersByTime(1)
    expect(ended).toEqual({ reason: 'heartbeatFailed', after: 25.5 * SECOND })
  })

  it('at 30 s whatever goes on, also when it is held', () => {
    for (const isHeld of [false, true]) {
      ended = undefined
      const idle = start(isHeld)
      for (let at = 0; at < 29; at += 1) {
        idle.childBegan()
        vi.advanceTimersByTime(SECOND)
      }
      expect(ended).toBeUndefined()
      vi.advanceTimersByTime(SECOND)
      expect(ended).toEqual({ reason: 'finalTimeout', after: 30 * SECOND })
    }
  })

  it('not before the document is interactive', () => {
    const idle = start(true)
    idle.childBegan()
    idle.childEnded()
    vi.advanceTimersByTime(20 * SECOND)
    expect(ended).toBeUndefined()
    idle.release()
    vi.advanceTimersByTime(SECOND)
    expect(ended).toEqual({ reason: 'idleTimeout', after: 21 * SECOND })
  })

  it('at once when it is told, and only once; its times can be others', () => {
    const idle = start(false, { idleTimeout: 50, childSpanTimeout: 70, finalTimeout: 90 })
    idle.childBegan()
    idle.end('documentHidden')
    idle.end('cancelled')
    idle.childEnded()
    vi.advanceTimersByTime(60 * SECOND)
    expect(ended).toEqual({ reason: 'documentHidden', after: 0 })
    ended = undefined
    start(false, { idleTimeout: 50 })
    vi.advanceTimersByTime(50)
    expect(ended).toEqual({ reason: 'idleTimeout', after: 50 })
  })
})
