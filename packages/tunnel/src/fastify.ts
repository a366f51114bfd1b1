import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { toFetchRequest } from './node.ts'
import { createTunnel } from './tunnel.ts'
import type { TunnelOptions } from './tunnel.ts'

interface FastifyRequest {
  readonly raw: IncomingMessage
  readonly body: unknown
  /** Follows Fastify's `trustProxy`. */
  readonly ip: string
}

interface FastifyReply {
  status(code: number): FastifyReply
  headers(values: Record<string, string>): FastifyReply
  send(body: unknown): FastifyReply
}

interface Fastify {
  removeAllContentTypeParsers(): void
  addContentTypeParser(
    type: string,
    parser: (request: unknown, payload: IncomingMessage, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown
  post(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>): unknown
}

/**
 * A Fastify plug-in: `app.register(tunnelPlugin({ path: '/reports', dsns: [dsn] }))`. Bodies of its route stay unread;
 * those of other routes are none of its business.
 */
export const tunnelPlugin = ({
  path,
  ...options
}: TunnelOptions & { readonly path: string }): ((app: Fastify) => Promise<void>) => {
  const tunnel = createTunnel(options)
  return (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    app.post(path, async (request, reply) => {
      const body = Readable.toWeb(request.raw) as ReadableStream<Uint8Array>
      const answer = await tunnel(toFetchRequest(request.raw, body), { address: request.ip })
      const sent = answer.body === null ? null : Readable.fromWeb(answer.body as NodeStream<Uint8Array>)
      return reply.status(answer.status).headers(Object.fromEntries(answer.headers)).send(sent)
    })
    return Promise.resolve()
  }
}
