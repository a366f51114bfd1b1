import { expect, it } from 'vitest'
import { missingOf } from './missing.ts'

const segment = (from: number, to: number, broken: string | null = null) => ({ from, to, broken })

it('R7 of what did not come and of what cannot be read nothing is known', () => {
  const gaps = [{ from: 15_000, to: 35_000 }]
  const segments = [
    segment(60_000, 60_000, 'corrupt'),
    segment(58_000, 58_000, 'corrupt'),
    segment(0, 15_000),
    segment(35_000, 55_000),
    segment(60_000, 90_000),
    segment(95_000, 96_000, 'no_json'),
  ]
  expect(missingOf({ gaps, segments })).toEqual([
    { from: 15_000, to: 35_000 },
    { from: 55_000, to: 60_000 },
    { from: 90_000, to: 96_000 },
  ])
})

it('R7 what cannot be read and had nothing before it is its own stretch, and what was received whole misses nothing', () => {
  expect(missingOf({ gaps: [], segments: [segment(2000, 4000, 'corrupt'), segment(4000, 9000)] })).toEqual([
    { from: 2000, to: 4000 },
  ])
  expect(missingOf({ gaps: [], segments: [segment(0, 9000)] })).toEqual([])
})
