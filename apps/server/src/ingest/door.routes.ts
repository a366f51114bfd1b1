import type { IncomingMessage, ServerResponse } from 'node:http'
import { decodeUtf8, parseDsn, type EnvelopeHeader, type Item } from '@firsthand/protocol'
import type { KeyContext } from '../accounts/settings.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { admit } from './door/admit.ts'
import { isAllowedOrigin } from './door/allowed-domains.ts'
import { answerFailure, answerPreflight, answerRefusal, answerSuccess, drain, type Success } from './door/answer.ts'
import { ABORTED, readBody } from './door/body.ts'
import { createByteBudget, type ByteReservation } from './door/byte-budget.ts'
import { createClientAddress } from './door/client-address.ts'
import { readCredentials } from './door/credentials.ts'
import { bytesOf, type Draft } from './door/draft.ts'
import { interpret, newEventId } from './door/interpret.ts'
import { backlogLimitHeader, keyLimitHeader, limitItems } from './door/limit.ts'
import { createOutcomes } from './door/outcomes.ts'
import { refuse, type Refusal } from './door/refusal.ts'
import { MALFORMED_PROJECT, matchRoute, type Route, type RouteKind } from './door/route.ts'
import type { DoorParts } from './door/door.ts'
import type { OutcomeKind, Sender } from './road.ts'

/**
 * The door: every ingest route of protocol.md section 2, as one plain Node handler. It reads the raw stream and answers
 * once the bytes are on disk.
 *
 *     route → key → room → body → envelopes → origin → items → quota → spool → answer
 *
 * Whoever is refused is told why, can read it from a browser, and is counted (`RefusedCounter`). Nothing about the content
 * of an event is judged here beyond its being JSON: that is the digest's work, after the answer.
 *
 * @returns a handler that answers false, and has not touched the request, when the path is not an ingest route
 */
export type Door = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

export const createDoor = (parts: DoorParts): Door => {
  const { clock, limits, logger, lookup, quotas, spool } = parts
  const budget = createByteBudget(limits.CONCURRENT_BODIES_BYTES)
  const clientAddress = createClientAddress(parts.trustedProxies)
  const outcomes = createOutcomes(parts.refused)
  const ownHosts = new Set(parts.ownHosts?.map((host) => host.toLowerCase()))
  let complainedAt = Number.NEGATIVE_INFINITY

  const receive = async (visit: Visit): Promise<Result<Success, Refusal | typeof ABORTED>> => {
    const { request, route, reservation } = visit
    if (!allowsMethod(route.kind, request.method)) {
      return err(refuse(405, 'method_not_allowed', 'method not allowed; this route takes POST'))
    }
    const known = await identify(visit)
    if (known !== null) return err(known)
    const room = checkRoom(route.kind)
    if (room !== null) return err(room)

    const body = await readBody(request, limits, reservation)
    if (!body.ok) return body
    visit.bytes = body.value.byteLength
    const drafts = await interpret(request, route, body.value, limits, (bytes) => reservation.take(bytes))
    if (!drafts.ok) return drafts

    const header = drafts.value[0]?.envelope.header
    const disagreement = header === undefined ? null : await checkDsn(visit, header)
    if (disagreement !== null) return err(disagreement)
    const { key } = visit
    if (key === null) return err(NO_KEY)
    visit.sdk = senderSdk(visit.sdk, header, limits.SDK_NAME_LENGTH)
    return keep(visit, key, drafts.value)
  }

  /** Finds the key that the request names outside its body. A visit without one goes on only where the body can name it. */
  const identify = async (visit: Visit): Promise<Refusal | null> => {
    const { request, route } = visit
    if (route.projectId === MALFORMED_PROJECT) {
      return refuse(400, 'invalid_project', 'bad project id in path; it is the number at the end of the DSN')
    }
    const credentials = readCredentials(request.headers, route)
    if (!credentials.ok) return credentials.error
    if (credentials.value === null) return mayNameKeyInBody(route.kind) ? null : NO_KEY
    visit.sdk = credentials.value.client ?? ''
    const refusal = await findKey(visit, credentials.value.key, route.projectId)
    if (refusal !== null) return route.kind === 'error_page' ? UNKNOWN_DSN : refusal
    if (route.kind !== 'user_feedback' || visit.key === null) return null
    const { projectId, projectSlug } = visit.key
    return route.subject === projectSlug || route.subject === String(projectId) ? null : FOREIGN_PROJECT
  }

  const findKey = async (visit: Visit, publicKey: string, projectId: number | null): Promise<Refusal | null> => {
    const key = await lookup.byPublicKey(publicKey)
    if (key === null) return UNKNOWN_KEY
    visit.key = key
    if (!key.active) return DISABLED_KEY
    return projectId === null || projectId === key.projectId ? null : FOREIGN_PROJECT
  }

  const checkRoom = (kind: RouteKind): Refusal | null => {
    switch (spool.pressure()) {
      case 'ok':
        return null
      case 'full':
        return storageFull()
      case 'behind': {
        const seconds = limits.BACKLOG_RETRY_SECONDS
        return refuse(
          NEVER_LIMITED.has(kind) ? 503 : 429,
          'backlog',
          'the server received more than it can process at present; send again later',
          { retryAfterSeconds: seconds, rateLimits: backlogLimitHeader(seconds) },
        )
      }
    }
  }

  const storageFull = (): Refusal =>
    refuse(503, 'storage_full', 'the server cannot keep more data: its disk is full or its queue is at the limit', {
      retryAfterSeconds: limits.UNAVAILABLE_RETRY_SECONDS,
    })

  /** The DSN in an envelope's header is the key when there is no other, and must agree with another (protocol.md 1.2). */
  const checkDsn = async (visit: Visit, header: EnvelopeHeader): Promise<Refusal | null> => {
    const { key, request, route } = visit
    if (header.dsn === null) return key === null ? NO_KEY : null
    const dsn = parseDsn(header.dsn)
    if (dsn === null) return refuse(401, 'invalid_auth', 'bad envelope authentication header')
    if (route.kind === 'tunnel' && !isOwnHost(dsn.host, request)) {
      return refuse(403, 'foreign_dsn', 'the DSN in the envelope belongs to another server', {
        causes: [
          'The tunnel takes only DSNs of its own host name. Set FIRSTHAND_PUBLIC_URL to the address in your DSN.',
        ],
      })
    }
    if (key === null) {
      if (route.projectId !== null && route.projectId !== dsn.projectId) return DISAGREEMENT
      return findKey(visit, dsn.publicKey, dsn.projectId)
    }
    return key.publicKey === dsn.publicKey && key.projectId === dsn.projectId ? null : DISAGREEMENT
  }

  const isOwnHost = (host: string, request: IncomingMessage): boolean =>
    ownHosts.has(host) || hostName(request.headers.host ?? '') === host

  /** Origin, items, quota, spool. From here on every item is accounted for. */
  const keep = async (visit: Visit, key: KeyContext, drafts: readonly Draft[]): Promise<Result<Success, Refusal>> => {
    const { receivedAt, request, route, sdk } = visit
    const source = { key, sdk, receivedAt }
    visit.items = drafts.flatMap((draft) => draft.envelope.items)
    const firstId = drafts[0]?.envelope.header.eventId ?? null
    const origin = request.headers.origin ?? request.headers.referer ?? null

    if (visit.items.length === 0) {
      outcomes.request(source, 'invalid', 'empty_envelope', visit.bytes)
      return ok(successOf(route.kind, request.method, firstId, null))
    }
    if (!isAllowedOrigin(origin, key.settings.allowedDomains)) {
      // An SDK needs no answer to this, but the feedback dialog has a text for a domain that is not allowed.
      if (visit.items.some((item) => item.header.type === 'feedback') || SAYS_SO.has(route.kind)) {
        return err(FOREIGN_ORIGIN)
      }
      outcomes.items(source, visit.items, 'filtered', 'cors')
      return ok(successOf(route.kind, request.method, firstId, null))
    }

    const ready: { readonly items: readonly Item[]; readonly bytes: Uint8Array }[] = []
    const settled: { readonly items: readonly Item[]; readonly outcome: OutcomeKind; readonly reason: string }[] = []
    let eventId: string | null = null
    let retryAfterSeconds: number | null = null
    for (const draft of drafts) {
      const admission = admit(draft, limits, newEventId)
      if (!admission.ok) return admission
      for (const { item, reason } of admission.value.dropped)
        settled.push({ items: [item], outcome: 'invalid', reason })
      const limiting = limitItems(admission.value.items, key, quotas, receivedAt)
      if (limiting.retryAfterSeconds !== null) {
        retryAfterSeconds = limiting.retryAfterSeconds
        settled.push({ items: limiting.refused, outcome: 'rate_limited', reason: 'key_quota' })
      }
      eventId ??= admission.value.eventId
      if (limiting.kept.length > 0) {
        ready.push({ items: limiting.kept, bytes: bytesOf(draft, limiting.kept, admission.value.eventId) })
      }
    }

    for (const { items, outcome, reason } of settled) outcomes.items(source, items, outcome, reason)
    visit.items = ready.flatMap(({ items }) => items)
    const rateLimits = retryAfterSeconds === null ? null : keyLimitHeader(retryAfterSeconds)
    if (ready.length === 0 && retryAfterSeconds !== null && rateLimits !== null && !NEVER_LIMITED.has(route.kind)) {
      visit.accounted = true
      return err(refuse(429, 'key_quota', 'rate limit of the project key exceeded', { retryAfterSeconds, rateLimits }))
    }

    const sender: Sender = {
      organizationId: key.organizationId,
      projectId: key.projectId,
      keyId: key.keyId,
      clientAddress: clientAddress(request),
      userAgent: request.headers['user-agent'] ?? null,
      origin,
      sdk,
    }
    const written = await Promise.allSettled(
      ready.map(({ bytes }) => spool.append({ kind: 'envelope', receivedAt, sender, body: bytes })),
    )
    const failure = written.find((result) => result.status === 'rejected')
    if (failure !== undefined) {
      visit.items = ready.flatMap(({ items }, index) => (written[index]?.status === 'rejected' ? items : []))
      complain(failure.reason)
      return err(storageFull())
    }
    return ok(successOf(route.kind, request.method, eventId, rateLimits, answerTo(visit, key, eventId)))
  }

  /** What a sender of feedback gets back besides the id. */
  const answerTo = (visit: Visit, { projectId, settings }: KeyContext, eventId: string | null) => {
    if (visit.route.kind === 'user_feedback') return reportOf(visit.items[0], visit.receivedAt)
    const feedback = visit.items.find((item) => item.header.type === 'feedback')
    if (parts.threadUrl === undefined || feedback === undefined || eventId === null) return {}
    if (!settings.feedback.reply.page) return {}
    return { thread_url: parts.threadUrl(visit.request, { projectId, eventId, payload: feedback.payload }) }
  }

  /** A full disk refuses every request; the log needs one line about it. */
  const complain = (reason: unknown): void => {
    if (clock.now() - complainedAt < COMPLAINT_INTERVAL_MS) return
    complainedAt = clock.now()
    logger.error('an envelope could not be written to the spool; senders get 503 until it can', {
      error: reason instanceof Error ? reason.message : String(reason),
    })
  }

  const account = (visit: Visit, refusal: Refusal): void => {
    if (visit.key === null || visit.accounted) return
    const source = { key: visit.key, sdk: visit.sdk, receivedAt: visit.receivedAt }
    const outcome = outcomeOf(refusal)
    if (visit.items.length > 0) outcomes.items(source, visit.items, outcome, refusal.reason)
    else outcomes.request(source, outcome, refusal.reason, visit.bytes)
  }

  return async (request, response) => {
    const route = matchRoute(request.url ?? '', parts.tunnelPath)
    if (route === null) return false
    if (isForTheApplication(route.kind, request)) return false
    if (request.method === 'OPTIONS') {
      answerPreflight(response)
      return true
    }
    if (route.kind === 'tunnel' && request.method !== 'POST') return false

    const visit: Visit = {
      request,
      route,
      receivedAt: clock.now(),
      reservation: budget.open(),
      key: null,
      sdk: '',
      bytes: 0,
      items: [],
      accounted: false,
    }
    try {
      const result = await receive(visit)
      if (result.ok) {
        answerSuccess(response, result.value)
      } else if (result.error !== ABORTED) {
        account(visit, result.error)
        logger.debug('refused at the door', {
          status: result.error.status,
          reason: result.error.reason,
          project: visit.key?.projectId,
          sdk: visit.sdk,
        })
        answerRefusal(response, result.error)
      }
    } catch (error) {
      logger.error('the door failed', {
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
      if (!response.headersSent) answerFailure(response)
    } finally {
      visit.reservation.release()
      drain(request, limits.DRAIN_TIMEOUT_MS)
    }
    return true
  }
}

/** What is known of one request so far. */
interface Visit {
  readonly request: IncomingMessage
  readonly route: Route
  readonly receivedAt: number
  readonly reservation: ByteReservation
  key: KeyContext | null
  sdk: string
  /** Of the uncompressed body. */
  bytes: number
  /** Items whose end is not decided yet. */
  items: readonly Item[]
  /** Everything was counted already. */
  accounted: boolean
}

const outcomeOf = (refusal: Refusal): OutcomeKind => {
  if (refusal === FOREIGN_ORIGIN) return 'filtered'
  return refusal.status === 429 || refusal.status === 503 ? 'rate_limited' : 'invalid'
}

const COMPLAINT_INTERVAL_MS = 10_000

/** Senders on these routes do not know 429 (protocol.md 2.3). */
const NEVER_LIMITED: ReadonlySet<RouteKind> = new Set(['minidump', 'unreal', 'cron', 'nel'])

const NO_KEY = refuse(401, 'missing_auth', 'missing authorization information', {
  causes: ['Name the public key of the DSN as sentry_key in the query, in X-Sentry-Auth, or as dsn in the envelope.'],
})
const UNKNOWN_KEY = refuse(403, 'unknown_key', 'event submission rejected with_reason: ProjectId', {
  causes: ['No project has this public key. Compare the DSN with the one in the project settings.'],
})
const DISABLED_KEY = refuse(403, 'disabled_key', 'event submission rejected with_reason: ProjectId', {
  causes: ['This key is switched off in the project settings.'],
})
const FOREIGN_PROJECT = refuse(403, 'foreign_project', 'event submission rejected with_reason: ProjectId', {
  causes: ['The key belongs to another project than the one in the path.'],
})
const FOREIGN_ORIGIN = refuse(403, 'cors', 'this domain is not in the list of allowed domains of the project')
const DISAGREEMENT = refuse(400, 'invalid_auth', 'the DSN in the envelope disagrees with the request', {
  causes: ['Project id and public key must be the same in both places.'],
})

const UNKNOWN_DSN = refuse(404, 'unknown_key', 'no project has this DSN', {
  causes: ['Compare the DSN with the one in the project settings.'],
})

/** Routes whose senders show people what went wrong. */
const SAYS_SO: ReadonlySet<RouteKind> = new Set(['user_feedback', 'error_page'])

/** Addresses that the application shares with the door: the dialog's script, and reports with a token. */
const isForTheApplication = (kind: RouteKind, { method, headers }: IncomingMessage): boolean => {
  if (kind === 'error_page') return method === 'GET' || method === 'HEAD'
  if (kind !== 'user_feedback' || method === 'OPTIONS') return false
  return method !== 'POST' || !/^\s*dsn\s/i.test(headers.authorization ?? '')
}

/** As Sentry answers a report: what was said, with the id that it gave the event. */
const reportOf = (item: Item | undefined, receivedAt: number): Readonly<Record<string, unknown>> => {
  if (item === undefined) return {}
  const { event_id, name, email, comments } = JSON.parse(decodeUtf8(item.payload)) as Record<string, unknown>
  return { eventID: event_id, name, email, comments, dateCreated: new Date(receivedAt).toISOString() }
}

const allowsMethod = (kind: RouteKind, method: string | undefined): boolean =>
  method === 'POST' || (method === 'GET' && (kind === 'store' || kind === 'cron'))

const mayNameKeyInBody = (kind: RouteKind): boolean => kind === 'envelope' || kind === 'tunnel' || kind === 'store'

/** Of the request's `Host`, lower case, without port. */
const hostName = (host: string): string => {
  const name = host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : (host.split(':', 1)[0] ?? '')
  return name.toLowerCase()
}

/** Counted and logged, so it is bounded and printable. */
const senderSdk = (client: string, header: EnvelopeHeader | undefined, maxLength: number): string => {
  const { sdk = null } = header ?? {}
  const name = client === '' && sdk !== null ? `${sdk.name}/${sdk.version}` : client
  const short = name.slice(0, maxLength)
  return /^[\x20-\x7e]*$/.test(short) ? short : short.replaceAll(/[^\x20-\x7e]/g, '?')
}

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const successOf = (
  kind: RouteKind,
  method: string | undefined,
  eventId: string | null,
  rateLimits: string | null,
  more: Readonly<Record<string, unknown>> = {},
): Success => {
  switch (kind) {
    case 'envelope':
    case 'tunnel':
    case 'store':
      if (method === 'GET') return { status: 200, contentType: 'image/gif', body: GIF, rateLimits }
      return {
        status: 200,
        contentType: 'application/json',
        body: JSON.stringify({ ...(eventId === null ? {} : { id: eventId }), ...more }),
        rateLimits,
      }
    case 'user_feedback':
      return {
        status: 200,
        contentType: 'application/json',
        body: JSON.stringify({ id: eventId, ...more }),
        rateLimits,
      }
    case 'error_page':
      return { status: 200, contentType: 'application/json', body: '{}', rateLimits }
    case 'security':
    case 'nel':
      return { status: 200, contentType: null, body: '', rateLimits }
    case 'minidump':
    case 'unreal':
      return { status: 200, contentType: 'text/plain', body: hyphenate(eventId ?? ''), rateLimits }
    case 'attachments':
      return { status: 201, contentType: null, body: '', rateLimits }
    case 'cron':
    case 'otlp_traces':
    case 'otlp_logs':
      return { status: 202, contentType: null, body: '', rateLimits }
  }
}

const hyphenate = (id: string): string =>
  [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-')
