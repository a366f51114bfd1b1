import { expect, it } from 'vitest'
import { LIMITS } from '../limits.ts'
import { holdNames } from './held-names.ts'

const known = (visitors: readonly (readonly [string, number])[]) => ({
  issues: new Map([['SHOP-1', [1, 2]]]),
  visitors: new Map(
    visitors.map(([name, ids]) => [
      name,
      { ids: Array.from({ length: ids }, (_, index) => `${index}`.padStart(100, 'u')), emails: [], isWhole: true },
    ]),
  ),
  seen: new Map(),
  starred: [],
})

it('R104 of what a search names as much is kept as a deletion may have, and more is none', () => {
  expect(holdNames(known([['ada', 1]]))).toEqual({
    issues: [['SHOP-1', [1, 2]]],
    visitors: [['ada', { ids: [`${'u'.repeat(99)}0`], emails: [], isWhole: true }]],
  })
  const many = Array.from(
    { length: LIMITS.REPLAY_DELETION_NAMES_CHARS / 20_000 + 1 },
    (_, index) => [`${index}`, 200] as const,
  )
  expect(holdNames(known(many))).toBeNull()
})
