import { createMemoryRouter } from 'react-router'
import { createMemoryRouter as createMemoryRouter6 } from 'react-router-6'
import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { close, init, type Integration } from '@firsthand/browser/core'
import { traceReactRouter, type TracedRouter } from '@firsthand/browser/react-router'
import { traceTanstackRouter } from '@firsthand/browser/tanstack-router'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/** What a router tells, in its order. */
let told: string[] = []

/** In the place of the tracing, which needs a browser. */
const listening = (): Integration & Record<string, unknown> => ({
  name: 'BrowserTracing',
  followRouter: () => void told.push('follows'),
  startNavigation: (url: string, route?: string) => void told.push(`to ${url}${route ? ` as ${route}` : ''}`),
  setRoute: (route: string) => void told.push(`is ${route}`),
})

beforeEach(() => {
  told = []
  init({ integrations: [listening()], defaultIntegrations: false })
})
afterEach(() => close())

const wait = async (): Promise<void> => {
  await Promise.resolve()
}
const routes = [
  { path: '/', children: [{ index: true }, { path: 'product/:id', loader: wait }, { path: 'help/*' }] },
  { path: '/old', loader: () => new Response(null, { status: 302, headers: { location: '/product/1' } }) },
]

describe('T100 names of routes are their patterns', () => {
  it.each([
    ['7', createMemoryRouter],
    ['6', createMemoryRouter6],
  ] as const)('React Router %s', async (_, create) => {
    const router = (create as typeof createMemoryRouter)(routes, { initialEntries: ['/product/7?size=2'] })
    const traced = traceReactRouter(router as unknown as TracedRouter)
    expect(traced).toBe(router)
    await expect.poll(() => told.at(-1)).toBe('is /product/:id')
    expect(told[0]).toBe('follows')
    expect(told.some((one) => one.startsWith('to '))).toBe(false)
    told = []
    await router.navigate('/product/8')
    // It begins before its data is there; it has its name once the route is shown.
    expect(told[0]).toBe('to /product/8')
    expect(told.at(-1)).toBe('is /product/:id')
    expect(told.filter((one) => one.startsWith('to '))).toHaveLength(1)
    told = []
    await router.navigate('/help/a/b')
    expect(told.filter((one) => one.startsWith('to '))).toEqual(['to /help/a/b'])
    expect(told.at(-1)).toBe('is /help/*')
    router.dispose()
  })

  it('TanStack Router', async () => {
    const root = createRootRoute()
    const index = createRoute({ getParentRoute: () => root, path: '/' })
    const product = createRoute({ getParentRoute: () => root, path: '/product/$id', loader: wait })
    const router = createRouter({
      routeTree: root.addChildren([index, product]),
      history: createMemoryHistory({ initialEntries: ['/product/7'] }),
    })
    const stop = traceTanstackRouter(router)
    await router.load()
    expect(new Set(told)).toEqual(new Set(['follows', 'is /product/$id']))
    told = []
    const go = (path: string): Promise<void> => {
      router.history.push(path)
      // On a page, the RouterProvider does that.
      return router.load()
    }
    await go('/product/8?size=2')
    expect(told).toEqual(['to /product/8?size=2 as /product/$id'])
    told = []
    await go('/')
    expect(told).toEqual(['to / as /'])
    stop()
    await go('/product/9')
    expect(told).toHaveLength(1)
  })
})
