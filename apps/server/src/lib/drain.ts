import type { IncomingMessage } from 'node:http'

/**
 * Lets the rest of a body pass unread after it was refused, so that the client gets to read the answer and may use the
 * connection again; cuts the connection when that takes too long.
 */
export const drain = (request: IncomingMessage, timeoutMs: number): void => {
  if (request.complete || request.destroyed) return
  const timer = setTimeout(() => request.socket.destroy(), timeoutMs)
  timer.unref()
  request.once('close', () => clearTimeout(timer))
  request.resume()
}
