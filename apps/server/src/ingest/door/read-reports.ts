import { encodeUtf8, jsonDepthWithin, decodeUtf8 } from '@firsthand/protocol'
import { err, ok, type Result } from '../../lib/result.ts'
import { makeDraft, makeItem, type Draft } from './draft.ts'
import { queryParameter } from './query.ts'
import { refuse, type Refusal } from './refusal.ts'
import type { Limits } from './door.ts'

const SECURITY_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/csp-report',
  'application/hpkp-report',
  'application/hpkp-report+json',
  'application/expect-ct-report',
  'application/expect-ct-report+json',
  'application/expect-staple-report',
  'application/reports+json',
])
const NEL_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/reports+json'])

/** The media type of a `Content-Type`, lower case, without parameters. */
export const mediaType = (header: string | undefined): string => header?.split(';', 1)[0]?.trim().toLowerCase() ?? ''

interface ReportRequest {
  readonly body: Uint8Array
  readonly contentType: string | undefined
  readonly query: string
  readonly limits: Limits
  readonly newEventId: () => string
}

/**
 * `/security/`: a classic report becomes one `raw_security` item as it is; each entry of a Reporting API array becomes an
 * item (`nel` for network errors) of an envelope of its own, because each is an event (protocol.md 2.7 and check 46).
 */
export const readSecurityReports = (request: ReportRequest): Result<readonly Draft[], Refusal> => {
  if (!SECURITY_TYPES.has(mediaType(request.contentType))) return err(foreignType(SECURITY_TYPES))
  const release = queryParameter(request.query, 'sentry_release')
  const environment = queryParameter(request.query, 'sentry_environment')
  const header = {
    content_type: 'application/json',
    ...(release === null || release === '' ? {} : { sentry_release: release }),
    ...(environment === null || environment === '' ? {} : { sentry_environment: environment }),
  }
  return readReports(request, (report) => (isNetworkError(report) ? 'nel' : 'raw_security'), header)
}

/** `/nel/`: an array of network error reports. */
export const readNetworkErrors = (request: ReportRequest): Result<readonly Draft[], Refusal> => {
  if (!NEL_TYPES.has(mediaType(request.contentType))) return err(foreignType(NEL_TYPES))
  return readReports(request, () => 'nel', { content_type: 'application/json' })
}

const readReports = (
  { body, limits, newEventId }: ReportRequest,
  typeOf: (report: unknown) => string,
  header: Readonly<Record<string, string>>,
): Result<readonly Draft[], Refusal> => {
  if (body.byteLength === 0) return err(refuse(400, 'invalid_envelope', 'empty request body'))
  if (body.byteLength > limits.EVENT_BYTES) {
    return err(refuse(413, 'too_large', `item of type raw_security is larger than ${limits.EVENT_BYTES} bytes`))
  }
  const value = parseJson(body, limits.JSON_DEPTH)
  if (typeof value !== 'object' || value === null) {
    return err(refuse(400, 'invalid_json', 'invalid JSON in report', { causes: ['not a JSON object or array'] }))
  }
  if (!Array.isArray(value)) return ok([makeDraft(newEventId(), [makeItem(typeOf(value), body, header)])])
  if (value.length > limits.REPORTS_PER_REQUEST) {
    return err(refuse(413, 'too_many_items', `request has more than ${limits.REPORTS_PER_REQUEST} reports`))
  }
  const reports: readonly unknown[] = value
  return ok(
    reports
      .filter((report) => typeof report === 'object' && report !== null)
      .map((report) => makeDraft(newEventId(), [makeItem(typeOf(report), encodeUtf8(JSON.stringify(report)), header)])),
  )
}

const parseJson = (body: Uint8Array, maxDepth: number): unknown => {
  if (!jsonDepthWithin(body, maxDepth)) return undefined
  try {
    return JSON.parse(decodeUtf8(body))
  } catch {
    // The caller answers 400, as for any other value that is no report.
    return undefined
  }
}

const isNetworkError = (report: unknown): boolean =>
  typeof report === 'object' && report !== null && 'type' in report && report.type === 'network-error'

const foreignType = (accepted: ReadonlySet<string>): Refusal =>
  refuse(415, 'unsupported_media_type', 'unsupported content type', {
    causes: [`This route takes ${[...accepted].join(', ')}.`],
  })
