import { afterEach, describe, expect, it, vi } from 'vitest'
import * as Firsthand from '../core.ts'
import type { SentSpan } from '../types.ts'
import {
  browserTracingIntegration,
  getTraceData,
  reportPageLoaded,
  setRoute,
  startInactiveSpan,
  startNavigation,
  startSpan,
  type TracingOptions,
} from './index.ts'
import { closeTestPage, openTestPage, ORIGIN, type TestPage } from './test-page.ts'

const SECOND = 1000
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'

/** The headers with which the page asked. */
let asked: { readonly headers: Headers }[] = []
let answer: () => Promise<Response> = async () => new Response('', { status: 200 })

const start = (
  { tracing = {}, ...options }: Firsthand.BrowserOptions & { readonly tracing?: TracingOptions } = {},
  page: TestPage = openTestPage(),
): TestPage => {
  asked = []
  answer = async () => new Response('', { status: 200 })
  vi.stubGlobal('fetch', async (input: string | Request, init?: RequestInit) => {
    const request = typeof input === 'string' ? undefined : input
    asked.push({ headers: new Headers(init?.headers ?? request?.headers) })
    return answer()
  })
  page.init({ tracesSampleRate: 1, ...options, integrations: [browserTracingIntegration(tracing)] })
  return page
}
/** Until everything that waits is sent. */
const settle = async (): Promise<void> => {
  await vi.advanceTimersByTimeAsync(31 * SECOND)
  await vi.advanceTimersByTimeAsync(31 * SECOND)
}
const valueOf = (span: SentSpan | undefined, name: string): unknown => span?.attributes[name]?.value
const byOp = (page: TestPage, op: string): SentSpan[] =>
  page.spans().filter((span) => valueOf(span, 'sentry.op') === op)

afterEach(closeTestPage)

describe('page views', () => {
  it('a page load is a span of its own, with what it did; and goes to the server as SDK 11 of Sentry sends it', async () => {
    const page = start()
    const made = startInactiveSpan({ name: 'sort', op: 'function', attributes: { rows: 12, ratio: 0.5, own: true } })
    await vi.advanceTimersByTimeAsync(200)
    made.end()
    await settle()
    const [header, [item]] = page.sent[0] ?? [{}, []]
    expect(item?.[0]).toMatchObject({
      type: 'span',
      item_count: 2,
      content_type: 'application/vnd.sentry.items.span.v2+json',
    })
    expect(item?.[1]).toMatchObject({ version: 2, ingest_settings: { infer_ip: 'auto', infer_user_agent: 'auto' } })
    const [root, child] = page.spans()
    expect(header['trace']).toMatchObject({
      trace_id: root?.trace_id,
      public_key: 'abc',
      release: 'shop@1',
      sample_rate: '1',
      sampled: 'true',
    })
    expect(root).toMatchObject({ name: '/start', is_segment: true, status: 'ok' })
    expect(root?.parent_span_id).toBeUndefined()
    expect(child).toMatchObject({
      name: 'sort',
      is_segment: false,
      parent_span_id: root?.span_id,
      trace_id: root?.trace_id,
    })
    expect(child?.attributes).toMatchObject({
      rows: { type: 'integer', value: 12 },
      ratio: { type: 'double', value: 0.5 },
      own: { type: 'boolean', value: true },
      'sentry.op': { type: 'string', value: 'function' },
      'sentry.segment.id': { type: 'string', value: root?.span_id },
      'sentry.release': { type: 'string', value: 'shop@1' },
      'sentry.sdk.name': { type: 'string', value: 'firsthand.javascript.browser' },
    })
    expect(valueOf(root, 'url.path')).toBe('/start')
    expect(valueOf(root, 'sentry.segment.name.source')).toBe('url')
    expect(valueOf(root, 'sentry.idle_span_finish_reason')).toBe('idleTimeout')
    // Its end is that of the last thing in it.
    expect(root?.end_timestamp).toBe(child?.end_timestamp)
  })

  it('a navigation is a trace of its own, linked to the one before', async () => {
    const page = start()
    await settle()
    page.go('/basket?coupon=1')
    await settle()
    const [first, second] = page.spans()
    expect(second).toMatchObject({ name: '/basket', is_segment: true })
    expect(second?.trace_id).not.toBe(first?.trace_id)
    expect(valueOf(second, 'url.path')).toBe('/basket')
    expect(second?.links).toMatchObject([{ trace_id: first?.trace_id, span_id: first?.span_id, sampled: true }])
  })

  it('what changes the address at once without a click or a key is a redirect of the page load', async () => {
    const page = start()
    await vi.advanceTimersByTimeAsync(300)
    page.go('/login')
    await settle()
    expect(byOp(page, 'pageload')).toHaveLength(1)
    expect(byOp(page, 'navigation')).toEqual([])
    const [redirect] = byOp(page, 'navigation.redirect')
    expect(redirect?.start_timestamp).toBe(redirect?.end_timestamp)
    expect(redirect?.parent_span_id).toBe(byOp(page, 'pageload')[0]?.span_id)
  })

  it('after a click it is a navigation, and ends the page load', async () => {
    const page = start()
    await vi.advanceTimersByTimeAsync(300)
    page.tell('click')
    page.go('/login')
    await settle()
    expect(valueOf(byOp(page, 'pageload')[0], 'sentry.idle_span_finish_reason')).toBe('cancelled')
    expect(byOp(page, 'navigation')).toHaveLength(1)
  })

  it('T94 children that are still open are cancelled, those outside are dropped', async () => {
    const page = start()
    const first = startInactiveSpan({ name: 'first' })
    startInactiveSpan({ name: 'never ends' })
    await vi.advanceTimersByTimeAsync(2 * SECOND)
    first.end()
    await vi.advanceTimersByTimeAsync(SECOND)
    startInactiveSpan({ name: 'began after the last end' })
    await settle()
    const root = byOp(page, 'pageload')[0]
    expect(valueOf(root, 'sentry.idle_span_finish_reason')).toBe('heartbeatFailed')
    expect((root?.end_timestamp ?? 0) - (root?.start_timestamp ?? 0)).toBeCloseTo(
      (page.spans().find(({ name }) => name === 'first')?.end_timestamp ?? 0) - (root?.start_timestamp ?? 0),
      3,
    )
    const open = page.spans().find(({ name }) => name === 'never ends')
    expect(open).toMatchObject({ status: 'error', end_timestamp: root?.end_timestamp })
    expect(valueOf(open, 'sentry.status.message')).toBe('cancelled')
    expect(page.spans().map(({ name }) => name)).not.toContain('began after the last end')
  })

  it('T94 a page load waits for the document, and for the page itself where that says so', async () => {
    const page = openTestPage()
    page.document.readyState = 'loading'
    start({}, page)
    await vi.advanceTimersByTimeAsync(20 * SECOND)
    expect(page.spans()).toEqual([])
    page.document.readyState = 'interactive'
    page.tell('readystatechange')
    await settle()
    expect(byOp(page, 'pageload')).toHaveLength(1)
    await closeTestPage()

    const other = start({ tracing: { enableReportPageLoaded: true } })
    await vi.advanceTimersByTimeAsync(7 * SECOND)
    reportPageLoaded()
    await settle()
    const [root] = byOp(other, 'pageload')
    expect(valueOf(root, 'sentry.idle_span_finish_reason')).toBe('reportPageLoaded')
  })

  it('T98 a page that comes back from the cache is one view more; one that was loaded in advance is none until it is seen', async () => {
    const page = start()
    await settle()
    page.tell('pagehide', { persisted: true })
    page.tell('pageshow', { persisted: true })
    await settle()
    expect(byOp(page, 'pageload')).toHaveLength(1)
    expect(byOp(page, 'navigation').map((span) => valueOf(span, 'browser.navigation.type'))).toEqual([
      'back-forward-cache',
    ])
    await closeTestPage()

    const advance = openTestPage()
    advance.document.prerendering = true
    start({}, advance)
    await fetch(`${ORIGIN}/api/early`)
    await settle()
    expect(advance.spans()).toEqual([])
    advance.document.prerendering = false
    advance.tell('prerenderingchange')
    await settle()
    expect(byOp(advance, 'pageload')).toHaveLength(1)
  })

  it('T99 when the tab is closed or hidden, what there is goes out at once', async () => {
    const page = start()
    startInactiveSpan({ name: 'done' }).end()
    startInactiveSpan({ name: 'under way' })
    page.document.visibilityState = 'hidden'
    page.tell('visibilitychange')
    await vi.advanceTimersByTimeAsync(0)
    // The view itself comes first: not everything may get through.
    expect(page.spans().map(({ name, status }) => [name, status])).toEqual([
      ['/start', 'error'],
      ['done', 'ok'],
      ['under way', 'error'],
    ])
    expect(valueOf(page.spans()[0], 'sentry.status.message')).toBe('cancelled')
  })

  it('T100 routes are the names of page loads and navigations', async () => {
    const page = start()
    setRoute('/')
    await settle()
    startNavigation('/product/7', '/product/:id')
    page.go('/product/7')
    await settle()
    expect(page.spans().map(({ name }) => name)).toEqual(['/', '/product/:id'])
    expect(valueOf(page.spans()[1], 'sentry.segment.name.source')).toBe('route')
    expect(valueOf(page.spans()[1], 'url.path')).toBe('/product/7')
  })
})

describe('requests', () => {
  it('have a span, and tell the server where it belongs', async () => {
    const page = start()
    await fetch(`${ORIGIN}/api/basket?id=7`, { headers: { baggage: 'tenant=7', accept: 'text/plain' } })
    await fetch(new Request(`${ORIGIN}/api/pay`, { method: 'POST', headers: { 'x-own': 'kept' } }))
    await settle()
    const [basket, pay] = byOp(page, 'http.client')
    expect(basket).toMatchObject({ name: 'GET shop.example', status: 'ok' })
    expect(valueOf(basket, 'url.full')).toBe(`${ORIGIN}/api/basket?id=7`)
    expect(valueOf(basket, 'http.response.status_code')).toBe(200)
    expect(pay?.name).toBe('POST shop.example')
    expect(asked[0]?.headers.get('sentry-trace')).toBe(`${basket?.trace_id}-${basket?.span_id}-1`)
    expect(asked[0]?.headers.get('accept')).toBe('text/plain')
    expect(asked[0]?.headers.get('baggage')).toMatch(/^tenant=7, sentry-trace_id=/)
    expect(asked[1]?.headers.get('sentry-trace')).toBe(`${pay?.trace_id}-${pay?.span_id}-1`)
    expect(asked[1]?.headers.get('x-own')).toBe('kept')
  })

  it('T95 no header goes to a foreign origin by default; a list of strings and patterns says otherwise', async () => {
    const urls = [`${ORIGIN}/api`, 'https://api.example/v1', 'https://pay.example/v1', 'https://cdn.example/x']
    const traced = async (options: Firsthand.BrowserOptions): Promise<boolean[]> => {
      start(options)
      for (const url of urls) await fetch(url)
      const found = asked.map(({ headers }) => headers.has('sentry-trace') && headers.has('baggage'))
      await closeTestPage()
      return found
    }
    expect(await traced({})).toEqual([true, false, false, false])
    expect(await traced({ tracePropagationTargets: ['api.example', /^https:\/\/pay\./] })).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  it('T95 an address is read as the browser reads it: against the base of the document', async () => {
    start({}, openTestPage({}, { base: 'https://elsewhere.example/app/' }))
    await fetch('api/basket')
    await fetch('/api/basket')
    await fetch(`${ORIGIN}/api/basket`)
    expect(asked.map(({ headers }) => headers.has('sentry-trace'))).toEqual([false, false, true])
  })

  it('T96 headers that somebody else has set stay as they are', async () => {
    start()
    await fetch(`${ORIGIN}/api`, { headers: { 'sentry-trace': `${TRACE}-${SPAN}-1`, baggage: 'own=1' } })
    expect(asked[0]?.headers.get('sentry-trace')).toBe(`${TRACE}-${SPAN}-1`)
    expect(asked[0]?.headers.get('baggage')).toBe('own=1')
  })

  it('T97 traceparent goes along only when it is asked for', async () => {
    start()
    await fetch(`${ORIGIN}/api`)
    expect(asked[0]?.headers.has('traceparent')).toBe(false)
    await closeTestPage()
    start({ propagateTraceparent: true })
    await fetch(`${ORIGIN}/api`)
    expect(asked[0]?.headers.get('traceparent')).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/)
  })

  it('that fail, and those that are called off, say so; what they throw is the page’s', async () => {
    const page = start()
    answer = async () => new Response('', { status: 404 })
    await fetch(`${ORIGIN}/gone`)
    answer = () => Promise.reject(new DOMException('called off', 'AbortError'))
    await expect(fetch(`${ORIGIN}/off`)).rejects.toThrow('called off')
    answer = () => Promise.reject(new TypeError('no network'))
    await expect(fetch(`${ORIGIN}/down`)).rejects.toThrow('no network')
    await settle()
    expect(
      byOp(page, 'http.client').map((span) => [
        span.status,
        valueOf(span, 'http.response.status_code'),
        valueOf(span, 'sentry.status.message'),
      ]),
    ).toEqual([
      ['error', 404, undefined],
      ['error', undefined, 'cancelled'],
      ['error', undefined, 'internal_error'],
    ])
  })

  it('of the SDK itself are neither spans nor given headers', async () => {
    const page = start({ tunnel: '/tunnel' })
    await fetch('/tunnel?x=1', { method: 'POST' })
    await fetch('https://firsthand.example/api/42/envelope/?sentry_key=abc', { method: 'POST' })
    await settle()
    expect(byOp(page, 'http.client')).toEqual([])
    expect(asked.some(({ headers }) => headers.has('sentry-trace'))).toBe(false)
  })

  it('that the site leaves out have no span, and their headers all the same', async () => {
    const page = start({ tracing: { shouldCreateSpanForRequest: (url) => !url.includes('/health') } })
    await fetch(`${ORIGIN}/health`)
    await settle()
    expect(byOp(page, 'http.client')).toEqual([])
    expect(asked[0]?.headers.get('sentry-trace')).toContain(byOp(page, 'pageload')[0]?.span_id)
  })
})

describe('sampling', () => {
  it('goes on with what the page’s server has decided', async () => {
    const meta = { 'sentry-trace': `${TRACE}-${SPAN}-1`, baggage: 'sentry-sample_rate=0.25,sentry-sample_rand=0.1' }
    const page = start({ tracesSampleRate: 0 }, openTestPage(meta))
    await settle()
    const [root] = page.spans()
    expect(root).toMatchObject({ trace_id: TRACE, parent_span_id: SPAN, is_segment: true })
    expect(page.sent[0]?.[0]['trace']).toMatchObject({ trace_id: TRACE, sample_rate: '0.25' })
    await closeTestPage()

    const refused = start({}, openTestPage({ ...meta, 'sentry-trace': `${TRACE}-${SPAN}-0` }))
    await fetch(`${ORIGIN}/api`)
    await settle()
    expect(refused.sent).toEqual([])
    expect(asked[0]?.headers.get('sentry-trace')).toMatch(new RegExp(`^${TRACE}-[\\da-f]{16}-0$`))
  })

  const fails = (): number => {
    throw new Error('no idea')
  }
  it.each<[string, Firsthand.BrowserOptions, number]>([
    ['a rate', { tracesSampleRate: 0.3 }, 0.3],
    ['a sampler', { tracesSampleRate: 1, tracesSampler: () => 0.3 }, 0.3],
    ['a sampler that says no', { tracesSampler: () => false }, 0],
    ['a sampler that says yes', { tracesSampler: () => true }, 1],
    ['a sampler that fails', { tracesSampler: fails }, 0],
    ['what is no rate', { tracesSampleRate: 7 }, 0],
  ])('by %s', async (_, options, rate) => {
    for (const drawn of [0, 0.29, 0.31, 0.999]) {
      vi.spyOn(Math, 'random').mockReturnValue(drawn)
      const page = start(options)
      vi.mocked(Math.random).mockRestore()
      await settle()
      expect([drawn, page.spans().length]).toEqual([drawn, drawn < rate ? 1 : 0])
      await closeTestPage()
    }
  })

  it('T101 with a rate of 0, errors carry the trace, and nothing else is sent', async () => {
    const page = start({ tracesSampleRate: 0 })
    await fetch(`${ORIGIN}/api`)
    startInactiveSpan({ name: 'work' }).end()
    Firsthand.captureException(new Error('broken'))
    await settle()
    page.document.visibilityState = 'hidden'
    page.tell('visibilitychange')
    await vi.advanceTimersByTimeAsync(0)
    expect(page.sent).toHaveLength(1)
    const [trace] = page.items('event').map((event) => (event['contexts'] as Record<string, object>)['trace'])
    const [id, span] = asked[0]?.headers.get('sentry-trace')?.split('-') ?? []
    expect(trace).toMatchObject({ trace_id: id })
    expect(span).toMatch(/^[\da-f]{16}$/)
    expect(asked[0]?.headers.get('sentry-trace')).toMatch(/-0$/)
  })

  it('without a rate nobody has decided: headers without a decision, and no span', async () => {
    const page = start({ tracesSampleRate: undefined })
    await fetch(`${ORIGIN}/api`)
    await settle()
    expect(asked[0]?.headers.get('sentry-trace')).toMatch(/^[\da-f]{32}-[\da-f]{16}$/)
    expect(page.sent).toEqual([])
  })

  it('a phone is no crawler', async () => {
    const page = start({}, openTestPage({}, { userAgent: 'Mozilla/5.0 (Linux; Android 14; CUBOT P80) Chrome/150' }))
    await settle()
    expect(byOp(page, 'pageload')).toHaveLength(1)
  })

  it('crawlers are left alone', async () => {
    for (const name of ['Googlebot/2.1', 'bingbot/2.0', 'facebookexternalhit/1.1', 'Baiduspider/2.0']) {
      const page = start({}, openTestPage({}, { userAgent: `Mozilla/5.0 (compatible; ${name})` }))
      await fetch(`${ORIGIN}/api`)
      await settle()
      expect([name, page.sent.length, asked[0]?.headers.has('sentry-trace')]).toEqual([name, 0, false])
      await closeTestPage()
    }
  })
})

describe('spans of the site', () => {
  it('nest, end with their work, and fail with it; errors know in which they were', async () => {
    const page = start()
    startSpan({ name: 'outer', op: 'task' }, () => {
      startSpan({ name: 'inner' }, () => Firsthand.captureException(new Error('in there')))
    })
    expect(() =>
      startSpan({ name: 'thrown' }, () => {
        throw new RangeError('as it was')
      }),
    ).toThrow(RangeError)
    const later = startSpan({ name: 'promised' }, async () => {
      await new Promise((resolve) => {
        setTimeout(resolve, 500)
      })
      return 7
    })
    const refused = startSpan({ name: 'refused' }, () => Promise.reject(new Error('refused'))).catch(String)
    await settle()
    expect(await later).toBe(7)
    expect(await refused).toBe('Error: refused')
    const named = (name: string) => page.spans().find((span) => span.name === name)
    expect(named('inner')?.parent_span_id).toBe(named('outer')?.span_id)
    expect(named('thrown')?.status).toBe('error')
    expect(named('refused')?.status).toBe('error')
    const promised = named('promised')
    expect((promised?.end_timestamp ?? 0) - (promised?.start_timestamp ?? 0)).toBeCloseTo(0.5, 2)
    const [event] = page.items('event')
    expect(event?.['contexts']).toMatchObject({
      trace: { trace_id: named('inner')?.trace_id, span_id: named('inner')?.span_id },
    })
  })

  it('work without tracing as well', async () => {
    expect(startSpan({ name: 'none' }, (span) => span.setAttribute('a', 1).spanId)).toBe('')
    startInactiveSpan({ name: 'none' }).end()
    reportPageLoaded()
    setRoute('/x')
    expect(getTraceData()).toEqual({})
  })

  it('go through beforeSendSpan, which may change and drop them', async () => {
    const page = start({
      beforeSendSpan: (span) => {
        if (span.name === 'secret') return null
        if (span.name === 'fails') throw new Error('about to remove something')
        return { ...span, name: span.name.replace('7', '*') }
      },
    })
    for (const name of ['secret', 'fails', 'order 7']) startInactiveSpan({ name }).end()
    await settle()
    expect(page.spans().map(({ name }) => name)).toEqual(['/start', 'order *'])
  })

  it('T101 errors of a navigation are in its trace, also those that a copied scope reports', async () => {
    const page = start()
    Firsthand.withScope((scope) => {
      page.tell('click')
      page.go('/next')
      scope.setTag('a', 'b')
      Firsthand.captureException(new Error('in the copy'))
    })
    await settle()
    const [event] = page.items('event')
    const [navigation] = byOp(page, 'navigation')
    expect(event?.['contexts']).toMatchObject({
      trace: { trace_id: navigation?.trace_id, span_id: navigation?.span_id },
    })
  })
})

describe('bounds', () => {
  it('1000 spans of a trace, besides the page view; the rest is counted', async () => {
    const page = start()
    for (let index = 0; index < 1100; index += 1) startInactiveSpan({ name: `span ${index}` }).end()
    await settle()
    expect(page.spans()).toHaveLength(1001)
    expect(byOp(page, 'pageload')).toHaveLength(1)
    await Promise.all([Firsthand.flush(), vi.advanceTimersByTimeAsync(0)])
    expect(page.items('client_report').flatMap((report) => report['discarded_events'])).toContainEqual({
      reason: 'buffer_overflow',
      category: 'span',
      quantity: 100,
    })
  })

  it('no envelope is larger than what a browser still sends for a page that goes away', async () => {
    const page = start()
    for (let index = 0; index < 300; index += 1)
      startInactiveSpan({ name: 'ä'.repeat(200), attributes: { note: '😀'.repeat(150) } }).end()
    await settle()
    expect(page.spans()).toHaveLength(301)
    for (const envelope of page.sent)
      expect(new TextEncoder().encode(JSON.stringify(envelope)).length).toBeLessThan(64 * 1024)
  })

  it('text of an attribute is cut, and what is no attribute is left out', async () => {
    const page = start()
    startInactiveSpan({
      name: 'odd',
      attributes: { long: 'x'.repeat(9999), none: undefined, wrong: NaN, list: ['a', 'b'] },
    }).end()
    await settle()
    const odd = page.spans().find(({ name }) => name === 'odd')
    expect(String(valueOf(odd, 'long')).length).toBe(4096)
    expect(valueOf(odd, 'list')).toEqual(['a', 'b'])
    expect(Object.keys(odd?.attributes ?? {})).not.toContain('none')
    expect(Object.keys(odd?.attributes ?? {})).not.toContain('wrong')
  })
})

const noMeasurements = (): void => {
  const timeOrigin = Date.now()
  vi.stubGlobal('performance', { now: () => Date.now() - timeOrigin, timeOrigin })
}

describe('T102 what a browser does not have', () => {
  it.each([
    ['no PerformanceObserver', () => vi.stubGlobal('PerformanceObserver', undefined)],
    [
      'one that is blocked',
      () =>
        vi.stubGlobal(
          'PerformanceObserver',
          class {
            static readonly supportedEntryTypes = ['longtask', 'event', 'largest-contentful-paint', 'layout-shift']
            constructor() {
              throw new Error('blocked')
            }
          },
        ),
    ],
    [
      'one without a list of what it knows',
      () =>
        vi.stubGlobal(
          'PerformanceObserver',
          class {
            observe(): void {
              throw new TypeError('no such type')
            }
          },
        ),
    ],
    ['no measurements', noMeasurements],
    ['no XMLHttpRequest, no History', () => vi.stubGlobal('History', undefined)],
  ])('%s: nothing is thrown, and the page load is reported', async (_, take) => {
    const page = openTestPage()
    take()
    start({}, page)
    await fetch(`${ORIGIN}/api`)
    await settle()
    page.tell('pagehide')
    await vi.advanceTimersByTimeAsync(0)
    expect(byOp(page, 'pageload')).toHaveLength(1)
    expect(byOp(page, 'http.client')).toHaveLength(1)
  })
})
