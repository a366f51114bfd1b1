import { expect, it } from 'vitest'
import { readBytesPerDay, writeBytesPerDay } from './bytes-per-day.ts'

it('reads gigabytes as people write them', () => {
  expect(readBytesPerDay(' 2 ')).toEqual({ bytes: 2_000_000_000 })
  expect(readBytesPerDay('0,5')).toEqual({ bytes: 500_000_000 })
  expect(readBytesPerDay('')).toEqual({ bytes: null })
})

it.each(['0', '-1', 'much', '1e9', 'NaN'])('refuses %j', (text) => {
  expect(readBytesPerDay(text)).toHaveProperty('error')
})

it('shows what was saved', () => {
  expect(writeBytesPerDay(null)).toBe('')
  expect(readBytesPerDay(writeBytesPerDay(1_250_000_000))).toEqual({ bytes: 1_250_000_000 })
})
