import { guard } from './guard.ts'
import { serializeEnvelope } from './envelope.ts'
import type { Envelope, EnvelopeItem, Transport, TransportOptions, TransportResponse } from './types.ts'

/** Requests under way at once; more would only pile up in the page. */
const MAX_PENDING = 40
/** What browsers let outlive the page, in bytes for all requests together (64 KiB, with room for headers), and requests. */
const KEEPALIVE_BYTES = 60_000
const KEEPALIVE_REQUESTS = 15
/** Wait when the server says "too much" and not how long (protocol.md 2.5), in milliseconds. */
const DEFAULT_WAIT_MS = 60_000

/** As if the server had said it: whoever keeps a copy may try again later. */
const TOO_MUCH: TransportResponse = { statusCode: 429 }

/** Item type → what the server counts it as (protocol.md 2.5). */
const CATEGORIES: Record<string, string> = {
  event: 'error',
  client_report: 'internal',
  log: 'log_item',
  replay_event: 'replay',
  replay_recording: 'replay',
}

export const categoryOf = (itemType: string): string => CATEGORIES[itemType] ?? itemType

type Headers = NonNullable<TransportResponse['headers']>

/** Notes what the server asks for: category → until when. An empty category is all of them. */
const readLimits = (limits: Map<string, number>, status: number | undefined, headers: Headers = {}): void => {
  const { 'x-sentry-rate-limits': said, 'retry-after': retryAfter } = headers
  const until = (wait: number): number => Date.now() + (wait >= 0 ? wait : DEFAULT_WAIT_MS)
  if (said) {
    for (const limit of said.split(',')) {
      const [seconds = '', categories = ''] = limit.split(':')
      for (const category of categories.split(';')) limits.set(category, until(Number.parseInt(seconds) * 1000))
    }
  } else if (retryAfter || status === 429) {
    const given = retryAfter ?? ''
    const seconds = Number.parseInt(given)
    // A date begins with its day of the week.
    limits.set('', until(seconds >= 0 ? seconds * 1000 : Date.parse(given) - Date.now()))
  }
}

export type MakeRequest = (request: { body: Uint8Array<ArrayBuffer> }) => PromiseLike<TransportResponse>

/** Rate limits, the number of requests, and what becomes of what could not be sent. */
export const createTransport = (options: TransportOptions, makeRequest: MakeRequest): Transport => {
  const limits = new Map<string, number>()
  const pending = new Set<Promise<unknown>>()
  const isLimited = (category: string): boolean =>
    category !== 'internal' && Math.max(limits.get(category) ?? 0, limits.get('') ?? 0) > Date.now()
  // A container counts as what it holds.
  const count = (reason: string, [{ type, item_count }]: EnvelopeItem): void =>
    options.recordDroppedEvent(reason, categoryOf(type), item_count)
  const lose = (envelope: Envelope, reason: string): void => {
    for (const item of envelope[1]) count(reason, item)
  }

  const send = async (envelope: Envelope): Promise<TransportResponse> => {
    const [headers, all] = envelope
    const items = all.filter((item) => {
      const limited = isLimited(categoryOf(item[0].type))
      if (limited) count('ratelimit_backoff', item)
      return !limited
    })
    if (items.length === 0) return TOO_MUCH
    const sent: Envelope = [headers, items]
    if (pending.size >= MAX_PENDING) {
      lose(sent, 'queue_overflow')
      return TOO_MUCH
    }
    let response: TransportResponse
    // Runs up to the request without a pause: a page that is being closed has no later.
    // What is too large to outlive the page would be lost with it, so it leaves something behind.
    const request = (async () =>
      makeRequest({ body: serializeEnvelope(sent, isHidden ? KEEPALIVE_BYTES : undefined) }))()
    pending.add(request)
    try {
      response = await request
    } catch {
      // A transport that throws has sent nothing: the same as no answer.
      response = { statusCode: 0 }
    }
    pending.delete(request)
    const { statusCode = 200 } = response
    readLimits(limits, statusCode, response.headers)
    const isUnanswered = statusCode === 0 || statusCode >= 500
    if (isUnanswered && options.keep?.(sent)) return response
    // The server counts what it refuses with a 429 itself.
    if (statusCode === 0) lose(sent, 'network_error')
    else if (statusCode >= 400 && statusCode !== 429) lose(sent, 'send_error')
    return response
  }

  return {
    send,
    flush: () => Promise.allSettled(pending).then(() => true),
  }
}

let isHidden = false

/** Between `pagehide` and `pageshow`. */
export const setHidden = (hidden: boolean): void => {
  isHidden = hidden
}

export const makeFetchTransport = (options: TransportOptions): Transport => {
  // As it is now: a page, or our own breadcrumbs, may put another function in its place.
  const request = fetch.bind(globalThis)
  let bytes = 0
  let count = 0
  return createTransport(options, async ({ body }) => {
    // Some browsers end the requests of a page that goes away, but not its beacons.
    if (isHidden && guard(() => navigator.sendBeacon(options.url, body), false)) return {}
    const size = body.length
    bytes += size
    count += 1
    try {
      const response = await request(options.url, {
        method: 'POST',
        body,
        keepalive: bytes <= KEEPALIVE_BYTES && count < KEEPALIVE_REQUESTS,
        referrerPolicy: 'strict-origin',
        headers: options.headers ?? {},
        ...options.fetchOptions,
      })
      // A body that nobody reads would hold the connection.
      void response.body?.cancel().catch(() => undefined)
      return {
        statusCode: response.status,
        headers: {
          'x-sentry-rate-limits': response.headers.get('x-sentry-rate-limits'),
          'retry-after': response.headers.get('retry-after'),
        },
      }
    } finally {
      bytes -= size
      count -= 1
    }
  })
}
