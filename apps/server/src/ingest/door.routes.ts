import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EnvelopeHeader } from '@firsthand/protocol'
import { drain } from '../lib/drain.ts'
import { networkOf } from '../lib/network.ts'
import { err, type Result } from '../lib/result.ts'
import { answerFailure, answerPreflight, answerRefusal, answerSuccess, type Success } from './door/answer.ts'
import { readBody, type ReadBody } from './door/body.ts'
import { createByteBudget } from './door/byte-budget.ts'
import { createClientAddress } from './door/client-address.ts'
import { createComplaint } from './door/complaint.ts'
import type { DoorParts } from './door/door.ts'
import type { Draft } from './door/draft.ts'
import { checkDsn, identify, identifyByHead } from './door/identify.ts'
import { interpret, interpretLarge, mayBeLarge } from './door/interpret.ts'
import { keep } from './door/keep.ts'
import { createOutcomes, type Outcomes } from './door/outcomes.ts'
import { isTooMuchStaged, tooInflated } from './door/large-body.ts'
import { refuse, type Refusal } from './door/refusal.ts'
import { ABORTED, Refused } from './door/refused.ts'
import { FOREIGN_ORIGIN, NO_KEY } from './door/refusals.ts'
import { checkBytes, checkRoom, checkShare } from './door/room.ts'
import { matchRoute, type RouteKind } from './door/route.ts'
import type { DoorContext, RequestState } from './door/request-state.ts'
import { createStager, withinRatio } from './door/stager.ts'
import type { OutcomeKind } from './road.ts'

/**
 * The door: every ingest route of protocol.md section 2, as one plain Node handler. It reads the raw stream and answers
 * once the bytes are on disk.
 *
 *     route → key → room → body (its first lines → key, where it is not known) → envelopes → origin → items → quota → spool → answer
 *
 * Whoever is refused is told why, can read it from a browser, and is counted (`RefusedCounter`). Nothing about the content
 * of an event is judged here beyond its being JSON: that is the digest's work, after the answer.
 *
 * @returns a handler that answers false, and has not touched the request, when the path is not an ingest route
 */
export type Door = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

export const createDoor = (parts: DoorParts): Door => {
  const { clock, limits, logger } = parts
  const budget = createByteBudget(limits)
  const staged = createByteBudget(limits, limits.STAGED_BODIES_BYTES)
  const clientAddress = createClientAddress(parts.trustedProxies)
  const context: DoorContext = {
    parts,
    ownHosts: new Set(parts.ownHosts?.map((host) => host.toLowerCase())),
    outcomes: createOutcomes(parts.refused),
    complain: createComplaint(clock, logger),
  }

  return async (request, response) => {
    const route = matchRoute(request.url ?? '', parts.tunnelPath, parts)
    if (route === null) return false
    if (route.form?.leaves?.(request) === true) return false
    if (request.method === 'OPTIONS') {
      answerPreflight(response)
      return true
    }
    if (route.kind === 'tunnel' && request.method !== 'POST') return false

    const address = clientAddress(request)
    const state: RequestState = {
      request,
      route,
      clientAddress: address,
      receivedAt: clock.now(),
      reservation: budget.open(networkOf(address)),
      stager: createStager(staged.open(networkOf(address)), () => state.key, context),
      key: null,
      sdk: '',
      bytes: 0,
      wireBytes: 0,
      items: [],
      accounted: false,
    }
    try {
      const result = await receiveAndTidy(state, context)
      if (result.ok) {
        answerSuccess(response, result.value)
      } else if (result.error !== ABORTED) {
        account(state, result.error, context.outcomes)
        logger.debug('refused at the door', {
          status: result.error.status,
          reason: result.error.reason,
          project: state.key?.projectId,
          sdk: state.sdk,
        })
        answerRefusal(response, result.error)
      }
    } catch (error) {
      logger.error('the door failed', {
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
      if (!response.headersSent) answerFailure(response, error)
    } finally {
      state.reservation.release()
      parts.bodyDone?.(state.bytes)
      drain(request, limits.DRAIN_TIMEOUT_MS)
    }
    return true
  }
}

const receiveAndTidy = async (state: RequestState, context: DoorContext): ReturnType<typeof receive> => {
  try {
    return await receive(state, context)
  } catch (error) {
    return refusalOf(error)
  } finally {
    // What is not kept is gone before its sender hears of it.
    await state.stager.end()
  }
}

const receive = async (
  state: RequestState,
  context: DoorContext,
): Promise<Result<Success, Refusal | typeof ABORTED>> => {
  const { parts } = context
  const { limits } = parts
  const { request, route, reservation } = state
  if (!allowsMethod(route.kind, request.method)) {
    return err(refuse(405, 'method_not_allowed', 'method not allowed; this route takes POST'))
  }
  const known = await identify(state, context)
  if (known !== null) return err(known)
  const room = checkRoom(route.kind, parts) ?? checkShare(state, parts) ?? checkBytes(state, parts)
  if (room !== null) return err(room)

  const knowSender = state.key === null ? (head: Uint8Array) => identifyByHead(state, head, context) : null
  const body = await readBody(request, limits, reservation, { knowSender, mayBeLarge: mayBeLarge(request, route) })
  if (!body.ok) return body
  const drafts = await readDrafts(state, body.value, limits)
  if (!drafts.ok) return drafts

  const header = drafts.value[0]?.envelope.header
  const disagreement = header === undefined ? null : await checkDsn(state, header, context)
  if (disagreement !== null) return err(disagreement)
  const { key } = state
  if (key === null) return err(NO_KEY)
  state.sdk = senderSdk(state.sdk, header, limits.SDK_NAME_LENGTH)
  return keep(state, key, drafts.value, context)
}

/** What the body says, and how large it was. */
const readDrafts = async (
  state: RequestState,
  body: ReadBody,
  limits: DoorParts['limits'],
): Promise<Result<readonly Draft[], Refusal>> => {
  const { request, route, reservation, stager } = state
  const reading = {
    limits,
    stager: withinRatio(stager, () => wireBytesOf(body), limits),
    take: (bytes: number) => reservation.take(bytes),
  }
  if ('held' in body) {
    const { plain, wireBytes } = body.held
    state.bytes = plain.byteLength
    // A GET brings its event in the address.
    state.wireBytes = request.method === 'GET' ? (request.url?.length ?? 0) : wireBytes
    return interpret(request, route, plain, reading)
  }
  const { large } = body
  try {
    const drafts = await interpretLarge(request, route, large, reading)
    const isOver = drafts.ok && isTooMuchStaged(stager.stagedBytes(), large.wireBytes(), limits)
    return isOver ? err(tooInflated(limits)) : drafts
  } finally {
    state.bytes = large.plainBytes()
    state.wireBytes = large.wireBytes()
    await large.stop()
  }
}

/** Null while more is to come. */
const wireBytesOf = (body: ReadBody): number | null => {
  if ('held' in body) return body.held.wireBytes
  return body.large.isAllHere() ? body.large.wireBytes() : null
}

/** What ended the reading of a large body, wherever it was. */
const refusalOf = (error: unknown): Result<never, Refusal | typeof ABORTED> => {
  if (error instanceof Refused) return err(error.reason)
  throw error
}

const allowsMethod = (kind: RouteKind, method: string | undefined): boolean =>
  method === 'POST' ||
  (kind === 'store' && method === 'GET') ||
  // What runs on a schedule asks with whatever its tool has.
  (kind === 'cron' && (method === 'GET' || method === 'HEAD' || method === 'PUT'))

/** Counted and logged, so it is bounded and printable. */
const senderSdk = (client: string, header: EnvelopeHeader | undefined, maxLength: number): string => {
  const { sdk = null } = header ?? {}
  const name = client === '' && sdk !== null ? `${sdk.name}/${sdk.version}` : client
  const short = name.slice(0, maxLength)
  return /^[\x20-\x7e]*$/.test(short) ? short : short.replaceAll(/[^\x20-\x7e]/g, '?')
}

/** Counts what a refused request held. */
const account = (state: RequestState, refusal: Refusal, outcomes: Outcomes): void => {
  if (state.key === null || state.accounted) return
  const source = { key: state.key, sdk: state.sdk, receivedAt: state.receivedAt }
  const outcome = outcomeOf(refusal)
  if (state.items.length > 0) outcomes.items(source, state.items, outcome, refusal.reason)
  else outcomes.request(source, outcome, refusal.reason, state.bytes)
}

const outcomeOf = (refusal: Refusal): OutcomeKind => {
  if (refusal === FOREIGN_ORIGIN) return 'filtered'
  return refusal.status === 429 || refusal.status === 503 ? 'rate_limited' : 'invalid'
}
