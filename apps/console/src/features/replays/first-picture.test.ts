import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { createPages, type LazyScreen } from '../../shell/navigation/pages.ts'
import { createQueryClient } from '../../shell/query-client.ts'
import { endFirstPicture, firstPictureQuery } from './first-picture.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const screen: LazyScreen = { name: 'Replay', component: () => null, load: async () => undefined }

it.each([
  ['stands', async () => endFirstPicture('r')],
  ['does not come', () => vi.advanceTimersByTimeAsync(10_000)],
])('R41 guesses about other pages wait until the first picture of a replay %s', async (_, end) => {
  const pages = createPages({
    queryClient: createQueryClient(),
    openDocument: () => undefined,
    isServerReachable: async () => true,
  })
  let asked = 0
  const query = { queryKey: ['issues'], queryFn: async () => (asked += 1) }
  await pages.load({ preload: false, location: { href: '/replays/r' } }, screen, [firstPictureQuery('acme', 'r')])
  const guess = pages.load({ preload: true, location: { href: '/issues' } }, screen, [query])
  await vi.advanceTimersByTimeAsync(9000)
  expect(asked).toBe(0)
  await end()
  await guess
  expect(asked).toBe(1)
})
