import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type SlowClicks, watchSlowClicks } from './slow-clicks.ts'

describe('clicks that the page answers late or never', () => {
  let told: object[] = []
  let clicks: SlowClicks
  beforeEach(() => {
    vi.useFakeTimers({ now: 1000 })
    told = []
    clicks = watchSlowClicks(7000, (category, { at, message }, data) => told.push({ category, at, message, ...data }))
  })
  afterEach(() => {
    clicks.stop()
    vi.useRealTimers()
  })

  const click = (element = 'button', isCandidate = true): void =>
    clicks.click(element, { at: Date.now(), message: element, data: {} }, isCandidate)
  const later = (ms: number): void => void vi.advanceTimersByTime(ms)
  const slow = (timeAfterClickMs: number, endReason: string, clickCount = 1) => [
    { category: 'ui.slowClickDetected', at: 1000, message: 'button', timeAfterClickMs, endReason, clickCount },
  ]

  it.each([
    ['never', [], slow(7000, 'timeout')],
    ['at once', [10], []],
    ['after three seconds', [3000], []],
    ['a little later', [3001, 4000], slow(3001, 'mutation')],
    ['after seven seconds', [7000], slow(7000, 'timeout')],
    ['early and again', [5, 6000], []],
  ])('R18 answered %s', (_, answers, expected) => {
    click()
    let at = 0
    for (const answer of answers) {
      later(answer - at)
      at = answer
      clicks.answer(Date.now())
    }
    later(8000 - at)
    expect(told).toEqual(expected)
  })

  it('a scroll answers only if it comes at once', () => {
    click()
    later(300)
    clicks.scroll(Date.now())
    later(8000)
    expect(told).toEqual([])
    click('other')
    later(301)
    clicks.scroll(Date.now())
    later(8000)
    expect(told).toMatchObject([{ message: 'other', endReason: 'timeout' }])
  })

  it('five in vain within a second are one click that counts five', () => {
    for (let count = 0; count < 5; count += 1) {
      click()
      later(100)
    }
    later(8000)
    expect(told).toEqual(slow(7000, 'timeout', 5))
  })

  it('several that were answered are told as several', () => {
    click()
    click()
    clicks.answer(Date.now())
    later(8000)
    expect(told).toEqual([{ category: 'ui.multiClick', at: 1000, message: 'button', clickCount: 2, metric: true }])
  })

  it('a change before the click, or one that a later act of the visitor brings, answers nothing', () => {
    clicks.answer(Date.now())
    later(1)
    click()
    later(10)
    click('text', false)
    clicks.answer(Date.now(), Date.now())
    later(9000)
    expect(told).toMatchObject([{ message: 'button', endReason: 'timeout', clickCount: 1 }])
  })

  it('who stops hears nothing more, and no timer is left', () => {
    click()
    clicks.stop()
    expect(vi.getTimerCount()).toBe(0)
    later(9000)
    expect(told).toEqual([])
  })
})
