import type { ServerResponse } from 'node:http'
import { StatementRefusal } from '../../lib/statement-refusal.ts'
import { StoreFault } from '../../lib/store-fault.ts'
import { LIMITS } from '../limits.ts'
import type { Refusal } from './refusal.ts'

/**
 * Answers of the ingest routes (protocol.md 2.3 and 2.4). Every one of them can be read by a page of any origin, errors
 * too: a browser hides a 413 without these headers from the SDK.
 */
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
}

const PREFLIGHT = {
  ...CORS,
  'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
  'Access-Control-Allow-Headers': [
    'x-sentry-auth, x-requested-with, x-forwarded-for, origin, referer, accept, content-type, authentication',
    'authorization, content-encoding, transfer-encoding, sentry-trace, baggage, traceparent',
  ].join(', '),
  'Access-Control-Max-Age': '3600',
  'Content-Length': '0',
}

export interface Success {
  readonly status: 200 | 201 | 202
  readonly contentType: string | null
  readonly body: string | Buffer
  /** Value of `X-Sentry-Rate-Limits`. */
  readonly rateLimits: string | null
}

export const answerPreflight = (response: ServerResponse): void => {
  response.writeHead(200, PREFLIGHT).end()
}

export const answerSuccess = (response: ServerResponse, success: Success): void => {
  const { body, contentType, rateLimits, status } = success
  const headers: Record<string, string | number> = {
    ...CORS,
    'Content-Length': typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength,
  }
  if (contentType !== null) headers['Content-Type'] = contentType
  if (rateLimits !== null) headers['X-Sentry-Rate-Limits'] = rateLimits
  response.writeHead(status, headers).end(body)
}

export const answerRefusal = (response: ServerResponse, refusal: Refusal): void => {
  answerError(response, refusal.status, refusal)
}

export const answerFailure = (response: ServerResponse, error: unknown): void => {
  if (error instanceof StoreFault || error instanceof StatementRefusal) {
    const detail = 'the keys cannot be looked up at this moment; send again later'
    answerError(response, 503, { detail, causes: [], retryAfterSeconds: LIMITS.UNAVAILABLE_RETRY_SECONDS })
    return
  }
  answerError(response, 500, { detail: 'internal error; the server log says more', causes: [] })
}

const answerError = (
  response: ServerResponse,
  status: number,
  error: Pick<Refusal, 'detail' | 'causes' | 'retryAfterSeconds' | 'rateLimits' | 'fields'>,
): void => {
  const body = JSON.stringify({ detail: error.detail, causes: error.causes, ...error.fields })
  const headers: Record<string, string | number> = {
    ...CORS,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-Sentry-Error': error.detail,
  }
  if (error.retryAfterSeconds !== undefined) headers['Retry-After'] = error.retryAfterSeconds
  if (error.rateLimits !== undefined) headers['X-Sentry-Rate-Limits'] = error.rateLimits
  if (status === 405) headers['Allow'] = 'POST, OPTIONS'
  if (status === 408) headers['Connection'] = 'close'
  response.writeHead(status, headers).end(body)
}
