import { expect, it } from 'vitest'
import { stack } from './stack.ts'

it('adds up from the lowest series; what has nothing of a series has no bar of it', () => {
  expect(
    stack([
      [3, 0, 2],
      [0, 4, null],
      [1, 0, 1],
    ]),
  ).toEqual([
    [3, 0, 2],
    [null, 4, null],
    [4, null, 3],
  ])
})
