import type { IncomingMessage } from 'node:http'
import { answerBrokenRequest } from './broken-request.ts'

const bounds = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/**
 * Ends a request that has not arrived by then. Node bounds the time of all requests by one number, which the largest body
 * of an SDK needs. Called again, the new bound takes the place of the one before: whoever may send files has longer, once
 * that is known of them.
 */
export const boundRequestTime = (request: IncomingMessage, ms: number): void => {
  if (request.complete) return
  const before = bounds.get(request)
  const timer = setTimeout(() => {
    if (!request.complete) answerBrokenRequest('ERR_HTTP_REQUEST_TIMEOUT', request.socket)
  }, ms)
  timer.unref()
  bounds.set(request, timer)
  if (before !== undefined) {
    clearTimeout(before)
    return
  }
  const isHere = (): void => clearTimeout(bounds.get(request))
  request.once('end', isHere).once('close', isHere)
}
