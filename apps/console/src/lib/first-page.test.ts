import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { firstPage } from './first-page.ts'

interface Page {
  readonly data: readonly string[]
  readonly next: null
}

const page: Page = { data: ['a'], next: null }
const whole = { pages: [page], pageParams: [null] }

it('is the list with its first page, before the list was on screen and after it', async () => {
  const client = new QueryClient()
  const queryKey = ['list']
  const ahead = { queryKey, queryFn: async (context: object) => firstPage(context, page) }
  await client.prefetchQuery(ahead)
  expect(client.getQueryData(queryKey)).toEqual(whole)

  const list = new InfiniteQueryObserver<Page, Error, unknown, string[], string | null>(client, {
    queryKey,
    queryFn: async () => page,
    initialPageParam: null,
    getNextPageParam: ({ next }) => next,
  })
  const leave = list.subscribe(() => {})
  await list.refetch()
  leave()
  await client.invalidateQueries({ queryKey })
  await client.prefetchQuery(ahead)
  expect(client.getQueryData(queryKey)).toEqual(whole)
})
