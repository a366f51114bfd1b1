import type { Breadcrumb, BreadcrumbHint } from '@firsthand/browser'
import { guard, isObject, matches, text, wrap } from '@firsthand/browser/parts'
import { span } from '../events.ts'
import type { Settings } from '../options.ts'
import { createBodies, readRequestBody, readResponse, readXhr, sizeOfBody, type Read } from './bodies.ts'
import type { Note } from './sink.ts'

const MAX_HEADER = 1000

type Told = Readonly<Record<string, string>>

interface Side {
  readonly headers: Told
  readonly size?: number | undefined
  readonly body?: unknown
  readonly _meta?: { readonly warnings: readonly string[] }
}

export interface Network {
  take(crumb: Breadcrumb, hint: BreadcrumbHint): void
  /** Another segment begins. */
  renew(): void
  stop(): void
}

/** Of a request that nobody has allowed to look into. */
const skipped = (size: number | undefined): Side => ({ headers: {}, size, _meta: { warnings: ['URL_SKIPPED'] } })

const allowed = (names: readonly string[], get: (name: string) => string | null | undefined): Told =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = get(name)
      return value ? [[name, text(value, MAX_HEADER)]] : []
    }),
  )

const lengthOf = (header: string | null | undefined): number | undefined => {
  const length = Number.parseInt(header ?? '')
  return length >= 0 ? length : undefined
}

const tellRequest = (
  note: Note,
  type: string,
  { crumb, hint, request, response }: { crumb: Breadcrumb; hint: BreadcrumbHint; request: Side; response: Side },
): void => {
  const { url, method, status_code: statusCode = 0 } = crumb.data ?? {}
  const { startTimestamp, endTimestamp } = hint as { startTimestamp?: number; endTimestamp?: number }
  const end = endTimestamp ?? Date.now()
  note(span(`resource.${type}`, text(url, 2048), startTimestamp ?? end, end, { method, statusCode, request, response }))
}

/** Requests of the page as spans; their headers and bodies only where an address is allowed. */
export const watchNetwork = (settings: Settings, note: Note): Network => {
  const { detailAllowed, detailDenied, hasBodies, requestHeaders, responseHeaders } = settings
  const bodies = createBodies()
  const sent = new WeakMap<object, Map<string, string>>()
  const isAllowed = (url: string): boolean => {
    if (detailAllowed.length === 0) return false
    const { href } = new URL(url, document.baseURI)
    return matches(href, detailAllowed) && !matches(href, detailDenied)
  }
  const side = (headers: Told, size: number | undefined, read: Read): Side => {
    const { body, warnings } = hasBodies ? bodies.keep(read) : { warnings: [] }
    return {
      headers,
      size,
      ...(body !== undefined && { body }),
      ...(warnings.length > 0 && { _meta: { warnings } }),
    }
  }

  const tell = (type: string, crumb: Breadcrumb, hint: BreadcrumbHint, request: Side, response: Side): void =>
    tellRequest(note, type, { crumb, hint, request, response })

  const takeFetch = (crumb: Breadcrumb, hint: BreadcrumbHint, isOpen: boolean): void => {
    const [input, init] = (hint['input'] ?? []) as [unknown, RequestInit | undefined]
    const response = hint['response'] as Response | undefined
    const body = isObject(init) ? init.body : undefined
    const requestSize = sizeOfBody(body)
    const size = lengthOf(response?.headers.get('content-length'))
    if (!isOpen) return tell('fetch', crumb, hint, skipped(requestSize), skipped(size))
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
    const asked = (): Side => {
      const isHidden = body === undefined && input instanceof Request && input.body !== null
      const read = isHidden ? { warning: 'UNPARSEABLE_BODY_TYPE' } : readRequestBody(body)
      return side(
        allowed(requestHeaders, (name) => headers.get(name)),
        requestSize,
        read,
      )
    }
    const answered = (read: Read): Side =>
      side(
        allowed(responseHeaders, (name) => response?.headers.get(name)),
        size ?? sizeOfBody(read.text),
        read,
      )
    // Taken before the page can read it.
    const copy = hasBodies && response && !response.bodyUsed ? guard(() => response.clone()) : undefined
    if (!copy) return tell('fetch', crumb, hint, asked(), answered({}))
    const ended = { endTimestamp: Date.now(), ...hint }
    void readResponse(copy).then((read) => guard(() => tell('fetch', crumb, ended, asked(), answered(read))))
  }

  const takeXhr = (crumb: Breadcrumb, hint: BreadcrumbHint, isOpen: boolean): void => {
    const xhr = hint['xhr'] as XMLHttpRequest
    const requestSize = sizeOfBody(hint['input'])
    const size = lengthOf(guard(() => xhr.getResponseHeader('content-length')))
    if (!isOpen) return tell('xhr', crumb, hint, skipped(requestSize), skipped(size))
    const read: Read = hasBodies ? guard(() => readXhr(xhr), { warning: 'BODY_PARSE_ERROR' }) : {}
    const request = side(
      allowed(requestHeaders, (name) => sent.get(xhr)?.get(name)),
      requestSize,
      readRequestBody(hint['input']),
    )
    const response = side(
      allowed(responseHeaders, (name) => xhr.getResponseHeader(name)),
      size ?? sizeOfBody(read.text),
      read,
    )
    tell('xhr', crumb, hint, request, response)
  }

  // Only where somebody wants to know them.
  const stop =
    detailAllowed.length > 0
      ? wrap(
          guard(() => XMLHttpRequest.prototype),
          'setRequestHeader',
          (call, self, [name, value]) => {
            guard(() => {
              const known = sent.get(self as object) ?? new Map<string, string>()
              known.set(text(name).toLowerCase(), text(value, MAX_HEADER))
              sent.set(self as object, known)
            })
            return call()
          },
        )
      : () => undefined

  return {
    take: (crumb, hint) => {
      const isOpen = guard(() => isAllowed(text(crumb.data?.['url'])), false)
      if (crumb.category === 'fetch') takeFetch(crumb, hint, isOpen)
      else if (hint['xhr']) takeXhr(crumb, hint, isOpen)
    },
    renew: bodies.renew,
    stop,
  }
}
