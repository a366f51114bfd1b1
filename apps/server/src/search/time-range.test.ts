import { describe, expect, it, vi } from 'vitest'
import { chooseInterval, createBuckets, fillBuckets, readPeriod } from './time-range.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const DAY = 86_400_000

describe('readPeriod', () => {
  it('reads relative periods, and dates without a zone as UTC', () => {
    expect(readPeriod({}, NOW)).toEqual({ ok: true, value: null })
    expect(readPeriod({ statsPeriod: '14d' }, NOW)).toMatchObject({ ok: true, value: { from: NOW - 14 * DAY } })
    expect(readPeriod({ start: '2026-11-01T00:00:00', end: '2026-11-02' }, NOW)).toEqual({
      ok: true,
      value: { from: Date.UTC(2026, 10, 1), to: Date.UTC(2026, 10, 2) },
    })
  })

  it('reads seconds since the epoch as Sentry does, which are no years', () => {
    const value = { from: 1_795_479_000_500, to: 1_795_489_000_000 }
    expect(readPeriod({ start: '1795479000.5', end: '1795489000' }, NOW)).toEqual({ ok: true, value })
    expect(readPeriod({ start: '2026', end: '2026-11-02' }, NOW)).toMatchObject({
      value: { from: Date.UTC(2026, 0, 1) },
    })
    expect(readPeriod({ start: '17954790', end: '2026-11-02' }, NOW).ok).toBe(false)
  })

  it('reads dates alike wherever the server stands', () => {
    vi.stubEnv('TZ', 'Pacific/Kiritimati')
    const value = { from: Date.UTC(2026, 10, 1, 8), to: Date.UTC(2026, 10, 2) }
    for (const start of ['2026-11-01T08:00:00', '2026-11-01 08:00', '2026-11-01T08:00:00Z', '2026-11-01T10:00+02:00']) {
      expect([start, readPeriod({ start, end: '2026-11-02' }, NOW)]).toEqual([start, { ok: true, value }])
    }
    vi.unstubAllEnvs()
  })

  it.each([{ statsPeriod: '0d' }, { start: 'yesterday' }, { start: '2026-11-02', end: '2026-11-01' }])(
    'refuses %j',
    (query) => {
      expect(readPeriod(query, NOW).ok).toBe(false)
    },
  )
})

describe('buckets', () => {
  it('cover the period from a round start, and fill what is empty', () => {
    const period = { from: NOW - 90_000, to: NOW }
    const buckets = createBuckets(period, 60)
    expect(buckets).toEqual({ start: NOW / 1000 - 120, interval: 60, count: 2 })
    expect(fillBuckets(buckets, new Map([[1, 5]]))).toEqual([
      [NOW / 1000 - 120, 0],
      [NOW / 1000 - 60, 5],
    ])
  })

  it('choose the finest interval that stays within the maximum', () => {
    expect(chooseInterval({ from: NOW - DAY, to: NOW }, 24)).toBe(3600)
    expect(chooseInterval({ from: NOW - 14 * DAY, to: NOW }, 48)).toBe(12 * 3600)
    expect(chooseInterval({ from: 0, to: NOW }, 10)).toBeGreaterThan(30 * 86_400)
  })
})
