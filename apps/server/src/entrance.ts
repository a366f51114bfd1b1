import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { answerBrokenRequest } from './http/index.ts'
import { drain } from './lib/drain.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Stands between the port and who answers, because the port is taken before the stores are open, and is left before they
 * are closed. Requests that come early wait with their bodies unread; `/_health/` tells that the server is starting.
 */
export interface Entrance {
  readonly handle: Handler
  /**
   * For each new connection. Node closes one that is not kept as soon as the answer is written, also while the request is
   * still coming. The sender's next bytes would then be answered with a reset, over which it loses the answer: SDKs that
   * do not keep connections and proxies that speak HTTP/1.0 would see a network error and no reason. So the connection
   * ends when the request has been read.
   */
  readonly connected: (socket: Socket) => void
  /** For requests that cannot be read; never in the midst of an answer. */
  broken(error: NodeJS.ErrnoException, socket: Duplex): void
  open(handler: Handler): void
  /**
   * Answers from now on, those under way included, end their connections: otherwise senders that keep theirs busy would go
   * on until they are cut off in the midst of a request.
   */
  close(): void
}

/** @param drainMs time that the rest of a request may take after its answer */
export const createEntrance = (drainMs: number): Entrance => {
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
    connected: (socket) => {
      const closeAtOnce = socket.destroySoon.bind(socket)
      let isEnding = false
      socket.destroySoon = () => {
        const request = lastAnswers.get(socket)?.req
        if (request === undefined || request.complete || request.destroyed) return closeAtOnce()
        if (isEnding) return
        isEnding = true
        socket.end()
        request.once('end', closeAtOnce)
        drain(request, drainMs)
      }
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
