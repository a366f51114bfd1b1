import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEntrance } from './entrance.ts'

/** Longer than Node reads. */
const LONG = 'a'.repeat(100_000)

describe('requests that cannot be read', () => {
  let server: Server
  let port = 0

  beforeEach(async () => {
    const entrance = createEntrance(60_000)
    server = createServer(entrance.handle)
    server.on('clientError', entrance.broken)
    entrance.open((request, response) => {
      if (request.url !== '/half') return response.end('whole')
      response.writeHead(200, { 'content-length': '100' })
      return response.write('half of it')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  afterEach(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })

  /** Everything that comes back until the server ends the connection. */
  const answerTo = async (...parts: readonly string[]): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => undefined)
    for (const [index, part] of parts.entries()) {
      if (index > 0) await once(socket, 'data')
      socket.write(part)
    }
    if (!socket.destroyed) await once(socket, 'close')
    return text
  }

  it('are answered like every other refusal: why, for whom, and readable from other sites', async () => {
    const long = await answerTo(`GET /api/0/?query=${LONG} HTTP/1.1\r\nHost: x\r\n\r\n`)
    expect(long).toMatch(/^HTTP\/1\.1 431 /)
    expect(long).toContain('Access-Control-Allow-Origin: *')
    const [head = '', body = ''] = long.split('\r\n\r\n')
    expect(JSON.parse(body)).toEqual({ detail: expect.stringContaining('too long') })
    expect(head).toContain(`Content-Length: ${body.length}`)
    expect(await answerTo('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*"detail"/)
  })

  it('are answered on a connection that served others before', async () => {
    const text = await answerTo('GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'nonsense\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 200 [\s\S]*whole[\s\S]*HTTP\/1\.1 400 /)
  })

  it('never put words into the answer to another', async () => {
    const text = await answerTo('GET /half HTTP/1.1\r\nHost: x\r\n\r\n', 'nonsense\r\n\r\n')
    expect(text).toContain('half of it')
    expect(text).not.toContain('HTTP/1.1 400')
  })
})

describe('a connection that is not kept', () => {
  const REST = Buffer.alloc(20_000_000, 'x')
  let server: Server
  let port = 0
  const start = async (drainMs: number): Promise<void> => {
    const entrance = createEntrance(drainMs)
    server = createServer(entrance.handle)
    server.on('connection', entrance.connected)
    entrance.open((_request, response) => void response.writeHead(401).end('who are you?'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  /** The beginning of a request, and a socket that reads nothing yet. */
  const begin = async (head: string): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    await once(socket, 'connect')
    socket.pause().on('error', () => undefined)
    socket.write(head)
    return socket
  }
  afterEach(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })

  it.each([
    ['HTTP/1.1', `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${REST.byteLength}\r\n\r\n`],
    ['HTTP/1.0', `POST / HTTP/1.0\r\nContent-Length: ${REST.byteLength}\r\n\r\n`],
  ])('tells a sender that reads only when it has sent all, and ends (%s)', async (_version, head) => {
    await start(60_000)
    const socket = await begin(head)
    await new Promise<void>((resolve, reject) => {
      socket.write(REST, (error) => (error ? reject(error) : resolve()))
    })
    expect(await received(socket)).toMatch(/^HTTP\/1\.1 401 [\s\S]*who are you\?/)
    socket.destroy()
  })

  it('is cut when the rest of the request takes too long', async () => {
    await start(50)
    const socket = await begin('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1000\r\n\r\n')
    expect(await received(socket)).toContain('who are you?')
    await expect.poll(() => countConnections(server)).toBe(0)
    socket.destroy()
  })
})

/** Until the server writes no more. */
const received = async (socket: Socket): Promise<string> => {
  const pieces: Buffer[] = []
  socket.on('data', (piece: Buffer) => pieces.push(piece)).resume()
  await once(socket, 'end')
  return Buffer.concat(pieces).toString()
}

const countConnections = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })
