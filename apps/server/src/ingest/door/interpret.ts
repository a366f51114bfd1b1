import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { parseEnvelope } from '@firsthand/protocol'
import { err, ok, type Result } from '../../lib/result.ts'
import { queryParameter } from './query.ts'
import { readCheckIn } from './read-check-in.ts'
import { readAttachments, readMinidump, readUnreal } from './read-minidump.ts'
import { readOtlp } from './read-otlp.ts'
import { mediaType, readNetworkErrors, readSecurityReports } from './read-reports.ts'
import { readStore } from './read-store.ts'
import { readErrorPage, readUserFeedback } from './read-user-report.ts'
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
      return one(readEnvelope(body, limits))
    case 'store':
      if (request.method === 'GET') return one(readStoreQuery(query, limits))
      if (mediaType(contentType) === 'application/x-sentry-envelope') return one(readEnvelope(body, limits))
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
    case 'user_feedback':
      return one(readUserFeedback(body, limits))
    case 'error_page':
      return one(readErrorPage(body, query))
  }
}

const one = (draft: Result<Draft, Refusal>): Result<readonly Draft[], Refusal> => (draft.ok ? ok([draft.value]) : draft)

const readEnvelope = (body: Buffer, limits: Limits): Result<Draft, Refusal> => {
  const parsed = parseEnvelope(body, {
    maxItems: limits.ITEMS_PER_ENVELOPE,
    maxHeaderBytes: limits.HEADER_LINE_BYTES,
    maxHeaderDepth: limits.JSON_DEPTH,
  })
  if (parsed.ok) return ok({ envelope: parsed.value, received: body })
  const { code, message, offset } = parsed.error
  if (code === 'too_many_items') return err(refuse(413, 'too_many_items', message))
  const causes = code === 'empty_body' ? [] : [`at byte ${offset} of the envelope`]
  return err(
    refuse(400, 'invalid_envelope', code === 'empty_body' ? message : `invalid envelope: ${message}`, { causes }),
  )
}

/** `GET /store/?sentry_data=`: base64, whose `+` a query string turns into a space. */
const readStoreQuery = (query: string, limits: Limits): Result<Draft, Refusal> => {
  const data = queryParameter(query, 'sentry_data')
  if (data === null || data === '') return err(refuse(400, 'invalid_envelope', 'parameter sentry_data is missing'))
  const text = data.trimStart().startsWith('{') ? data : data.replaceAll(' ', '+')
  return readStore(Buffer.from(text), limits, newEventId)
}
