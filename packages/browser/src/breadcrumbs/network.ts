import { addBreadcrumb } from '../api.ts'
import { guard, isObject, text } from '../guard.ts'
import { wrap } from '../wrap.ts'
import type { SeverityLevel } from '../types.ts'

type Undo = () => void

interface Call {
  readonly method: string
  readonly url: string
  readonly startTimestamp: number
}

/** Our own requests, as addresses that theirs begin with. */
export type IsOwn = (url: string) => boolean

const levelOf = (status: number): SeverityLevel | undefined =>
  status >= 500 ? 'error' : status >= 400 ? 'warning' : undefined

const note = (category: string, call: Call, status: number | undefined, hint: Record<string, unknown>): void => {
  const level = status === undefined ? 'error' : levelOf(status)
  addBreadcrumb(
    {
      type: 'http',
      category,
      data: { method: call.method, url: call.url, ...(status ? { status_code: status } : {}) },
      ...(level && { level }),
    },
    { ...hint, startTimestamp: call.startTimestamp, endTimestamp: Date.now() },
  )
}

const callOf = (url: unknown, method: unknown): Call => ({
  url: text(url, 2048),
  method: text(method || 'GET', 16).toUpperCase(),
  startTimestamp: Date.now(),
})

export const watchFetch = (isOwn: IsOwn): Undo =>
  wrap(globalThis, 'fetch', (call, _, given) => {
    const said = guard(() => {
      const [input, init] = given
      const request = isObject(input) && 'url' in input ? input : undefined
      return callOf(request?.['url'] ?? input, (isObject(init) && init['method']) || request?.['method'])
    })
    const result = call()
    if (said === undefined || isOwn(said.url)) return result
    return guard(
      () =>
        // The promise behind ours: a listener beside the caller's would make a failure that nobody looks after a handled one,
        // and it would be reported by nobody.
        (result as Promise<Response>).then(
          (response) => {
            guard(() => note('fetch', said, response.status, { input: given, response }))
            return response
          },
          (error: unknown) => {
            guard(() => note('fetch', said, undefined, { input: given, data: error }))
            throw error
          },
        ),
      result,
    )
  })

export const watchXhr = (isOwn: IsOwn): Undo => {
  const holder = typeof XMLHttpRequest === 'undefined' ? undefined : XMLHttpRequest.prototype
  const calls = new WeakMap<object, Call>()
  const undo = [
    wrap(holder, 'open', (call, self, given) => {
      guard(() => calls.set(self as object, callOf(given[1], given[0])))
      return call()
    }),
    wrap(holder, 'send', (call, self, given) => {
      guard(() => {
        const xhr = self as XMLHttpRequest
        const said = calls.get(xhr)
        if (said === undefined || isOwn(said.url)) return
        xhr.addEventListener(
          'loadend',
          () => guard(() => note('xhr', said, xhr.status || undefined, { xhr, input: given[0] })),
          { once: true },
        )
      })
      return call()
    }),
  ]
  return () => undo.forEach((one) => one())
}
