import { createElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { createMemoryRouter } from 'react-router'
import { createMemoryRouter as createMemoryRouter6, matchRoutes as matchRoutes6 } from 'react-router-6'
import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { describe, expect, it } from 'vitest'
import type { FeedbackOptions } from '@firsthand/feedback'
import { captureReactError } from './capture.ts'
import { openFeedback } from './open-feedback.ts'
import {
  configure,
  ErrorBoundary,
  FeedbackButton,
  FirsthandProvider,
  reactErrorHandler,
  routeNameOf,
  tanstackRouterBreadcrumbs,
  useFeedback,
  useRouteName,
  withErrorBoundary,
  wrapRouter,
  type ErrorBoundaryProps,
  type ReportingScope,
  type ReportingSdk,
} from './index.ts'

/** An SDK that notes what it is told. */
const notingSdk = () => {
  const contexts: Record<string, unknown>[] = []
  const captured: { readonly error: unknown; readonly hint: unknown }[] = []
  const breadcrumbs: unknown[] = []
  const names: (string | undefined)[] = []
  const scope: ReportingScope = {
    setTag: () => undefined,
    setExtra: () => undefined,
    setFingerprint: () => undefined,
    setContext: (name, context) => void contexts.push({ [name]: context }),
    setTransactionName: (name) => void names.push(name),
  }
  const sdk: ReportingSdk = {
    captureException: (error, hint) => String(captured.push({ error, hint })),
    withScope: (work) => work(scope),
    addBreadcrumb: (breadcrumb) => void breadcrumbs.push(breadcrumb),
    getIsolationScope: () => scope,
  }
  return { sdk, contexts, captured, breadcrumbs, names }
}

const STACK =
  '\n    at Basket (http://shop.example/app.js:3:7)\n    at div\n    at Shop (http://shop.example/app.js:9:1)'
const HANDLED = { handled: true, type: 'test' }

describe('on a server', () => {
  it('everything renders, and nothing asks for a window', () => {
    const Page = (): ReactNode => {
      useRouteName('/product/:id')
      const { isAvailable } = useFeedback()
      return createElement(FeedbackButton, { className: 'own', disabled: !isAvailable }, 'Tell us')
    }
    const Guarded = withErrorBoundary(Page, { fallback: 'broken' })
    expect(typeof window).toBe('undefined')
    expect(renderToString(createElement(FirsthandProvider, null, createElement(Guarded)))).toBe(
      '<button type="button" class="own" disabled="">Tell us</button>',
    )
    expect(Guarded.displayName).toBe('errorBoundary(Page)')
  })

  it('children may be a function', () => {
    const props: ErrorBoundaryProps = { fallback: null, children: () => 'tea' }
    expect(renderToString(createElement(ErrorBoundary, props))).toBe('tea')
  })
})

describe('reporting', () => {
  it('links the component stack as the last cause, without elements of the page', () => {
    const { sdk, contexts, captured } = notingSdk()
    const cause = new TypeError('no price')
    const error = new Error('basket', { cause })
    captureReactError(sdk, error, { componentStack: STACK }, HANDLED)
    expect(captured).toEqual([{ error, hint: { mechanism: HANDLED } }])
    expect(contexts).toEqual([{ react: { componentStack: STACK } }])
    const link = cause.cause as Error
    expect(link.name).toBe('React ErrorBoundary Error')
    expect(link.stack).toBe(
      'React ErrorBoundary Error: basket\n    at Basket (http://shop.example/app.js:3:7)\n    at Shop (http://shop.example/app.js:9:1)',
    )
  })

  it('the same error is one event', () => {
    const { sdk, captured } = notingSdk()
    const error = new Error('once')
    expect(captureReactError(sdk, error, { componentStack: STACK }, HANDLED)).toBe('1')
    expect(captureReactError(sdk, error, { componentStack: STACK }, HANDLED)).toBe('1')
    expect(captured).toHaveLength(1)
  })

  it.each([['a string'], [null], [undefined], [Object.freeze(new Error('frozen'))], [Object.freeze({ code: 7 })]])(
    'takes whatever was thrown: %s',
    (thrown) => {
      const { sdk, captured } = notingSdk()
      expect(captureReactError(sdk, thrown, { componentStack: STACK }, HANDLED)).toBe('1')
      expect(captured[0]?.error).toBe(thrown)
    },
  )

  it('ends at a circle of causes, and keeps a cause that is no error', () => {
    const { sdk } = notingSdk()
    const one = new Error('one')
    const other = new Error('other', { cause: one })
    one.cause = other
    const odd = new Error('odd', { cause: 'a text' })
    captureReactError(sdk, one, { componentStack: STACK }, HANDLED)
    captureReactError(sdk, odd, { componentStack: STACK }, HANDLED)
    expect([one.cause, other.cause, odd.cause]).toEqual([other, one, 'a text'])
  })

  it('root options report, and say the id', () => {
    const { sdk, captured } = notingSdk()
    configure(sdk)
    const told: unknown[] = []
    const error = new Error('root')
    reactErrorHandler((...given) => told.push(given))(error, { componentStack: null })
    expect(captured[0]?.hint).toEqual({ mechanism: { type: 'auto.function.react.error_handler', handled: true } })
    expect(told).toEqual([[error, { componentStack: null }, '1']])
  })
})

describe('the form', () => {
  it('is the same for every click on a button that has the function itself as its handler', async () => {
    const wishes: unknown[] = []
    const feedback = {
      openDialog: (options?: object) => Promise.resolve(void wishes.push(options)),
      createForm: () => Promise.reject(new Error('not asked for')),
    }
    for (const event of [{ nativeEvent: {}, type: 'click' }, { nativeEvent: {} }, new Event('click'), undefined]) {
      expect(await openFeedback({ feedback }, event as FeedbackOptions | undefined)).toBe(true)
    }
    expect(new Set(wishes).size).toBe(1)
    expect(wishes[0]).toEqual({})
    await openFeedback({ feedback }, { nativeEvent: {} } as FeedbackOptions, 'a'.repeat(32))
    expect(wishes.at(-1)).toEqual({ associatedEventId: 'a'.repeat(32) })
  })
})

describe('names of routes', () => {
  it('React Router: nested, absolute, index and splat', () => {
    expect(routeNameOf([{ route: { path: '/' } }, { route: {} }, { route: { path: 'product/:id' } }])).toBe(
      '/product/:id',
    )
    expect(routeNameOf([{ route: { path: '/shop' } }, { route: { path: '/shop/cart/' } }])).toBe('/shop/cart')
    expect(routeNameOf([{ route: {} }])).toBe('/')
    expect(routeNameOf([{ route: { path: '*' } }])).toBe('/*')
    expect(routeNameOf(matchRoutes6([{ path: '/p/:id', children: [{ index: true }] }], '/p/7'))).toBe('/p/:id')
    expect(routeNameOf(null)).toBeUndefined()
  })

  it.each([['6'], ['7']])('React Router %s: a data router', async (version) => {
    const { sdk, breadcrumbs, names } = notingSdk()
    const routes = [{ path: `/v${version}` }, { path: `/v${version}/product/:id` }]
    const initialEntries = [`/v${version}`]
    const router =
      version === '6'
        ? wrapRouter(createMemoryRouter6(routes, { initialEntries }), sdk)
        : wrapRouter(createMemoryRouter(routes, { initialEntries }), sdk)
    await router.navigate(`/v${version}/product/7`)
    await router.navigate(`/v${version}/product/8`)
    expect(names).toEqual([`/v${version}`, `/v${version}/product/:id`])
    expect(breadcrumbs.at(-1)).toEqual({
      type: 'navigation',
      category: 'navigation.route',
      data: { from: `/v${version}`, to: `/v${version}/product/:id` },
    })
    router.dispose()
  })

  it('TanStack Router', async () => {
    const { sdk, names } = notingSdk()
    const root = createRootRoute()
    const home = createRoute({ getParentRoute: () => root, path: '/tanstack' })
    const product = createRoute({ getParentRoute: () => root, path: '/product/$id' })
    const router = createRouter({
      routeTree: root.addChildren([home, product]),
      history: createMemoryHistory({ initialEntries: ['/tanstack'] }),
    })
    const stop = tanstackRouterBreadcrumbs(router, sdk)
    await router.load()
    router.history.push('/product/7')
    // On a page, the RouterProvider does that.
    await router.load()
    expect(names).toEqual(['/tanstack', '/product/$id'])
    stop()
  })
})
