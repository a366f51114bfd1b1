import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { answerBrokenRequest } from './http/index.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Stands between the port and who answers, because the port is taken before the stores are open, and is left before they
 * are closed. Requests that come early wait with their bodies unread; `/_health/` tells that the server is starting.
 */
export interface Entrance {
  readonly handle: Handler
  /** For requests that cannot be read; never in the midst of an answer. */
  broken(error: NodeJS.ErrnoException, socket: Duplex): void
  open(handler: Handler): void
  /**
   * Answers from now on, those under way included, end their connections: otherwise senders that keep theirs busy would go
   * on until they are cut off in the midst of a request.
   */
  close(): void
}

export const createEntrance = (): Entrance => {
  let handler: Handler | null = null
  let closing = false
  let early: { readonly request: IncomingMessage; readonly response: ServerResponse }[] = []
  const underWay = new Set<ServerResponse>()
  const lastAnswers = new WeakMap<Duplex, ServerResponse>()

  const endConnection = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('connection', 'close')
  }

  return {
    handle: (request, response) => {
      underWay.add(response)
      lastAnswers.set(request.socket, response)
      response.once('close', () => underWay.delete(response))
      if (closing) endConnection(response)
      if (handler !== null) handler(request, response)
      else if (/^\/_health\/?$/.test(request.url ?? '')) {
        response.writeHead(503, { 'content-type': 'application/json', 'cache-control': 'no-store' })
        response.end('{"status":"starting"}')
      } else early.push({ request, response })
    },
    broken: (error, socket) => {
      const last = lastAnswers.get(socket)
      const answering = last !== undefined && last.headersSent && !last.writableFinished
      if (error.code === 'ECONNRESET' || !socket.writable || answering) socket.destroy()
      else answerBrokenRequest(error.code, socket)
    },
    open: (opened) => {
      handler = opened
      for (const { request, response } of early) if (!response.destroyed) opened(request, response)
      early = []
    },
    close: () => {
      closing = true
      for (const response of underWay) endConnection(response)
    },
  }
}
