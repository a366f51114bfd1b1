import { expect, it } from 'vitest'
import { readReceiptsSearch } from './search.ts'

it('reads a link', () => {
  expect(
    readReceiptsSearch({ project: '4', statsPeriod: '7d', outcome: 'filtered', itemType: 'event', sdk: '' }),
  ).toEqual({
    project: '4',
    statsPeriod: '7d',
    outcome: 'filtered',
    itemType: 'event',
    sdk: '',
  })
})

it('leaves out what cannot be read, and the default period', () => {
  expect(readReceiptsSearch({ project: ['3', '4'], statsPeriod: 'soon', outcome: 'eaten', itemType: 7 })).toEqual({
    project: '3',
  })
  expect(readReceiptsSearch({ statsPeriod: '24h' })).toEqual({})
})
