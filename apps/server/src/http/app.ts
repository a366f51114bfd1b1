import { IncomingMessage } from 'node:http'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ENDPOINTS, API_PREFIX, formatLinkHeader, openapi, paramNames } from '@firsthand/contract'
import { Hono } from 'hono'
import type { Context } from 'hono'
import { LIMITS } from './limits.ts'
import { LIMITS as INGEST_LIMITS } from '../ingest/limits.ts'
import { onBehalfOf } from '../lib/caller-context.ts'
import type { Logger } from '../lib/logger.ts'
import { StatementRefusal } from '../lib/statement-refusal.ts'
import { StoreFault } from '../lib/store-fault.ts'
import { checkAccess, checkMembership, type AccessRequest } from './access.ts'
import type { Addressing } from './addressing.ts'
import type { BytesReply, Reply, Route } from './bind.ts'
import type { Authenticator } from './caller.ts'
import { piecesWithin, readRange } from './byte-range.ts'
import { createConsole } from './console.ts'
import { createFilesUnderWay, roomFor, type FilesUnderWay } from './files-under-way.ts'
import { explainRefusal, HttpError, notFound } from './errors.ts'
import { emptyListOf, notBuiltYet } from './not-built.ts'
import { readBody, readParams, readQuery } from './read-request.ts'
import { securityHeaders } from './security-headers.ts'
import { STILL_PAGE_PATH, stillPage } from './still-page.ts'
import { boundRequestTime } from './request-time.ts'
import { uploadOf } from './upload.ts'

const compress = promisify(gzip)
const LEVEL = { level: 4 }

const TOO_LONG_FOR_PAGES = new HttpError(
  414,
  'The address is too long for a list with pages, whose links repeat it. Ask with a shorter query.',
)

/** What @hono/node-server hands in with each request; absent under `app.request()`. */
interface NodeBindings {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string; readonly encrypted?: boolean } }
}

export type HttpApp = Hono<{ Bindings: NodeBindings }>
type HttpContext = Context<{ Bindings: NodeBindings }>

/** Something that is served beside the API and the console. */
export interface Page {
  readonly methods: readonly ('GET' | 'HEAD' | 'POST')[]
  /** Pattern of the router, without a final slash. */
  readonly path: string
  readonly handle: (request: Request) => Response | Promise<Response>
}

export interface HttpAppOptions {
  readonly routes: readonly Route[]
  /**
   * For older addresses: a path (below `/api/0`) that no route has → the path that is answered in its place, as if the
   * caller had asked for that one; null when there is none.
   */
  readonly resolve?: (path: string) => Promise<string | null>
  readonly authenticator: Authenticator
  readonly addressing: Addressing
  readonly logger: Logger
  readonly version: string
  /** What `/_health/` answers: 200 when ready, 503 otherwise. */
  readonly isReady: () => boolean
  /** True while nothing that is written would be found again: changes are answered 503. Default: never. */
  readonly isDataGone?: () => boolean
  /** Folder of the built console; it may not exist yet. */
  readonly consoleDir: string
  /** Addresses outside the API with answers of their own. */
  readonly pages?: readonly Page[]
  /**
   * The sentence for a failure of a store (`StoreFault`) that whoever threw it had no words for; null for anything else.
   */
  readonly explain?: (error: unknown) => StoreFault | null
  /** Called before anything is answered but the console's files; may throw, e.g. a `StoreFault`. */
  readonly assertUsable?: () => void
  /** Tests: an answer that does not have its endpoint's shape becomes a 500. */
  readonly checkAnswers?: boolean
}

/** The same failure has the same digest: frames behind an `await` depend on who was waiting and stay out. */
const digestOf = (error: unknown): string => {
  const frames =
    error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => !line.includes('at async ')) : []
  const text = error instanceof Error ? `${error.name}: ${error.message}\n${frames.join('\n')}` : String(error)
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** The whole chain of causes, for the log. */
const describe = (error: unknown, depth = 0): string => {
  if (!(error instanceof Error)) return String(error)
  const own = error.stack ?? `${error.name}: ${error.message}`
  return error.cause === undefined || depth > 4 ? own : `${own}\ncaused by ${describe(error.cause, depth + 1)}`
}

/** Where a request came from, and under which address it reached us. */
const addressOf = ({ addressing }: HttpAppOptions, c: HttpContext) =>
  addressing.resolve({
    remoteAddress: c.env?.incoming?.socket?.remoteAddress ?? null,
    secure: c.env?.incoming?.socket?.encrypted === true,
    header: (name) => c.req.header(name),
  })

const accessRequestOf = (options: HttpAppOptions, c: HttpContext): AccessRequest => ({
  method: c.req.method,
  publicUrl: addressOf(options, c).publicUrl,
  header: (name) => c.req.header(name),
})

const takesGzip = (c: HttpContext): boolean => /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')

type Sent = Pick<BytesReply, 'bytes' | 'headers'> & { readonly status?: 206 }

/** As whoever asks takes it. */
const negotiated = async (c: HttpContext, { bytes, headers, compress: may }: BytesReply): Promise<Sent> => {
  if (may === undefined || !(bytes instanceof Uint8Array)) return { bytes, headers }
  const varying = { ...headers, vary: 'accept-encoding' }
  if (!takesGzip(c)) return { bytes, headers: varying }
  return { bytes: await compress(bytes, LEVEL), headers: { ...varying, 'content-encoding': 'gzip' } }
}

/** The part of a file that is asked for, if one is. @throws HttpError 416 when the file has no such bytes */
const part = (c: HttpContext, { bytes, headers }: BytesReply): Sent => {
  const own = { ...headers, 'accept-ranges': 'bytes' }
  const condition = c.req.header('if-range')
  // What was read before is of another file: the rest of this one does not go with it.
  const isSame = condition === undefined || condition === headers['etag']
  const size = bytes.byteLength
  if (size === null) return { bytes, headers }
  const range = isSame ? readRange(c.req.header('range'), size) : null
  if (range === null) return { bytes, headers: own }
  if (range === 'none') {
    throw new HttpError(416, `This file has ${size} bytes, and none of those that were asked for.`, {
      headers: { 'content-range': `bytes */${size}` },
    })
  }
  const { from, to } = range
  return {
    status: 206,
    headers: { ...own, 'content-range': `bytes ${from}-${to}/${size}` },
    bytes:
      bytes instanceof Uint8Array
        ? bytes.subarray(from, to + 1)
        : { byteLength: to + 1 - from, pieces: piecesWithin(bytes.pieces, range) },
  }
}

const json = async (c: HttpContext, body: unknown, status: number, headers: Headers): Promise<Response> => {
  const text = JSON.stringify(body)
  headers.set('content-type', 'application/json')
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  if (text.length < LIMITS.API_COMPRESS_BYTES || !takesGzip(c)) {
    return new Response(text, { status, headers })
  }
  headers.set('content-encoding', 'gzip')
  headers.append('vary', 'accept-encoding')
  return new Response(await compress(text, LEVEL), { status, headers })
}

/** The answer to a request that failed: what we say ourselves, or a digest that the log explains. */
const refuse = (options: HttpAppOptions, c: HttpContext, thrown: unknown): Promise<Response> => {
  const { logger } = options
  const error = thrown instanceof StatementRefusal ? explainRefusal(thrown) : (options.explain?.(thrown) ?? thrown)
  if (error instanceof HttpError) {
    const { detail, fields } = error
    return json(c, fields === undefined ? { detail } : { detail, fields }, error.status, new Headers(error.headers))
  }
  if (error instanceof StoreFault) {
    logger.warn('request failed: a store', { method: c.req.method, path: c.req.path, error: describe(error) })
    const headers = new Headers({ 'retry-after': String(LIMITS.STORE_FAULT_RETRY_SECONDS) })
    return json(c, { detail: error.message }, 503, headers)
  }
  const digest = digestOf(error)
  logger.error('request failed', { digest, method: c.req.method, path: c.req.path, error: describe(error) })
  return json(
    c,
    { detail: 'Something went wrong in the server. The log has the reason under this digest.', digest },
    500,
    new Headers(),
  )
}

const toResponse = async (
  options: HttpAppOptions,
  c: HttpContext,
  url: URL,
  route: Route,
  reply: Exclude<Reply<unknown>, BytesReply>,
) => {
  if ('stream' in reply) {
    const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
    return new Response(reply.stream, { headers })
  }
  if (options.checkAnswers === true) route.endpoint.ok.parse(reply.body)
  const headers = new Headers()
  for (const [name, value] of Object.entries(reply.headers ?? {})) {
    for (const entry of typeof value === 'string' ? [value] : value) headers.append(name, entry)
  }
  if (reply.page !== undefined) {
    const link = formatLinkHeader(url, reply.page)
    // A longer header is one that most clients and proxies do not read: they fail without a word.
    if (link.length > LIMITS.LINK_HEADER_CHARACTERS) throw TOO_LONG_FOR_PAGES
    headers.set('link', link)
  }
  if (reply.hits !== undefined) headers.set('x-hits', String(reply.hits))
  const status = reply.status ?? (reply.body === null ? 204 : 200)
  return reply.body === null ? new Response(null, { status, headers }) : json(c, reply.body, status, headers)
}

const DATA_GONE = new HttpError(
  503,
  'The server’s data folder was removed or replaced while it runs, so this change could not be kept. Whoever runs the server has to put the folder back, or to start the server again.',
  { headers: { 'retry-after': String(INGEST_LIMITS.UNAVAILABLE_RETRY_SECONDS) } },
)

/** A request of an endpoint: who asks, with what, and the answer of the route that takes it. */
const serve = (
  options: HttpAppOptions,
  endpoint: Route['endpoint'],
  routes: readonly Route[],
  files: FilesUnderWay,
) => {
  const [usual, another] = routes.filter(({ takes }) => takes === undefined)
  if (usual === undefined || another !== undefined) {
    throw new Error(`${endpoint.method} ${endpoint.path} needs one route that takes whatever no other takes`)
  }
  const names = paramNames(endpoint.path)
  return async (c: HttpContext): Promise<Response> => {
    const { clientAddress, publicUrl } = addressOf(options, c)
    const header = (name: string): string | undefined => c.req.header(name)
    const params = readParams(names, (name) => c.req.param(name))
    const { caller, sessionCookie, organization } = await checkAccess(
      options.authenticator,
      endpoint,
      params['org'] ?? null,
      accessRequestOf(options, c),
    )
    if (c.req.method !== 'GET' && options.isDataGone?.() === true) throw DATA_GONE
    const asked = new URL(c.req.url)
    const url = new URL(`${publicUrl}${asked.pathname}${asked.search}`)
    const query = readQuery(endpoint, asked.searchParams)
    const route = routes.find(({ takes }) => takes?.(query, params) === true) ?? usual
    const body = await readBody(endpoint, c.req.raw, caller !== null)
    // Who may not send files has no longer than anybody else.
    if (endpoint.upload && c.env.incoming instanceof IncomingMessage) {
      boundRequestTime(c.env.incoming, LIMITS.API_UPLOAD_TIMEOUT_MS)
    }
    const userAgent = header('user-agent') ?? ''
    const request = {
      caller,
      organization,
      clientAddress,
      userAgent,
      sessionCookie,
      publicUrl,
      url,
      signal: c.req.raw.signal,
      upload: endpoint.upload ? uploadOf(c.req.raw) : null,
    }
    const answer = async (): Promise<Response> => {
      const reply = await route.handle({ params, query, body, request })
      if (!('bytes' in reply)) return toResponse(options, c, url, route, reply)
      const { bytes, headers, status } = reply.inParts === true ? part(c, reply) : await negotiated(c, reply)
      const place = files.take(reply.owner ?? `user:${caller?.user.id ?? ''}`, roomFor(bytes))
      const sent = place.send(bytes, headers, (error) =>
        options.logger.warn('a file was not sent to its end', { path: c.req.path, error: describe(error) }),
      )
      return status === undefined ? sent : new Response(sent.body, { status, headers: sent.headers })
    }
    if (caller === null) return answer()
    // A token counts as its maker: somebody who makes many of them gains nothing.
    const context = { organizationId: organization?.id ?? null, caller: `user:${caller.user.id}` }
    return onBehalfOf(context, answer)
  }
}

/**
 * The HTTP application: the API under `/api/0/`, `/_health/`, and the console for everything else. Ingest routes are not
 * here; whoever listens tries them first.
 */
export const createHttpApp = (options: HttpAppOptions): HttpApp => {
  const app: HttpApp = new Hono<{ Bindings: NodeBindings }>({ strict: false })
  const console = createConsole({ dir: options.consoleDir })
  const files = createFilesUnderWay()

  app.onError((error, c) => refuse(options, c, error))

  app.use('*', async (c, next) => {
    await next()
    // It is answered like GET without the body, which nobody would read: a file, or a live stream, would stay open.
    if (c.req.method === 'HEAD') await c.res.body?.cancel()
    for (const [name, value] of Object.entries(securityHeaders(addressOf(options, c).publicUrl))) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value)
    }
  })

  app.use('/api/*', async (_, next) => {
    options.assertUsable?.()
    await next()
  })

  app.get('/_health', (c) => {
    const ready = options.isReady()
    return json(c, { status: ready ? 'ok' : 'starting' }, ready ? 200 : 503, new Headers())
  })

  app.get(STILL_PAGE_PATH, stillPage)

  // Where Relay says how it is, for those who watch it there.
  app.get(`/api/relay/healthcheck/live`, (c) => json(c, { is_healthy: true }, 200, new Headers()))
  app.get(`/api/relay/healthcheck/ready`, (c) => {
    const ready = options.isReady()
    return json(c, { is_healthy: ready }, ready ? 200 : 503, new Headers())
  })

  // Made once: it takes some milliseconds, and everybody may ask for it.
  let description: object | null = null
  app.get(`${API_PREFIX}/openapi.json`, (c) => {
    description ??= openapi(ENDPOINTS, { version: options.version, serverUrl: '/' })
    return json(c, description, 200, new Headers())
  })

  for (const { methods, path, handle } of options.pages ?? []) {
    app.on([...methods], path, (c) => handle(c.req.raw))
  }

  for (const [endpoint, routes] of Map.groupBy(options.routes, (route) => route.endpoint)) {
    const path = `${API_PREFIX}${endpoint.path}`.replaceAll(/\{([^{}]+)\}/g, ':$1')
    // A router that is not strict takes the final slash off what is asked for, so the pattern must not have it.
    app.on(endpoint.method, path.replace(/\/$/, ''), serve(options, endpoint, routes, files))
  }

  app.all('/api/*', async (c) => {
    const url = new URL(c.req.url)
    const path = url.pathname.startsWith(API_PREFIX) ? url.pathname.slice(API_PREFIX.length) : null
    const target = path === null ? null : ((await options.resolve?.(path)) ?? null)
    if (target === null || target === path) {
      const nobodys = path === null ? null : emptyListOf(c.req.method, path)
      if (nobodys !== null) {
        await checkMembership(options.authenticator, nobodys, accessRequestOf(options, c))
        return json(c, [], 200, new Headers())
      }
      const unbuilt = path === null ? null : notBuiltYet(c.req.method, path)
      if (unbuilt === null) throw notFound()
      await checkMembership(options.authenticator, unbuilt.organization, accessRequestOf(options, c))
      throw new HttpError(501, `Firsthand does not have this yet: ${unbuilt.missing}.`)
    }
    url.pathname = API_PREFIX + target
    const { method, headers, body, signal } = c.req.raw
    const content = body === null ? {} : { body, duplex: 'half' as const }
    return app.fetch(new Request(url, { method, headers, signal, ...content }), c.env)
  })
  app.on(['GET', 'HEAD'], '*', (c) => {
    // A client with a wrong address of the server would take the console's page for an answer.
    if (/\/api(?:\/|$)/.test(c.req.path)) throw notFound()
    return console(c.req.raw)
  })
  app.all('*', () => {
    throw new HttpError(405, 'This address only answers GET.', { headers: { allow: 'GET, HEAD' } })
  })

  return app
}
