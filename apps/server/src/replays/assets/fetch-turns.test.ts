import { expect, it } from 'vitest'
import { inTurns } from './fetch-assets.ts'

it('R69 organisations take turns at fetching, however many projects each has, and so do the projects of one', () => {
  const due = [
    [1, 11],
    [1, 11],
    [1, 12],
    [1, 13],
    [2, 21],
    [2, 21],
    [2, 21],
  ].map(([organizationId = 0, projectId = 0], index) => ({ organizationId, projectId, index }))
  expect(inTurns(due).map(({ index }) => index)).toEqual([0, 4, 2, 5, 3, 6, 1])
})
