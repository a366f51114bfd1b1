/**
 * Traces of pages. `tracer.ts` holds the page view and its spans, `views.ts` begins views and `idle.ts` ends them; requests,
 * vitals, blocked frames and the browser's own measurements tell it what happens; `headers.ts` is what goes to servers.
 */
import { getClient } from '../api.ts'
import type { Client } from '../client.ts'
import { guard, isThenable } from '../guard.ts'
import type { RouterListener } from '../routers/tracing.ts'
import type { Integration } from '../types.ts'
import { addEntries } from './entries.ts'
import { watchBlocking, type Watch } from './observed.ts'
import { watchRequests } from './requests.ts'
import { createTracer, type Tracer } from './tracer.ts'
import type { Span, SpanOptions, TracingOptions } from './types.ts'
import { watchViews, type Views } from './views.ts'
import { watchVitals } from './vitals.ts'

export type { AttributeValue, Attributes, Span, SpanOptions, TracingOptions } from './types.ts'

/** They read pages and wait for nobody: what they see says nothing about visitors. Cubot makes phones. */
const CRAWLERS = /[^u]bot\b|Google-InspectionTool|Storebot|Slurp|facebookexternalhit|crawler|spider|Lighthouse/i

interface Tracing {
  readonly tracer: Tracer
  readonly views: Views
}

const tracings = new WeakMap<Client, Tracing>()
const current = (): Tracing | undefined => {
  const client = getClient()
  return client && tracings.get(client)
}

/** For routers: the page is on its way to this address. From then on the address itself is no longer looked at. */
export const startNavigation: RouterListener['startNavigation'] = (url, route) => current()?.views.navigate(url, route)

/** For routers: the route that is shown, with parameters and not with values: `/product/:id`. */
export const setRoute: RouterListener['setRoute'] = (route) => current()?.tracer.nameView(route)

/**
 * Page loads, navigations, requests, web vitals, blocked frames and slow clicks, as traces that go on in the page's servers.
 * `init({ dsn, tracesSampleRate: 0.2, integrations: [browserTracingIntegration()] })`
 */
export const browserTracingIntegration = (options: TracingOptions = {}): Integration & RouterListener => ({
  name: 'BrowserTracing',
  // How the helpers for routers find it, which are entries of their own.
  followRouter: () => current()?.views.follow(),
  startNavigation,
  setRoute,
  setup: (client) => {
    if (typeof addEventListener === 'undefined' || typeof document === 'undefined') return
    if (CRAWLERS.test(navigator.userAgent)) return
    const tracer = createTracer(client, options)
    const watch: Watch = { tracer, told: new Set() }
    addEntries(tracer)
    guard(() => watchVitals(watch))
    guard(() => watchBlocking(watch))
    tracer.onEnd.push(({ trace }) => {
      if (!trace.sampled || watch.attribution) return
      import('./attribution.ts').then(
        (attribution) => (watch.attribution = attribution),
        // The numbers go without it.
        () => undefined,
      )
    })
    client.on('close', watchRequests(tracer, options))
    client.on('close', () => tracings.delete(client))
    tracings.set(client, { tracer, views: watchViews(tracer, options) })
  },
})

/** Where nothing is traced. */
const NO_SPAN: Span = {
  traceId: '',
  spanId: '',
  setAttribute: () => NO_SPAN,
  setAttributes: () => NO_SPAN,
  updateName: () => NO_SPAN,
  setStatus: () => NO_SPAN,
  end: () => undefined,
}

/** A span that is ended by whoever began it. */
export const startInactiveSpan = (options: SpanOptions): Span => current()?.tracer.start(options) ?? NO_SPAN

/**
 * A span around the work: it ends with it, also when that is a promise, and fails with it. Until the work first waits for
 * something, other spans and what is reported belong to it.
 */
export const startSpan = <Value>(options: SpanOptions, work: (span: Span) => Value): Value => {
  const tracing = current()
  if (!tracing) return work(NO_SPAN)
  const span = tracing.tracer.start(options)
  const fail = (error: unknown): never => {
    span.setStatus({ code: 2, message: 'internal_error' }).end()
    throw error
  }
  let result: Value
  try {
    result = tracing.tracer.runWith(span, () => work(span))
  } catch (error) {
    return fail(error)
  }
  if (isThenable(result)) {
    return result.then((value) => {
      span.end()
      return value
    }, fail) as Value
  }
  span.end()
  return result
}

/** `sentry-trace`, `baggage` and, if they are asked for, `traceparent`: for what is sent otherwise than by fetch and XHR. */
export const getTraceData = (span?: Span): Readonly<Record<string, string>> => current()?.tracer.headers(span) ?? {}

/** With `enableReportPageLoaded`: the page is there now. */
export const reportPageLoaded = (): void => current()?.tracer.endView('reportPageLoaded')
