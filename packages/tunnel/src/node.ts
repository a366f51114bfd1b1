import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { createTunnel } from './tunnel.ts'
import type { TunnelOptions } from './tunnel.ts'

/** A handler for `node:http` and Express: `app.post('/reports', tunnelListener({ dsns: [dsn] }))`. */
export const tunnelListener = (
  options: TunnelOptions,
): ((request: IncomingMessage, response: ServerResponse) => Promise<void>) => {
  const tunnel = createTunnel(options)
  return async (request, response) => {
    const answer = await tunnel(toFetchRequest(request, bodyOf(request)), {
      address: request.socket.remoteAddress ?? null,
    })
    await sendAnswer(answer, response)
  }
}

const OPENING_BRACE = 0x7b

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

/** A parser that ran before (`express.text()`, `express.raw()`) has the body; without one it is still to be read. */
const bodyOf = (request: IncomingMessage): Body => {
  const { body } = request as { body?: unknown }
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return new Uint8Array(body)
  return Readable.toWeb(request) as ReadableStream<Uint8Array>
}

export const toFetchRequest = (request: IncomingMessage, body: Body): Request => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string') headers.set(name, value)
  }
  if (isUnpacked(body)) headers.delete('content-encoding')
  const post = { method: 'POST', headers, body, duplex: 'half' as const }
  // The handler looks at the body only, so the host does not matter. Methods other than POST are all refused, so they are
  // not passed on: Node lets some through (TRACE) for which `new Request` throws.
  return new Request('http://localhost/', request.method === 'POST' ? post : { headers })
}

/** Parsers take the encoding off and leave its header. Packed bytes never begin with what an envelope begins with. */
const isUnpacked = (body: Body): boolean =>
  typeof body === 'string' || (body instanceof Uint8Array && body[0] === OPENING_BRACE)

const sendAnswer = async (answer: Response, response: ServerResponse): Promise<void> => {
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  if (answer.body === null) {
    response.end()
    return
  }
  // A visitor who left, or a server that breaks off, ends the answer; there is nobody to be told.
  await pipeline(Readable.fromWeb(answer.body as NodeStream<Uint8Array>), response).catch(() => undefined)
}
