import { maskUrl } from './masking.ts'
import type { Line } from './ring.ts'
import { quietly, wrap } from './wrap.ts'

/** Methods are words. */
const METHOD_CHARS = 16

interface Call {
  readonly method: string
  readonly url: string
  readonly startedAt: number
}

type Add = (line: Line) => void
/** The widget's own requests. */
type IsOwn = (url: string) => boolean

const callOf = (url: unknown, method: unknown): Call => ({
  url: new URL(String(url), location.href).href,
  method: (typeof method === 'string' && method !== '' ? method : 'GET').slice(0, METHOD_CHARS).toUpperCase(),
  startedAt: Date.now(),
})

/** @param status 0 when there was no answer */
const lineOf = (category: 'fetch' | 'xhr', { method, url, startedAt }: Call, status: number): Line => ({
  timestamp: Date.now() / 1000,
  type: 'http',
  category,
  ...((status === 0 || status >= 400) && { level: status === 0 || status >= 500 ? 'error' : 'warning' }),
  data: {
    method,
    url: maskUrl(url),
    ...(status > 0 && { status_code: status }),
    duration_ms: Date.now() - startedAt,
  },
})

export const watchFetch = (add: Add, isOwn: IsOwn): (() => void) =>
  wrap(globalThis, 'fetch', (call, _, [input, init]) => {
    let said: Call | undefined
    quietly(() => {
      const request = input instanceof Request ? input : undefined
      said = callOf(request?.url ?? input, (init as RequestInit | undefined)?.method ?? request?.method)
    })
    const result = call()
    const told = said
    if (told === undefined || isOwn(told.url) || !(result instanceof Promise)) return result
    // The promise behind ours: a listener beside the page's would make a failure that nobody looks after a handled one.
    return result.then(
      (response: Response) => {
        add(lineOf('fetch', told, response.status))
        return response
      },
      (error: unknown) => {
        add(lineOf('fetch', told, 0))
        throw error
      },
    )
  })

export const watchXhr = (add: Add, isOwn: IsOwn): (() => void) => {
  const calls = new WeakMap<object, Call>()
  const undo = [
    wrap(XMLHttpRequest.prototype, 'open', (call, self, [method, url]) => {
      quietly(() => calls.set(self as object, callOf(url, method)))
      return call()
    }),
    wrap(XMLHttpRequest.prototype, 'send', (call, self) => {
      const xhr = self as XMLHttpRequest
      const told = calls.get(xhr)
      if (told !== undefined && !isOwn(told.url)) {
        const sent = { ...told, startedAt: Date.now() }
        quietly(() => xhr.addEventListener('loadend', () => add(lineOf('xhr', sent, xhr.status)), { once: true }))
      }
      return call()
    }),
  ]
  return () => undo.forEach((back) => back())
}
