import { expect, it } from 'vitest'
import { titleOfMany } from './line-of-many.ts'

const NEW = { words: ['new issue', 'new issues'], place: 'shop' } as const

it.each([
  [12, ['A', 'B', 'C'], false, '12 new issues in shop: A, B and 10 more'],
  [2, ['A', 'B'], false, '2 new issues in shop: A and B'],
  [3, ['A', 'A', ''], false, '3 new issues in shop: A and 2 more'],
  [3, [], false, '3 new issues in shop'],
  [4, ['A', 'B'], true, '4 things in shop: A, B and 2 more'],
] as const)('a line of %i things is called by the newest of them', (count, names, isMixed, title) => {
  expect(titleOfMany(NEW, { count, names, isMixed })).toBe(title)
})
