import { expect, it } from 'vitest'
import { idleOf } from './idle.ts'

const whole = { startedAt: 0, finishedAt: 100_000 }
const click = { at: 40_000, kind: 'click', detail: {} } as const

it('R22 who watches a canvas that moves is not idle; who does something else in between is, where they do nothing', () => {
  const canvas = { active: [0, 500], canvasBytes: 4000 }
  const page = { active: [0, 500], canvasBytes: 0 }
  const idle = [
    [500, 40_000],
    [40_000, 100_000],
  ]
  expect(idleOf([page], [click], whole)).toEqual(idle)
  expect(idleOf([canvas], [click], whole)).toEqual([])
  const busy = { active: [60_000, 100_000], canvasBytes: 0 }
  expect(idleOf([canvas, busy], [click], whole)).toEqual([
    [500, 40_000],
    [40_000, 60_000],
  ])
})
