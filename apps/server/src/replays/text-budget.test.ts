import { expect, it } from 'vitest'
import { LIMITS } from './limits.ts'
import type { Segment } from './segment.ts'
import { createTextBudget } from './text-budget.ts'

const segment = (id: string, texts: readonly string[], more = {}) => ({
  projectId: 1,
  replayId: 'r',
  id,
  texts: texts.map((text) => ({ text, written: '', at: 0 })),
  textsLeftOut: 0,
  ...more,
})

const sizes = ({ texts, textsLeftOut }: Pick<Segment, 'texts' | 'textsLeftOut'>) => [texts.length, textsLeftOut]

it('R33 a replay keeps so many texts over all its segments, and says how many it does not', () => {
  const { fit } = createTextBudget()
  const many = Array.from({ length: LIMITS.REPLAY_TEXTS - 1 }, (_, index) => `row ${index}`)
  expect(sizes(fit(segment('1', many)))).toEqual([LIMITS.REPLAY_TEXTS - 1, 0])
  expect(sizes(fit(segment('2', ['a', 'b', 'c'], { textsLeftOut: 2 })))).toEqual([1, 4])
  expect(sizes(fit(segment('3', ['d'])))).toEqual([0, 1])
  expect(sizes(fit(segment('4', [])))).toEqual([0, 0])
  // Batches are repeated: a segment keeps what it had.
  expect(sizes(fit(segment('2', ['a', 'b', 'c'], { textsLeftOut: 2 })))).toEqual([1, 4])
  expect(sizes(fit(segment('1', ['a'], { replayId: 'other' })))).toEqual([1, 0])
  expect(sizes(fit(segment('1', ['a'], { projectId: 2 })))).toEqual([1, 0])
})

it('R33 nor more characters than it may', () => {
  const { fit } = createTextBudget()
  const half = 'x'.repeat(LIMITS.REPLAY_ALL_TEXT_CHARS / 2)
  expect(sizes(fit(segment('1', [half, half.slice(1), 'ab', 'c'])))).toEqual([2, 2])
  // The first that does not fit is the end.
  expect(sizes(fit(segment('2', ['a'])))).toEqual([0, 1])
})

it('R33 texts of a segment need not be read where none of them can be kept', () => {
  const { fit, hasRoom } = createTextBudget()
  const many = Array.from({ length: LIMITS.REPLAY_TEXTS }, (_, index) => `row ${index}`)
  expect(hasRoom(segment('1', []))).toBe(true)
  fit(segment('1', many))
  expect(hasRoom(segment('2', []))).toBe(true)
  fit(segment('2', ['one more']))
  expect(hasRoom(segment('3', []))).toBe(false)
  // They come again with their batch, and are read as before.
  expect([hasRoom(segment('1', [])), hasRoom(segment('2', []))]).toEqual([true, true])
  expect(hasRoom(segment('3', [], { replayId: 'other' }))).toBe(true)
})
