import { describe, expect, it } from 'vitest'
import { formatAge, formatBytes, formatCount, formatDuration, initials } from './format.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR

describe('formatAge', () => {
  it.each([
    [-5, '0 s'],
    [12_000, '12 s'],
    [60_000, '1 m'],
    [2 * HOUR, '2 h'],
    [8 * DAY, '8 d'],
    [59 * DAY, '59 d'],
    [95 * DAY, '3 mo'],
    [364 * DAY, '11 mo'],
    [366 * DAY, '1 y'],
  ])('%d ms is %s', (age, text) => {
    expect(formatAge(age)).toBe(text)
  })
})

it('groups thousands', () => {
  expect(formatCount(48213)).toBe('48,213')
})

it('writes bytes with one unit', () => {
  expect([512, 4100, 2_300_000, 250_000_000].map(formatBytes)).toEqual(['512 B', '4.1 kB', '2.3 MB', '250 MB'])
})

it('writes durations with two units at most', () => {
  expect([41, 1200, 30_000, 200_000, 2 * HOUR + 300_000].map(formatDuration)).toEqual([
    '41 ms',
    '1.2 s',
    '30 s',
    '3 m 20 s',
    '2 h 5 m',
  ])
})

it('takes initials of names and e-mails', () => {
  expect([initials('Anna Kovac'), initials('ann@shop.test'), initials('j.moreno@shop.test'), initials('')]).toEqual([
    'AK',
    'A',
    'JM',
    '?',
  ])
})
