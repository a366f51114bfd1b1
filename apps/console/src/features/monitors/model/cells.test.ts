import type { TimelineCell } from '@firsthand/contract'
import { expect, it } from 'vitest'
import { heightsOf, lookOf, summaryOf } from './cells.ts'

const cell = (more: Partial<TimelineCell>): TimelineCell => ({
  at: 0,
  runs: 1,
  ok: 0,
  late: 0,
  error: 0,
  missed: 0,
  timeout: 0,
  unknown: 0,
  running: 0,
  longest: null,
  ...more,
})

it('A70: a part of a time line shows the gravest of what happened in it', () => {
  expect(lookOf(cell({ ok: 5, missed: 1, error: 1 }))).toBe('failed')
  expect(lookOf(cell({ ok: 5, timeout: 1 }))).toBe('failed')
  expect(lookOf(cell({ ok: 5, missed: 1, late: 1 }))).toBe('missed')
  expect(lookOf(cell({ ok: 5, late: 1 }))).toBe('late')
  expect(lookOf(cell({ ok: 1, running: 1 }))).toBe('running')
  expect(lookOf(cell({ unknown: 1 }))).toBe('unknown')
})

it('the height of a bar is how long the run took, and what never came is a full frame', () => {
  expect(heightsOf([cell({ ok: 1, longest: 1000 }), cell({ ok: 1, longest: 500 }), cell({ missed: 1 })])).toEqual([
    1, 0.5, 1,
  ])
})

it('the line can be heard', () => {
  expect(summaryOf([cell({ ok: 20 }), cell({ missed: 3 }), cell({ timeout: 1 })])).toBe(
    '3 missed, 1 timed out, 20 on time',
  )
  expect(summaryOf([])).toBe('no runs')
})
