import { QueryClient, QueryObserver, queryOptions } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { showAtOnce, showSaved } from './shown-data.ts'

/** A server that answers when it is told to. */
const server = () => {
  const asked: PromiseWithResolvers<string>[] = []
  const options = queryOptions({
    queryKey: ['name'],
    queryFn: () => {
      const answer = Promise.withResolvers<string>()
      asked.push(answer)
      return answer.promise
    },
    retry: false,
  })
  const client = new QueryClient()
  const seen: unknown[] = []
  const observer = new QueryObserver(client, options)
  const leave = observer.subscribe(({ data }) => {
    if (data !== undefined && data !== seen.at(-1)) seen.push(data)
  })
  return { asked, client, options, seen, leave }
}

it('what was saved stays when what was asked for before it is answered after it, and is asked for again', async () => {
  const { asked, client, options, seen, leave } = server()
  asked[0]?.resolve('old')
  await expect.poll(() => seen).toEqual(['old'])
  void client.refetchQueries(options)
  await expect.poll(() => asked.length).toBe(2)
  showSaved(client, options.queryKey, (before) => `${before} and saved`)
  await expect.poll(() => asked.length).toBe(3)
  asked[1]?.resolve('old')
  asked[2]?.resolve('new')
  await expect.poll(() => client.getQueryData(options.queryKey)).toBe('new')
  expect(seen).toEqual(['old', 'old and saved', 'new'])
  leave()
})

it('a change that is not saved yet is not asked for, and an older answer does not take it back', async () => {
  const { asked, client, options, seen, leave } = server()
  showAtOnce(client, options.queryKey, 'wanted')
  await expect.poll(() => seen).toEqual(['wanted'])
  asked[0]?.resolve('old')
  await expect.poll(() => client.isFetching()).toBe(0)
  expect(asked.length).toBe(1)
  expect(client.getQueryData(options.queryKey)).toBe('wanted')
  leave()
})
