import { expect, it } from 'vitest'

import { playbackKey, playbacksOf } from './query-keys.ts'

it('R58 what there is of a replay is asked for again when the server says that something of it came', () => {
  expect(playbacksOf('acme', [{ replayIds: ['a', 'b'] }, { replayIds: ['b'] }])).toEqual([
    playbackKey('acme', 'a'),
    playbackKey('acme', 'b'),
  ])
  expect(playbacksOf('acme', [{ replayIds: [] }])).toEqual([])
  const [all] = playbacksOf('acme', [{ replayIds: ['a'] }, { replayIds: null }])
  expect(playbackKey('acme', 'other').slice(0, -1)).toEqual(all)
})
