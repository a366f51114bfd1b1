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
import { queryParameter } from './query.ts'
import { readCheckIn } from './read-check-in.ts'
import { readAttachments, readMinidump, readUnreal } from './read-minidump.ts'
import { readOtlp } from './read-otlp.ts'
import { mediaType, readNetworkErrors, readSecurityReports } from './read-reports.ts'
import { readStore } from './read-store.ts'
import { refuse, type Refusal } from './refusal.ts'
import type { Draft } from './draft.ts'
import type { Limits } from './door.ts'
import type { Route } from './route.ts'

/** 32 lower-case hex characters. */
export const newEventId = (): string => randomUUID().replaceAll('-', '')

/** Translates the body of any ingest route into envelopes. Only reports make more than one. */
export const interpret = (
  request: IncomingMessage,
  route: Route,
  body: Buffer,
  limits: Limits,
  take: (bytes: number) => boolean,
): Result<readonly Draft[], Refusal> | Promise<Result<readonly Draft[], Refusal>> => {
  const contentType = request.headers['content-type']
  const { query } = route
  const subject = route.subject ?? ''
  const crash = { body, contentType, query, limits, newEventId, take }
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
      return one(readCheckIn({ slug: subject, query, body, contentType, limits }))
    case 'minidump':
      return readMinidump(crash).then(one)
    case 'unreal':
      return one(readUnreal(crash, queryParameter(query, 'UserID')))
    case 'attachments':
      return one(readAttachments(crash, subject))
    case 'otlp_traces':
      return one(readOtlp('otel_traces_data', body, contentType, limits))
    case 'otlp_logs':
      return one(readOtlp('otel_log', body, contentType, limits))
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
  const parsed = parseEnvelope(end < 0 ? head : head.subarray(0, end), boundsOf(limits))
  return parsed.ok ? ok(parsed.value.header) : err(refuseEnvelope(parsed.error))
}

const LINE_FEED = 0x0a

const boundsOf = (limits: Limits) => ({
  maxItems: limits.ITEMS_PER_ENVELOPE,
  maxHeaderBytes: limits.HEADER_LINE_BYTES,
  maxHeaderDepth: limits.JSON_DEPTH,
})

const readEnvelope = (body: Buffer, limits: Limits): Interpreted | Promise<Interpreted> => {
  const parsed = inSlices(envelopeSteps(body, boundsOf(limits), limits.DOOR_TURN_BYTES))
  const finish = (result: ParseResult<Envelope, EnvelopeError>): Interpreted => one(draftOf(body, result))
  return parsed instanceof Promise ? parsed.then(finish) : finish(parsed)
}

const draftOf = (body: Buffer, parsed: ParseResult<Envelope, EnvelopeError>): Result<Draft, Refusal> =>
  parsed.ok ? ok({ envelope: parsed.value, received: body }) : err(refuseEnvelope(parsed.error))

const refuseEnvelope = ({ code, message, offset }: EnvelopeError): Refusal => {
  if (code === 'too_many_items') return refuse(413, 'too_many_items', message)
  const causes = code === 'empty_body' ? [] : [`at byte ${offset} of the envelope`]
  return refuse(400, 'invalid_envelope', code === 'empty_body' ? message : `invalid envelope: ${message}`, { causes })
}

/** `GET /store/?sentry_data=`: base64, whose `+` a query string turns into a space. */
const readStoreQuery = (query: string, limits: Limits): Result<Draft, Refusal> => {
  const data = queryParameter(query, 'sentry_data')
  if (data === null || data === '') return err(refuse(400, 'invalid_envelope', 'parameter sentry_data is missing'))
  const text = data.trimStart().startsWith('{') ? data : data.replaceAll(' ', '+')
  return readStore(Buffer.from(text), limits, newEventId)
}
