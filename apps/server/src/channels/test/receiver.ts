import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedCall {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type Answering = (call: ReceivedCall, response: ServerResponse) => void

/** A real server on loopback that keeps what it gets, and answers as a test wants. */
export interface Receiver {
  readonly url: string
  readonly calls: ReceivedCall[]
  answer: Answering
  close(): Promise<void>
}

export const OK: Answering = (_call, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
}

export const withStatus =
  (status: number, headers: Readonly<Record<string, string>> = {}, text = ''): Answering =>
  (_call, response) => {
    response.writeHead(status, headers).end(text)
  }

export const startReceiver = async (): Promise<Receiver> => {
  const calls: ReceivedCall[] = []
  const receiver: { answer: Answering } = { answer: OK }
  const server: Server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const call = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(pieces).toString('utf8'),
      }
      calls.push(call)
      receiver.answer(call, response)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${port}`,
    calls,
    close: () =>
      new Promise<void>((closed) => {
        server.closeAllConnections()
        server.close(() => closed())
      }),
  })
}
