import { expect, it } from 'vitest'
import { idleOf as judge } from './idle.ts'

const SECOND = 1000
/** Of a replay that was received whole, unless something is missing. */
const idleOf = (
  segments: Parameters<typeof judge>[0],
  marks: Parameters<typeof judge>[1],
  replay: Parameters<typeof judge>[2],
  missing: Parameters<typeof judge>[3] = [],
) => judge(segments, marks, replay, missing)
const click = (at: number) => ({ at, kind: 'click', detail: {} }) as const
const until = (finishedAt: number) => ({ startedAt: 0, finishedAt })
const part = (from: number, to: number, canvasBytes: number, active: readonly number[] = []) => ({
  active,
  canvasBytes,
  from,
  to,
})
/** As a recorder sends them: one part every five seconds. */
const parts = (to: number, canvasBytes: number) =>
  Array.from({ length: Math.ceil(to / 5000) }, (_, index) =>
    part(index * 5000, Math.min(to, index * 5000 + 5000), canvasBytes),
  )

it('R22 who watches a canvas that moves is not idle for a while; without one, where they do nothing', () => {
  const page = [[part(0, 26_000, 0)], [click(13_000)], until(26_000)] as const
  expect(idleOf(...page)).toEqual([
    [0, 13_000],
    [13_000, 26_000],
  ])
  expect(idleOf(parts(26_000, 4000), [click(13_000)], until(26_000))).toEqual([])
  expect(idleOf([part(0, 26_000, 4000)], [click(13_000)], until(26_000))).toEqual([])
})

it('R22 a tab that nobody looks at is idle, though a canvas in it moves: but for what follows on the last thing that happened', () => {
  const hour = 3600 * SECOND
  for (const segments of [parts(hour, 40), [part(0, hour, 40)]]) {
    expect(idleOf(segments, [click(100 * SECOND)], until(hour))).toEqual([
      [60 * SECOND, 100 * SECOND],
      [160 * SECOND, hour],
    ])
  }
})

it('R22 a canvas that stands still, and one that moves elsewhere in the replay, keep nobody from being idle', () => {
  const segments = [
    part(0, 5000, 4000),
    part(5000, 55_000, 0),
    part(30_000, 40_000, 4000),
    part(55_000, 90_000, 0, [70_000, 90_000]),
  ]
  expect(idleOf(segments, [], until(90_000))).toEqual([
    [5000, 30_000],
    [40_000, 70_000],
  ])
})

it('R7 R22 where nothing was received nobody is said to be idle, and what is left beside it counts by itself', () => {
  const active = [
    part(0, 14_000, 0, [0, 14_000]),
    part(36_000, 40_000, 0, [36_000, 40_000]),
    part(70_000, 70_001, 0, [70_000, 70_000]),
  ]
  const whole = idleOf(active, [], until(95_000))
  expect(whole).toEqual([
    [14_000, 36_000],
    [40_000, 70_000],
    [70_000, 95_000],
  ])
  const missing = [
    { from: 2000, to: 3000 },
    { from: 15_000, to: 35_000 },
    { from: 55_000, to: 60_000 },
    { from: 81_000, to: 82_000 },
    { from: 90_000, to: 120_000 },
  ]
  expect(idleOf(active, [], until(95_000), missing)).toEqual([
    [40_000, 55_000],
    [70_000, 81_000],
  ])
  expect(idleOf(active, [], until(95_000), [{ from: 13_000, to: 71_000 }])).toEqual([[71_000, 95_000]])
})
