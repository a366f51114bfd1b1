import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  envelopeSteps,
  parseEnvelope,
  type Envelope,
  type EnvelopeError,
  type EnvelopeHeader,
  type ParseResult,
} from '@firsthand/protocol'
import { err, ok, type Result } from '../../lib/result.ts'
import { inSlices } from '../../lib/sliced-work.ts'
import { HeldPieces } from './held-pieces.ts'
import type { LargeBody } from './large-body.ts'
import { envelopeBounds, readLargeEnvelope, refuseEnvelope } from './large-envelope.ts'
import { PieceReader } from './piece-reader.ts'
import { queryParameter } from './query.ts'
import { readCheckIn } from './read-check-in.ts'
import { readAttachments, readMinidump, readUnreal, type CrashRequest } from './read-minidump.ts'
import { readOtlp } from './read-otlp.ts'
import { mediaType, readNetworkErrors, readSecurityReports } from './read-reports.ts'
import { readStore } from './read-store.ts'
import { refuse, type Refusal } from './refusal.ts'
import type { Draft } from './draft.ts'
import type { Limits } from './door.ts'
import type { Route } from './route.ts'
import type { Stager } from './stager.ts'

/** 32 lower-case hex characters. */
export const newEventId = (): string => randomUUID().replaceAll('-', '')

/** What the body of a request may need while it is read. */
export interface Reading {
  readonly limits: Limits
  /** A reservation's. */
  readonly take: (bytes: number) => boolean
  readonly stager: Stager
}

/** Whether the body of this request may be larger than what is held in memory. */
export const mayBeLarge = (request: IncomingMessage, route: Route): boolean =>
  isEnvelopeRoute(request, route) || route.kind === 'minidump' || route.kind === 'attachments'

/** The same for a body that is read piece by piece. */
export const interpretLarge = async (
  request: IncomingMessage,
  route: Route,
  body: LargeBody,
  reading: Reading,
): Promise<Result<readonly Draft[], Refusal>> => {
  const { limits, stager, take } = reading
  const reader = new PieceReader(body.pieces)
  const held = new HeldPieces(limits, take, body.wireBytes)
  const crash = crashRequest(request, route, { reader, held }, reading)
  if (route.kind === 'minidump') return one(await readMinidump(crash))
  if (route.kind === 'attachments') return one(await readAttachments(crash, route.subject ?? ''))
  return one(await readLargeEnvelope({ reader, held, stager, limits }))
}

const crashRequest = (
  request: IncomingMessage,
  { query }: Route,
  body: CrashRequest['body'],
  reading: Reading,
): CrashRequest => ({ ...reading, body, contentType: request.headers['content-type'], query, newEventId })

/** Translates the body of any ingest route into envelopes. Only reports make more than one. */
export const interpret = (
  request: IncomingMessage,
  route: Route,
  body: Buffer,
  reading: Reading,
): Result<readonly Draft[], Refusal> | Promise<Result<readonly Draft[], Refusal>> => {
  const { limits } = reading
  const contentType = request.headers['content-type']
  const { query } = route
  const subject = route.subject ?? ''
  const crash = crashRequest(request, route, { all: body }, reading)
  switch (route.kind) {
    case 'envelope':
    case 'tunnel':
      return readEnvelope(body, limits)
    case 'store':
      if (request.method === 'GET') return one(readStoreQuery(query, limits))
      if (mediaType(contentType) === 'application/x-sentry-envelope') return readEnvelope(body, limits)
      return one(readStore(body, limits, newEventId))
    case 'security':
      return readSecurityReports({ body, contentType, query, limits, newEventId })
    case 'nel':
      return readNetworkErrors({ body, contentType, query, limits, newEventId })
    case 'cron':
      return one(readCheckIn({ slug: subject, action: route.action, query, body, contentType, limits }))
    case 'minidump':
      return readMinidump(crash).then(one)
    case 'unreal':
      return one(readUnreal(body, newEventId(), queryParameter(query, 'UserID')))
    case 'attachments':
      return readAttachments(crash, subject).then(one)
    case 'otlp':
      if (route.itemType === null) throw new Error('A route of the kind otlp has no type of item.')
      return one(readOtlp(route.itemType, body, contentType, limits))
    case 'form':
      if (route.form === null) throw new Error('A route of the kind form has no form.')
      return one(route.form.read(body, query, limits))
  }
}

const one = (draft: Result<Draft, Refusal>): Result<readonly Draft[], Refusal> => (draft.ok ? ok([draft.value]) : draft)

type Interpreted = Result<readonly Draft[], Refusal>

/** Whether the body of this request is to be an envelope as it is. */
export const isEnvelopeRoute = (request: IncomingMessage, { kind }: Route): boolean =>
  kind === 'store'
    ? request.method !== 'GET' && mediaType(request.headers['content-type']) === 'application/x-sentry-envelope'
    : kind === 'envelope' || kind === 'tunnel'

/** The header of an envelope of which only the beginning has come. */
export const readHeaderLine = (head: Uint8Array, limits: Limits): Result<EnvelopeHeader, Refusal> => {
  const end = head.indexOf(LINE_FEED)
  const parsed = parseEnvelope(end < 0 ? head : head.subarray(0, end), envelopeBounds(limits))
  return parsed.ok ? ok(parsed.value.header) : err(refuseEnvelope(parsed.error))
}

const LINE_FEED = 0x0a

const readEnvelope = (body: Buffer, limits: Limits): Interpreted | Promise<Interpreted> => {
  const parsed = inSlices(envelopeSteps(body, envelopeBounds(limits), limits.DOOR_TURN_BYTES))
  const finish = (result: ParseResult<Envelope, EnvelopeError>): Interpreted => one(draftOf(body, result))
  return parsed instanceof Promise ? parsed.then(finish) : finish(parsed)
}

const draftOf = (body: Buffer, parsed: ParseResult<Envelope, EnvelopeError>): Result<Draft, Refusal> =>
  parsed.ok ? ok({ envelope: parsed.value, received: body }) : err(refuseEnvelope(parsed.error))

/** `GET /store/?sentry_data=`: base64, whose `+` a query string turns into a space. */
const readStoreQuery = (query: string, limits: Limits): Result<Draft, Refusal> => {
  const data = queryParameter(query, 'sentry_data')
  if (data === null || data === '') return err(refuse(400, 'invalid_envelope', 'parameter sentry_data is missing'))
  const text = data.trimStart().startsWith('{') ? data : data.replaceAll(' ', '+')
  return readStore(Buffer.from(text), limits, newEventId)
}
