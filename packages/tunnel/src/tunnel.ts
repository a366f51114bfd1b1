import { isObject, parseDsn } from '@firsthand/protocol'
import type { Dsn } from '@firsthand/protocol'
import { HEADER_BYTES, join, readHeaderLine } from './header-line.ts'

export interface TunnelOptions {
  /** The DSNs that may be sent to. An envelope for any other is answered 403. */
  readonly dsns: readonly string[]
  /** Of a request's body as it comes, default 20 MiB. More is answered 413. */
  readonly maxBytes?: number
  /**
   * How long the server may take for the next piece of the body, or to answer, default 10,000 ms. After that the answer is
   * 504. A visitor whose connection is slow does not use it up.
   */
  readonly timeoutMs?: number
  /**
   * Name of a request header that holds the visitor's address and that visitors cannot set themselves, because your own
   * proxy or platform overwrites it (`x-real-ip`, `cf-connecting-ip`). Without it, an adapter's own knowledge counts, or
   * no address is passed on.
   */
  readonly addressHeader?: string
}

/** What an adapter knows about who asks. */
export interface Visitor {
  /** Of the connection; null when unknown. */
  readonly address?: string | null
}

/** Never rejects. */
export type Tunnel = (request: Request, visitor?: Visitor) => Promise<Response>

const MAX_BYTES = 20 * 1024 * 1024
const TIMEOUT_MS = 10_000

/** What the server may know of the request. Cookies and credentials of the site are none of its business. */
const PASSED_ON = ['content-type', 'content-encoding', 'user-agent', 'origin', 'referer'] as const
/** What the SDK needs of the answer. */
const PASSED_BACK = ['content-type', 'x-sentry-rate-limits', 'retry-after', 'x-sentry-error'] as const

/**
 * Forwards envelopes to the server that their DSN names, if that DSN is on the list. No open relay: protocol, host, port,
 * path, project and key must all be one of yours. The body is passed on as it comes; only its first line is read.
 *
 * 400 no envelope · 403 a DSN that is not listed · 405 not a POST · 413 too large · 415 an encoding whose first line cannot
 * be read · 502 the server cannot be reached · 504 it takes too long · else the server's own answer.
 *
 * @throws Error when an entry of `dsns` is no DSN: a mistake of the site, to be seen at its start
 */
export const createTunnel = (options: TunnelOptions): Tunnel => {
  const allowed = new Map(options.dsns.map((text) => [identityOf(dsnOf(text)), dsnOf(text)]))
  const maxBytes = options.maxBytes ?? MAX_BYTES
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS

  const handle: Tunnel = async (request, visitor = {}) => {
    if (request.method !== 'POST') return refuse(405, 'envelopes are sent by POST', { allow: 'POST' })
    if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return tooLarge(maxBytes)
    if (request.body === null) return refuse(400, 'empty request body')
    const reader = request.body.getReader()
    const beginning = await readBeginning(reader)
    if (beginning === null) return refuse(400, 'the request body could not be read')

    const line = await readHeaderLine(beginning, request.headers.get('content-encoding'))
    if (line.kind === 'unsupported') return refuse(415, 'send the envelope plain, or compressed with gzip or deflate')
    const sent = line.kind === 'line' ? dsnInHeader(line.text) : undefined
    if (sent === undefined) return refuse(400, 'the first line is no envelope header')
    const dsn = sent === null ? undefined : allowed.get(identityOf(sent))
    if (dsn === undefined) return refuse(403, 'this tunnel does not lead to the DSN of the envelope')

    const address = options.addressHeader === undefined ? visitor.address : request.headers.get(options.addressHeader)
    const patience = createPatience(timeoutMs)
    const body = bounded(beginning, reader, maxBytes, patience)
    try {
      // Node refuses a body that is a stream without `duplex`, which browsers' types do not know.
      const init: RequestInit & { readonly duplex: 'half' } = {
        method: 'POST',
        headers: headersFor(request, dsn, address ?? null),
        body: body.stream,
        redirect: 'manual',
        credentials: 'omit',
        signal: patience.signal,
        duplex: 'half',
      }
      const answer = await fetch(endpointOf(dsn), init)
      patience.end()
      if (answer.status >= 300 && answer.status < 400) {
        // A body that nobody reads would hold the connection. Should it break off meanwhile, that is as good.
        answer.body?.cancel().catch(() => undefined)
        return refuse(502, 'the server of the DSN answers with a redirect')
      }
      return new Response(patience.with(answer.body), { status: answer.status, headers: headersBack(answer) })
    } catch (error) {
      patience.end()
      if (body.isTooLarge()) return tooLarge(maxBytes)
      const isLate = error instanceof Error && error.name === 'TimeoutError'
      return isLate
        ? refuse(504, 'the server of the DSN takes too long')
        : refuse(502, 'the server of the DSN cannot be reached')
    }
  }
  return handle
}

const dsnOf = (text: string): Dsn => {
  const dsn = parseDsn(text)
  if (dsn === null) throw new Error(`"${text}" is no DSN. Copy it from the settings of the project.`)
  return dsn
}

const portOf = (dsn: Dsn): number => dsn.port ?? (dsn.protocol === 'https' ? 443 : 80)

const identityOf = (dsn: Dsn): string =>
  [dsn.protocol, dsn.host, portOf(dsn), dsn.path, dsn.projectId, dsn.publicKey].join(' ')

const endpointOf = (dsn: Dsn): string =>
  `${dsn.protocol}://${dsn.host}:${portOf(dsn)}${dsn.path === '' ? '' : `/${dsn.path}`}/api/${dsn.projectId}/envelope/`

/** Undefined when the line is no header, null when it names no DSN that can be read. */
const dsnInHeader = (line: string): Dsn | null | undefined => {
  try {
    const header: unknown = JSON.parse(line)
    if (!isObject(header)) return undefined
    const { dsn } = header
    return typeof dsn === 'string' ? parseDsn(dsn) : null
  } catch {
    // Undefined is the answer for a line that is no header.
    return undefined
  }
}

const headersFor = (request: Request, dsn: Dsn, address: string | null): Headers => {
  const headers = new Headers({ 'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${dsn.publicKey}` })
  for (const name of PASSED_ON) {
    const value = request.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  if (address !== null && address !== '') headers.set('x-forwarded-for', address)
  return headers
}

const headersBack = (answer: Response): Headers => {
  const headers = new Headers({ 'cache-control': 'no-store' })
  for (const name of PASSED_BACK) {
    const value = answer.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return headers
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** At least the bytes that the header line may have, or all there are. Null when reading fails. */
const readBeginning = async (reader: Reader): Promise<Uint8Array<ArrayBuffer> | null> => {
  let bytes = new Uint8Array(0)
  try {
    while (bytes.byteLength < HEADER_BYTES) {
      const { done, value } = await reader.read()
      if (done) break
      bytes = join(bytes, value)
    }
    return bytes
  } catch {
    return null
  }
}

interface Patience {
  readonly signal: AbortSignal
  /** The server is to do something now. */
  begin(): void
  /** It waits for the visitor itself, or has done everything. */
  end(): void
  /** The same body, of which all is to come in time. */
  with(body: ReadableStream<Uint8Array> | null): ReadableStream<Uint8Array> | null
}

/** Gives up when the server does nothing for so long (milliseconds). */
const createPatience = (timeoutMs: number): Patience => {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = (): void => clearTimeout(timer)
  const begin = (): void => {
    end()
    timer = setTimeout(() => controller.abort(new DOMException('no progress', 'TimeoutError')), timeoutMs)
  }
  const withBody: Patience['with'] = (body) => {
    if (body === null) return null
    begin()
    return body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({ flush: end }))
  }
  return { signal: controller.signal, begin, end, with: withBody }
}

/** The whole body again, cut off with an error behind `maxBytes`. */
const bounded = (
  beginning: Uint8Array<ArrayBuffer>,
  reader: Reader,
  maxBytes: number,
  patience: Patience,
): { readonly stream: ReadableStream<Uint8Array>; isTooLarge(): boolean } => {
  let bytes = beginning.byteLength
  let tooMuch = bytes > maxBytes
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (tooMuch) controller.error(new Error('too large'))
      else controller.enqueue(beginning)
      patience.begin()
    },
    pull: async (controller) => {
      patience.end()
      const { done, value } = await reader.read()
      patience.begin()
      if (done) {
        controller.close()
        return
      }
      bytes += value.byteLength
      tooMuch = bytes > maxBytes
      if (tooMuch) controller.error(new Error('too large'))
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return { stream, isTooLarge: () => tooMuch }
}

const tooLarge = (maxBytes: number): Response => refuse(413, `the envelope is larger than ${maxBytes} bytes`)

/** In the shape that SDKs know (protocol.md 2.2). */
const refuse = (status: number, detail: string, headers: Readonly<Record<string, string>> = {}): Response =>
  Response.json(
    { detail, causes: [] },
    { status, headers: { 'cache-control': 'no-store', 'x-sentry-error': detail, ...headers } },
  )
