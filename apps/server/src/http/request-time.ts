import type { IncomingMessage } from 'node:http'
import { answerBrokenRequest } from './broken-request.ts'
import { LIMITS } from './limits.ts'

/** How long a request may take to arrive: files come over lines of any kind. */
export const timeOf = ({ headers }: Pick<IncomingMessage, 'headers'>): number =>
  /^multipart\/form-data\b/i.test(headers['content-type'] ?? '')
    ? LIMITS.API_UPLOAD_TIMEOUT_MS
    : LIMITS.REQUEST_TIMEOUT_MS

/**
 * Ends a request that has not arrived by then. Node bounds the time of all requests by one number, which the largest body
 * of an SDK needs.
 */
export const boundRequestTime = (request: IncomingMessage, ms: number): void => {
  if (request.complete) return
  const timer = setTimeout(() => {
    if (!request.complete) answerBrokenRequest('ERR_HTTP_REQUEST_TIMEOUT', request.socket)
  }, ms)
  timer.unref()
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}
