import { describe, expect, it } from 'vitest'
import { adoptionShares, crashedShares, firstDays, spared } from './course.ts'

const sessions = (total: number, crashed: number) => ({
  sessions: { total, crashed, healthy: total - crashed, errored: 0, abnormal: 0, unhandled: 0 },
})

describe('the course of a release', () => {
  it('has a gap where there were no sessions, and where the other release is not as old', () => {
    expect(
      crashedShares(
        [
          [4, 1],
          [0, 0],
        ],
        3,
      ),
    ).toEqual([25, null, null])
  })

  it('knows that its numbers are of its first days where it has lived longer', () => {
    const hours = 60 * 60
    const at = (days: number) => new Date(Date.UTC(2026, 5, 1) + days * 24 * hours * 1000).toISOString()
    const steps = Array.from({ length: 60 }, (): [number, number] => [1, 0])
    const adoption = { interval: 12 * hours, steps: steps.map((): [number, number, number] => [1, 0, 1]) }
    const lived = (days: number) =>
      firstDays({
        release: { since: at(0), steps },
        interval: 12 * hours,
        adoption: { ...adoption, start: at(days - 30) },
      })
    expect(lived(45)).toBe(30)
    expect(lived(30)).toBeNull()
    expect(firstDays({ release: null, interval: 900, adoption: { ...adoption, start: at(0) } })).toBeNull()
  })

  it('says how many sessions the release before would have spared, or taken', () => {
    expect(spared(sessions(1000, 30), sessions(1000, 10))).toBe(20)
    expect(spared(sessions(1000, 10), sessions(100, 3))).toBe(-20)
    expect(spared(sessions(10, 0), sessions(1000, 1))).toBeNull()
    expect(spared(sessions(10, 1), sessions(0, 0))).toBeNull()
    expect(spared(sessions(10, 1), null)).toBeNull()
  })

  it('divides all sessions of a step among the release, the one before, and others', () => {
    expect(
      adoptionShares([
        [1, 2, 4],
        [0, 0, 0],
      ]),
    ).toEqual({ own: [25, null], before: [50, null], others: [25, null] })
  })
})
