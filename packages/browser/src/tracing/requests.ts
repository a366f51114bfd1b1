import { wrap } from '../wrap.ts'
import { guard, isObject, text } from '../guard.ts'
import { ownRequests } from '../own-requests.ts'
import { secondsAt } from './clock.ts'
import { fittingBaggage, isTarget } from './headers.ts'
import type { Tracer } from './tracer.ts'
import type { Span, TracingOptions } from './types.ts'

/** What the browser has measured of a request comes a little after its answer. */
const TIMING_MS = 300
/** Times of the browser's measurements are rounded. */
const ROUNDING_S = 0.002

interface Call {
  readonly url: string
  readonly span: Span | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** Sizes and protocol of what was loaded, as Sentry's SDKs call them. */
export const loaded = ({
  transferSize,
  encodedBodySize,
  decodedBodySize,
  nextHopProtocol,
}: PerformanceResourceTiming) => ({
  'http.response.size': transferSize,
  'http.response.body.size': encodedBodySize,
  'http.response.body.decoded_size': decodedBodySize,
  // Of `http/1.1`, `h2` or `h3`.
  'network.protocol.version': /[\d.]+$/.exec(nextHopProtocol)?.[0],
})

interface Calls {
  /** Undefined: it is none of the page's. */
  begin(given: unknown, method: unknown): Call | undefined
  /** @param status 0 without an answer */
  end(call: Call, status: number, problem?: string): void
}

const createCalls = (tracer: Tracer, { shouldCreateSpanForRequest }: TracingOptions): Calls => {
  const { client } = tracer
  const isOwn = ownRequests(client)

  const begin = (given: unknown, method: unknown): Call | undefined => {
    const parsed = new URL(text(given), document.baseURI)
    parsed.username = ''
    parsed.password = ''
    const { href: url, hostname, host } = parsed
    if (isOwn(url)) return undefined
    const verb = text(method || 'GET', 16).toUpperCase()
    const isWanted = guard(() => shouldCreateSpanForRequest?.(url) !== false, true)
    const attributes = {
      'sentry.origin': 'auto.http.browser',
      'url.full': url,
      'http.request.method': verb,
      'server.address': host,
    }
    // Before there is a page view, nobody sees the page.
    const span =
      isWanted && tracer.root ? tracer.start({ name: `${verb} ${hostname}`, op: 'http.client', attributes }) : undefined
    const { tracePropagationTargets } = client.getOptions()
    return { url, span, headers: isTarget(url, location.origin, tracePropagationTargets) ? tracer.headers(span) : {} }
  }

  const end = ({ span, url }: Call, status: number, problem?: string): void => {
    if (!span) return
    const own = span as Span & { start: number; ended: number | undefined }
    if (status) span.setAttribute('http.response.status_code', status)
    if (problem || status >= 400) span.setStatus({ code: 2, message: problem })
    span.end()
    // It has ended; what the browser knows better goes in while it waits to be sent.
    setTimeout(
      () =>
        guard(() => {
          const entry = (performance.getEntriesByName(url, 'resource') as PerformanceResourceTiming[]).find(
            ({ startTime }) => secondsAt(startTime) >= own.start - ROUNDING_S,
          )
          if (!entry) return
          span.setAttributes(loaded(entry))
          own.ended = Math.max(own.start, secondsAt(entry.responseEnd))
        }),
      TIMING_MS,
    )
  }
  return { begin, end }
}

/** What goes along besides what the page says itself; nothing where somebody else has said where the request belongs. */
const additions = ({ headers }: Call, existing: (name: string) => string | null | undefined): [string, string][] =>
  existing('sentry-trace')
    ? []
    : Object.entries(headers).flatMap(([name, value]): [string, string][] => {
        const before = existing(name) ?? ''
        const added = name === 'baggage' ? fittingBaggage(before, value) : before ? '' : value
        return added ? [[name, added]] : []
      })

const watchFetch = ({ begin, end }: Calls): (() => void) =>
  wrap(globalThis, 'fetch', (call, _, given) => {
    const made = guard(() => {
      const [input, init] = given as [unknown, RequestInit | undefined]
      const request = isObject(input) && 'url' in input ? (input as unknown as Request) : undefined
      const said = begin(request?.url ?? input, init?.method ?? request?.method)
      if (!said) return undefined
      guard(() => {
        const headers = new Headers(init?.headers ?? request?.headers)
        const added = additions(said, (name) => headers.get(name))
        for (const [name, value] of added) headers.append(name, value)
        if (added.length > 0) given[1] = { ...init, headers }
      })
      return said
    })
    const result = call()
    if (!made) return result
    return guard(
      () =>
        // The promise behind ours, as in the breadcrumbs: a failure that nobody looks after must stay one.
        (result as Promise<Response>).then(
          (response) => {
            guard(() => end(made, response.status))
            return response
          },
          (error: unknown) => {
            guard(() =>
              end(made, 0, isObject(error) && error['name'] === 'AbortError' ? 'cancelled' : 'internal_error'),
            )
            throw error
          },
        ),
      result,
    )
  })

const watchXhr = ({ begin, end }: Calls): (() => void)[] => {
  const holder = typeof XMLHttpRequest === 'undefined' ? undefined : XMLHttpRequest.prototype
  const opened = new WeakMap<object, { url: unknown; method: unknown; headers: Record<string, string> }>()
  return [
    wrap(holder, 'open', (call, self, [method, url]) => {
      guard(() => opened.set(self as object, { url, method, headers: {} }))
      return call()
    }),
    wrap(holder, 'setRequestHeader', (call, self, [name, value]) => {
      guard(() => {
        const headers = opened.get(self as object)?.headers
        const key = text(name).toLowerCase()
        if (headers) headers[key] = headers[key] ? `${headers[key]}, ${text(value)}` : text(value)
      })
      return call()
    }),
    wrap(holder, 'send', (call, self) => {
      guard(() => {
        const xhr = self as XMLHttpRequest
        const known = opened.get(xhr)
        const made = known && begin(known.url, known.method)
        if (!made) return
        let problem = 'internal_error'
        xhr.addEventListener('abort', () => (problem = 'cancelled'), { once: true })
        xhr.addEventListener('loadend', () => guard(() => end(made, xhr.status, xhr.status ? undefined : problem)), {
          once: true,
        })
        for (const [name, value] of additions(made, (header) => known.headers[header]))
          xhr.setRequestHeader(name, value)
      })
      return call()
    }),
  ]
}

/** Spans for the requests of the page, and headers that let the spans of its servers be part of the same trace. */
export const watchRequests = (tracer: Tracer, options: TracingOptions): (() => void) => {
  const calls = createCalls(tracer, options)
  const undo = [watchFetch(calls), ...watchXhr(calls)]
  return () => undo.forEach((one) => one())
}
