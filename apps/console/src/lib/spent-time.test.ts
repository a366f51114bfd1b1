import { expect, it } from 'vitest'
import { formatSpent } from './spent-time.ts'

it.each([
  [0, '0 ms'],
  [0.0004, '1 µs'],
  [0.012, '12 µs'],
  [0.31, '0.31 ms'],
  [4, '4.0 ms'],
  [9.96, '10 ms'],
  [127.4, '127 ms'],
  [999.6, '1.00 s'],
  [4240, '4.24 s'],
  [41_234, '41.2 s'],
  [59_960, '1:00 min'],
  [63_000, '1:03 min'],
  [3_599_800, '1:00 h'],
  [7_500_000, '2:05 h'],
])('%d ms is %s', (duration, text) => {
  expect(formatSpent(duration)).toBe(text)
})
