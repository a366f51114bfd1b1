import { expect, it } from 'vitest'
import { childrenTimes } from './children-times.ts'

const span = (spanId: string, parentId: string, start: number, duration: number) => ({
  spanId,
  parentId,
  start,
  duration,
})

it('T59 the time of children counts once where they run at once, and only while their parent runs', () => {
  expect(
    childrenTimes([
      span('a', '', 0, 100),
      span('b', 'a', 10, 20),
      span('c', 'a', 20, 30),
      span('d', 'a', 90, 50),
      span('e', 'b', 0, 100),
      span('f', 'missing', 0, 5),
      span('g', 'g', 0, 5),
    ]),
  ).toEqual([50, 20, 0, 0, 0, 0, 0])
})
