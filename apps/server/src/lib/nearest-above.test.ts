import { expect, it } from 'vitest'
import { createNearestAbove } from './nearest-above.ts'

interface Thing {
  readonly id: number
  readonly parent: number
  readonly value?: string
}

const nearest = (things: readonly Thing[]) => {
  let visits = 0
  const byId = new Map(things.map((thing) => [thing.id, thing]))
  const valueOf = createNearestAbove<Thing, string>({
    keyOf: ({ id }) => String(id),
    above: ({ parent }) => byId.get(parent),
    valueOf: ({ value }) => {
      visits += 1
      return value ?? null
    },
  })
  return { values: things.map(valueOf), visits: () => visits }
}

it('says what the nearest says that knows it', () => {
  const things: Thing[] = [
    { id: 4, parent: 3 },
    { id: 3, parent: 2 },
    { id: 2, parent: 1, value: 'two' },
    { id: 1, parent: 0, value: 'one' },
    { id: 5, parent: 1 },
    { id: 6, parent: 99 },
  ]
  expect(nearest(things).values).toEqual(['two', 'two', 'two', 'one', 'one', null])
})

it('things in a circle have none', () => {
  const things = [1, 2, 3].map((id) => ({ id, parent: (id % 3) + 1 }))
  expect(nearest(things).values).toEqual([null, null, null])
})

const LEVELS = 20_000

it.each([
  ['from the top', (things: readonly Thing[]) => things],
  ['from the bottom', (things: readonly Thing[]) => things.toReversed()],
])('each of a chain without an end is visited once, %s', (_, order) => {
  const chain = Array.from({ length: LEVELS }, (__, id) => ({ id, parent: id === 0 ? -1 : id - 1 }))
  const { values, visits } = nearest(order(chain))
  expect(values).toEqual(Array.from({ length: LEVELS }, () => null))
  expect(visits()).toBe(LEVELS)
})
