import { describe, expect, it } from 'vitest'
import { createQuotas } from './quotas.ts'
import { keyContext } from './test-door.ts'

const DAY_MS = 24 * 60 * 60_000
const NOON = 1_795_219_200_000
const key = keyContext({ rateLimit: { count: 1, windowSeconds: 60 } })

describe('quotas', () => {
  it('count within windows that are aligned to their length', () => {
    const quotas = createQuotas()
    expect(quotas.take(key, NOON + 20_000)).toEqual({ granted: true })
    expect(quotas.take(key, NOON + 20_000)).toEqual({ granted: false, reason: 'key_quota', retryAfterSeconds: 40 })
    expect(quotas.take(key, NOON + 59_999)).toEqual({ granted: false, reason: 'key_quota', retryAfterSeconds: 1 })
    expect(quotas.take(key, NOON + 60_000)).toEqual({ granted: true })
  })

  it.each([
    ['a day back', -DAY_MS],
    ['a minute back', -60_000],
    ['a year ahead', 365 * DAY_MS],
  ])('a clock that is set %s never makes anybody wait for longer than a window', (_, leap) => {
    const quotas = createQuotas()
    quotas.take(key, NOON)
    expect(quotas.take(key, NOON + leap)).toEqual({ granted: true })
    expect(quotas.take(key, NOON + leap)).toEqual({ granted: false, reason: 'key_quota', retryAfterSeconds: 60 })
    // And back again.
    expect(quotas.take(key, NOON)).toEqual({ granted: true })
    expect(quotas.take(key, NOON)).toEqual({ granted: false, reason: 'key_quota', retryAfterSeconds: 60 })
  })
})
