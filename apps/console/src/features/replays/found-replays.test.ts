import { expect, it } from 'vitest'

import { placeInFound, rememberedReplay, rememberFound, rememberReplay } from './found-replays.ts'

it('a replay knows its neighbours in the list from which one was opened', () => {
  const replays = ['a', 'b', 'c'].map((id) => ({ key: `1-${id}`, id, project: '1', lead: { event_t: id } }))
  const of = (id: string, project_id = '1') => placeInFound('acme', { id, project_id })
  expect(of('a')).toBeNull()
  rememberFound({ org: 'acme', query: 'text:pay', hasMore: true, replays }, '1-b')
  expect(rememberedReplay()).toBe('1-b')
  expect(of('b')).toEqual({
    query: 'text:pay',
    hasMore: true,
    number: 2,
    count: 3,
    previous: replays[0],
    next: replays[2],
  })
  expect([of('a')?.previous, of('c')?.next]).toEqual([null, null])
  rememberReplay('1-c')
  expect(rememberedReplay()).toBe('1-c')
  // The same id in another project or organisation is another replay.
  expect([of('b', '2'), placeInFound('other', { id: 'b', project_id: '1' })]).toEqual([null, null])
})
