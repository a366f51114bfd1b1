import { z } from './zod.ts'
import { API_PREFIX } from './endpoint.ts'
import type { Answer, BodyInput, Endpoint, Params, ParamNames, QueryInput } from './endpoint.ts'
import { parseLinkHeader } from './page.ts'
import type { PageLinks } from './page.ts'

export interface ClientOptions {
  /** Origin (and path prefix) of the server, e.g. `https://firsthand.example.com`; '' for the page's own origin. */
  readonly baseUrl: string
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Asked before every call, e.g. for `Authorization` or `X-CSRF-Token`. */
  readonly headers?: () => Record<string, string>
}

type ParamsPart<E extends Endpoint> = [ParamNames<E['path']>] extends [never]
  ? { readonly params?: undefined }
  : { readonly params: Params<E['path']> }
type QueryPart<E extends Endpoint> = E['query'] extends undefined
  ? { readonly query?: undefined }
  : Partial<QueryInput<E>> extends QueryInput<E>
    ? { readonly query?: QueryInput<E> | undefined }
    : { readonly query: QueryInput<E> }
type BodyPart<E extends Endpoint> = E['body'] extends undefined
  ? { readonly body?: undefined }
  : { readonly body: BodyInput<E> }

export type CallInput<E extends Endpoint> = ParamsPart<E> &
  QueryPart<E> &
  BodyPart<E> & { readonly signal?: AbortSignal | undefined }

/** The input may be left out when nothing in it is required. */
export type CallArguments<E extends Endpoint> =
  Partial<CallInput<E>> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]

export interface Page<Data> extends PageLinks {
  readonly data: Data
  /** `X-Hits`: how many there are in all, when the server counted. */
  readonly hits: number | null
}

export interface Client {
  /** @throws ApiError; and what `fetch` throws when there is no answer (`TypeError`, `AbortError`) */
  call<E extends Endpoint>(endpoint: E, ...input: CallArguments<E>): Promise<Answer<E>>
  /** Like `call`, with the cursors of the neighbouring pages. */
  page<E extends Endpoint>(endpoint: E, ...input: CallArguments<E>): Promise<Page<Answer<E>>>
  /** The absolute (or origin-relative) address of a call, e.g. for `EventSource` or a download link. */
  url<E extends Endpoint>(endpoint: E, input: { params?: Record<string, string>; query?: QueryInput<E> }): string
}

/** An answer that is not a success, or that does not have the agreed shape. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly detail: string
  /** Finds the event in the server's own log. */
  readonly digest: string | undefined
  /** What is wrong with which field of the body or the query, in words for a person. */
  readonly fields: Readonly<Record<string, string>> | undefined
  /** Seconds, when the server said so. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    detail: string,
    more: {
      digest?: string | undefined
      fields?: Readonly<Record<string, string>> | undefined
      retryAfter?: number | undefined
      cause?: unknown
    } = {},
  ) {
    super(detail, { cause: more.cause })
    this.status = status
    this.detail = detail
    this.digest = more.digest
    this.fields = more.fields
    this.retryAfter = more.retryAfter
  }
}

const errorBody = z.object({
  detail: z.string(),
  digest: z.string().optional(),
  fields: z.record(z.string(), z.string()).optional(),
})

interface LooseInput {
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly query?: object | undefined
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/** Path with its parameters filled in, and the query; lists become repeated keys, `undefined` and `null` disappear. */
export const formatPath = (
  path: string,
  params: Readonly<Record<string, string>> = {},
  query: object | undefined = undefined,
): string => {
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === '') throw new TypeError(`The path ${path} needs the parameter "${name}".`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    for (const entry of Array.isArray(value) ? value : [value]) {
      if (entry !== undefined && entry !== null) search.append(key, String(entry))
    }
  }
  const text = search.toString()
  return `${API_PREFIX}${filled}${text === '' ? '' : `?${text}`}`
}

const readError = async (response: Response): Promise<ApiError> => {
  // A proxy answers in HTML: the status alone then says what happened.
  const body = errorBody.safeParse(await response.json().catch(() => null))
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiError(
    response.status,
    body.success ? body.data.detail : `The server answered ${response.status} without an explanation.`,
    {
      digest: body.data?.digest,
      fields: body.data?.fields,
      retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
    },
  )
}

export const createClient = (options: ClientOptions): Client => {
  const send = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init))
  const base = options.baseUrl.replace(/\/+$/, '')

  const request = async (endpoint: Endpoint, input: LooseInput): Promise<{ data: unknown; response: Response }> => {
    const headers: Record<string, string> = { accept: 'application/json', ...options.headers?.() }
    const init: RequestInit = { method: endpoint.method, headers, credentials: 'same-origin' }
    if (input.signal !== undefined) init.signal = input.signal
    if (input.body !== undefined) {
      headers['content-type'] = 'application/json'
      init.body = JSON.stringify(input.body)
    }
    const response = await send(base + formatPath(endpoint.path, input.params, input.query), init)
    if (!response.ok) throw await readError(response)
    const text = await response.text()
    let json: unknown = null
    try {
      json = text === '' ? null : JSON.parse(text)
    } catch (cause) {
      throw new ApiError(response.status, 'The server answered with something that is not JSON.', { cause })
    }
    const parsed = endpoint.ok.safeParse(json)
    if (!parsed.success) {
      const problems = z.prettifyError(parsed.error)
      throw new ApiError(response.status, `The server's answer does not have the agreed shape: ${problems}`, {
        cause: parsed.error,
      })
    }
    return { data: parsed.data, response }
  }

  return {
    async call(endpoint, ...[input]) {
      const { data } = await request(endpoint, input ?? {})
      return data as Answer<typeof endpoint>
    },
    async page(endpoint, ...[input]) {
      const { data, response } = await request(endpoint, input ?? {})
      const hits = response.headers.get('x-hits')
      return {
        data: data as Answer<typeof endpoint>,
        hits: hits === null ? null : Number(hits),
        ...parseLinkHeader(response.headers.get('link')),
      }
    },
    url: (endpoint, input) => base + formatPath(endpoint.path, input.params, input.query),
  }
}
