import { expect, it } from 'vitest'
import { describeLimit, readLimit } from './rate-limit.ts'

it('reads counts as people type them', () => {
  expect(readLimit('1,000', '3600')).toEqual({ limit: { count: 1000, window: 3600 } })
  expect(readLimit(' ', '60')).toEqual({ limit: null })
})

it.each(['0', '-3', 'many', '1e99'])('refuses %s', (count) => {
  expect(readLimit(count, '60')).toHaveProperty('error')
})

it('says a limit in words', () => {
  expect(describeLimit(null)).toBe('no limit')
  expect(describeLimit({ count: 1000, window: 3600 })).toBe('1,000 per hour')
  expect(describeLimit({ count: 5, window: 90 })).toBe('5 every 90 s')
})
