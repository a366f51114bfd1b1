import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ServerUnreachableError } from '../../lib/reachable.ts'
import { createQueryClient } from '../query-client.ts'
import { createPages, type LazyScreen } from './pages.ts'
import { JUST_FETCHED_MS, PREFETCH_TTL, ROUTE_TIMEOUT } from './policy.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const ready: LazyScreen = { name: 'Ready', component: () => null, load: async () => undefined }
const never: LazyScreen = { ...ready, load: () => new Promise(() => undefined) }
const visit = (href: string, preload = false) => ({ preload, location: { href } })

function setUp(isUp = true) {
  const opened: string[] = []
  const queryClient = createQueryClient()
  const pages = createPages({
    queryClient,
    openDocument: (href) => opened.push(href),
    isServerReachable: async () => isUp,
  })
  let answers = 0
  const query = { queryKey: ['page'], queryFn: async () => (answers += 1) }
  return { opened, queryClient, pages, query, asked: () => answers }
}

describe('specification: prefetched data of dynamic pages lives 3600 s (shown at once, revalidated behind)', () => {
  it('the lifetime is 3600 s', () => {
    expect(PREFETCH_TTL).toBe(3600)
  })

  it('after 3599 s the prefetched data is shown at once, and asked for again behind it', async () => {
    const { pages, query, queryClient, asked } = setUp()
    await pages.load(visit('/issues', true), ready, [query])
    expect(asked()).toBe(1)
    await vi.advanceTimersByTimeAsync(3599_000)
    await pages.load(visit('/issues'), ready, [query])
    const observer = new QueryObserver(queryClient, query)
    const seen: unknown[] = [observer.getCurrentResult().data]
    const stop = observer.subscribe((result) => seen.push(result.data))
    await vi.advanceTimersByTimeAsync(10)
    stop()
    expect(seen[0]).toBe(1)
    expect(seen.at(-1)).toBe(2)
    expect(asked()).toBe(2)
  })

  it('holds for queries whose code comes later, too; a page whose queries cannot be fetched opens all the same', async () => {
    const { pages, query, asked } = setUp()
    await pages.load(visit('/settings', true), ready, async () => [query])
    expect(asked()).toBe(1)
    await vi.advanceTimersByTimeAsync(3600_000)
    await pages.load(visit('/settings'), ready, async () => [query])
    await vi.advanceTimersByTimeAsync(0)
    expect(asked()).toBe(2)
    await pages.load(visit('/settings'), ready, () => Promise.reject(new TypeError('Failed to fetch')))
  })

  it('after 3600 s it is gone', async () => {
    const { pages, query, queryClient } = setUp()
    await pages.load(visit('/issues', true), ready, [query])
    await vi.advanceTimersByTimeAsync(3600_000)
    expect(queryClient.getQueryData(query.queryKey)).toBeUndefined()
  })

  it('guesses wait until what the page itself is made of has come', async () => {
    const { pages, query, queryClient, asked } = setUp()
    const page = Promise.withResolvers<number>()
    void queryClient.fetchQuery({ queryKey: ['shown'], queryFn: () => page.promise, meta: { page: true } })
    const guess = pages.load(visit('/issues', true), ready, [query])
    await vi.advanceTimersByTimeAsync(0)
    expect(asked()).toBe(0)
    page.resolve(1)
    await guess
    expect(asked()).toBe(1)
  })

  it('data fetched for this very opening is not fetched twice', async () => {
    const { pages, query, queryClient, asked } = setUp()
    await pages.load(visit('/issues'), ready, [query])
    await vi.advanceTimersByTimeAsync(JUST_FETCHED_MS - 1)
    const stop = new QueryObserver(queryClient, query).subscribe(() => undefined)
    await vi.advanceTimersByTimeAsync(10)
    stop()
    expect(asked()).toBe(1)
  })
})

describe('specification: at most 5 prefetches at a time', () => {
  it('prefetching twenty links asks for five pages at first', async () => {
    const { pages } = setUp()
    let running = 0
    for (let index = 0; index < 20; index += 1) {
      void pages.load(visit(`/issues/${index}`, true), ready, [
        {
          queryKey: ['issue', index],
          queryFn: () => {
            running += 1
            return new Promise(() => undefined)
          },
        } as { queryKey: readonly unknown[] },
      ])
    }
    await vi.advanceTimersByTimeAsync(10)
    expect(running).toBe(5)
  })

  it('a page and the layout around it, which share the address, are both prefetched', async () => {
    const { pages, query, asked } = setUp()
    await Promise.all([
      pages.load(visit('/settings/members', true), { ...ready, name: 'Layout' }),
      pages.load(visit('/settings/members', true), ready, [query]),
    ])
    expect(asked()).toBe(1)
  })

  it('a navigation does not wait for the prefetches', async () => {
    const { pages, query, asked } = setUp()
    for (let index = 0; index < 9; index += 1) void pages.load(visit(`/${index}`, true), never)
    await pages.load(visit('/issues'), ready, [query])
    expect(asked()).toBe(1)
  })
})

describe('specification: a route that does not load within 3800 ms falls back to a full page load', () => {
  it('opens the address of the route as a document', async () => {
    const { pages, opened } = setUp()
    pages.firstPageShown()
    void pages.load(visit('/organizations/acme/receipts?project=1'), never)
    await vi.advanceTimersByTimeAsync(3799)
    expect(opened).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(opened).toEqual(['/organizations/acme/receipts?project=1'])
  })

  it('code that cannot be fetched does too, unless nobody answers at all: then the page says so', async () => {
    const gone: LazyScreen = { ...ready, load: () => Promise.reject(new TypeError('Failed to fetch')) }
    const { pages, opened } = setUp()
    pages.firstPageShown()
    void pages.load(visit('/settings'), gone)
    await vi.advanceTimersByTimeAsync(0)
    expect(opened).toEqual(['/settings'])
    const down = setUp(false)
    down.pages.firstPageShown()
    await expect(down.pages.load(visit('/settings'), gone)).rejects.toThrow(ServerUnreachableError)
    expect(down.opened).toEqual([])
  })

  it('once for all routes of an address, and again for the next navigation', async () => {
    const { pages, opened } = setUp()
    pages.firstPageShown()
    void pages.load(visit('/settings'), never)
    void pages.load(visit('/settings'), never)
    await vi.advanceTimersByTimeAsync(ROUTE_TIMEOUT)
    expect(opened).toEqual(['/settings'])
    void pages.load(visit('/settings'), never)
    await vi.advanceTimersByTimeAsync(ROUTE_TIMEOUT)
    expect(opened).toEqual(['/settings', '/settings'])
  })

  it('a prefetch never does, however long it takes', async () => {
    const { pages, opened } = setUp()
    pages.firstPageShown()
    void pages.load(visit('/slow', true), never)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(opened).toEqual([])
  })

  it('the very first page waits: it is the full page load already', async () => {
    const { pages, opened } = setUp()
    void pages.load(visit('/slow'), never)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(opened).toEqual([])
  })
})
