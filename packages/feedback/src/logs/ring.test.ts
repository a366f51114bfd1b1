import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRing, type Line, LOG_CHARS, LOG_LINES, LOG_MS } from './ring.ts'

const said = (message: string): Line => ({ timestamp: Date.now() / 1000, category: 'console', level: 'log', message })

describe('the ring of lines', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_700_000_000_000 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('keeps the last ones, so many', () => {
    const ring = createRing()
    for (let index = 0; index < LOG_LINES + 5; index += 1) ring.add(said(String(index)))
    expect(ring.read().map(({ message }) => message)).toEqual(
      Array.from({ length: LOG_LINES }, (_, index) => String(index + 5)),
    )
  })

  it('keeps so many characters, of messages and addresses', () => {
    const ring = createRing()
    const half = 'x'.repeat(LOG_CHARS / 2)
    ring.add(said(half))
    ring.add({ timestamp: Date.now() / 1000, type: 'http', category: 'fetch', data: { method: 'GET', url: half } })
    expect(ring.read()).toHaveLength(2)
    ring.add(said('y'))
    expect(ring.read().map(({ category }) => category)).toEqual(['fetch', 'console'])
    ring.clear()
    ring.add(said(half))
    expect(ring.read()).toHaveLength(1)
  })

  it('keeps them so long, also when nothing is added', () => {
    const ring = createRing()
    ring.add(said('old'))
    vi.advanceTimersByTime(LOG_MS)
    ring.add(said('new'))
    expect(ring.read()).toHaveLength(2)
    vi.advanceTimersByTime(1)
    expect(ring.read().map(({ message }) => message)).toEqual(['new'])
    vi.advanceTimersByTime(LOG_MS)
    expect(ring.read()).toEqual([])
  })
})
