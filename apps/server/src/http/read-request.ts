import { isListSchema } from '@firsthand/contract'
import type { Endpoint } from '@firsthand/contract'
import { jsonDepthWithin } from '@firsthand/protocol'
import type { z } from 'zod'
import { LIMITS } from './limits.ts'
import { LIMITS as INGEST_LIMITS } from '../ingest/limits.ts'
import { badRequest, HttpError } from './errors.ts'
import { createGatheredPieces } from '../lib/gathered-pieces.ts'

/** From a raw request to what an endpoint's schemas promise. Each function throws a 4xx `HttpError` instead. */

const fieldsOf = (error: z.ZodError): Record<string, string> => {
  const fields: Record<string, string> = Object.create(null) as Record<string, string>
  for (const issue of error.issues) fields[issue.path.join('.') || '(body)'] ??= issue.message
  return fields
}

const refuse = (what: string, error: z.ZodError): HttpError => {
  const fields = fieldsOf(error)
  const [name, message] = Object.entries(fields)[0] ?? ['', 'not readable']
  return badRequest(`The ${what} cannot be used: ${name}: ${message}`, fields)
}

export const readParams = (
  names: readonly string[],
  param: (name: string) => string | undefined,
): Record<string, string> =>
  Object.fromEntries(
    names.map((name) => {
      const value = param(name) ?? ''
      if (value === '' || value.length > LIMITS.API_PARAMETER_CHARACTERS) {
        throw badRequest(`The path parameter "${name}" is empty or too long.`)
      }
      return [name, value]
    }),
  )

/** A parameter that is present but empty stands for an absent one where an empty text would mean nothing. */
const MEANINGLESS_WHEN_EMPTY = new Set([
  'cursor',
  'limit',
  'per_page',
  'start',
  'end',
  'statsPeriod',
  'interval',
  'sort',
])

export const readQuery = (endpoint: Endpoint, search: URLSearchParams): unknown => {
  if (endpoint.query === undefined) return undefined
  const given: Record<string, unknown> = {}
  for (const [key, schema] of Object.entries(endpoint.query.shape)) {
    const values = search.getAll(key).filter((value) => value !== '' || !MEANINGLESS_WHEN_EMPTY.has(key))
    if (values.length > 0) given[key] = isListSchema(schema) ? values : values.at(-1)
  }
  // Sentry's API calls it `per_page` nearly everywhere, and `limit` on issues.
  const { shape } = endpoint.query
  if ('cursor' in shape && 'limit' in shape && !('per_page' in shape))
    given['limit'] ??= search.get('per_page') || undefined
  const parsed = endpoint.query.safeParse(given)
  if (!parsed.success) throw refuse('query', parsed.error)
  return parsed.data
}

const tooLarge = (limit: number): HttpError =>
  new HttpError(413, `The body is larger than ${limit} bytes. Send less in one call.`)

/** Bounded in size and, against senders that dribble, in time. */
const readBytes = async (request: Request, limit: number): Promise<Buffer> => {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  if (request.body === null) return Buffer.alloc(0)
  const reader = request.body.getReader()
  let late = false
  const timer = setTimeout(() => {
    late = true
    // The stream is given up either way; the caller is told by the HttpError below.
    reader.cancel().catch(() => {})
  }, INGEST_LIMITS.BODY_TIMEOUT_MS)
  const gathered = createGatheredPieces()
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (late) throw new HttpError(408, `The body did not arrive within ${INGEST_LIMITS.BODY_TIMEOUT_MS} ms.`)
      if (done) return Buffer.concat(gathered.all())
      size += value.byteLength
      if (size > limit) {
        reader.cancel().catch(() => {})
        throw tooLarge(limit)
      }
      gathered.add(value)
    }
  } finally {
    clearTimeout(timer)
  }
}

/** @param isKnown whether somebody has signed in or shown a token: strangers have little to say, and may not make much work */
export const readBody = async (endpoint: Endpoint, request: Request, isKnown: boolean): Promise<unknown> => {
  if (endpoint.body === undefined) return undefined
  // A form of another site can send text/plain, but not JSON without asking first (CORS).
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(request.headers.get('content-type') ?? '')) {
    throw new HttpError(415, 'Send the body as JSON, with "Content-Type: application/json".')
  }
  const bytes = await readBytes(request, isKnown ? LIMITS.API_BODY_BYTES : LIMITS.API_STRANGER_BODY_BYTES)
  if (!jsonDepthWithin(bytes, LIMITS.API_JSON_DEPTH)) {
    throw new HttpError(
      400,
      `The body nests arrays and objects deeper than ${LIMITS.API_JSON_DEPTH}. Nothing here needs that.`,
    )
  }
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new HttpError(400, 'The body is not valid JSON (UTF-8).', { cause })
  }
  const parsed = endpoint.body.safeParse(json)
  if (!parsed.success) throw refuse('body', parsed.error)
  return parsed.data
}
