import { expect, it } from 'vitest'
import { lengthInMinutes, lengthText } from './length-text.ts'

const MINUTE = 60_000

it.each([
  [0, '0 ms', '1 min'],
  [999, '999 ms', '1 min'],
  [88_500, '89 s', '1 min'],
  [2 * MINUTE, '2 min', '2 min'],
  [119 * MINUTE, '119 min', '119 min'],
  [120 * MINUTE, '2 h', '2 h'],
  [185 * MINUTE, '3 h 5 min', '3 h 5 min'],
  [48 * 60 * MINUTE, '2 days', '2 days'],
  [14 * 24 * 60 * MINUTE, '14 days', '14 days'],
])('%d ms are %s, and %s of what is known to the minute', (ms, exact, inMinutes) => {
  expect([lengthText(ms), lengthInMinutes(ms)]).toEqual([exact, inMinutes])
})
