import { expect, it } from 'vitest'
import { describeLimits, readLimit } from './rate-limit.ts'

it('reads counts as people type them', () => {
  expect(readLimit('1,000', '3600')).toEqual({ limit: { count: 1000, window: 3600 } })
  expect(readLimit(' ', '60')).toEqual({ limit: null })
})

it.each(['0', '-3', 'many', '1e99'])('refuses %s', (count) => {
  expect(readLimit(count, '60')).toHaveProperty('error')
})

it('says a limit in words', () => {
  expect(describeLimits(null, null)).toBe('no limit')
  expect(describeLimits({ count: 1000, window: 3600 }, null)).toBe('1,000 per hour')
  expect(describeLimits({ count: 5, window: 90 }, null)).toBe('5 every 90 s')
})

it('says only the limits that are set', () => {
  expect(describeLimits(null, 1_000_000)).toBe('1 MB per day')
  expect(describeLimits(null, 999_500_000)).toBe('999.5 MB per day')
  expect(describeLimits({ count: 2, window: 60 }, 2_500_000_000)).toBe('2 per minute, 2.5 GB per day')
})
