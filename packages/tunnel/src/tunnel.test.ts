import { createServer } from 'node:http'
import type { IncomingHttpHeaders, RequestListener, Server } from 'node:http'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { serve } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { tunnelPlugin } from './fastify.ts'
import { tunnelHandler } from './hono.ts'
import { createTunnel } from './index.ts'
import { tunnelRoute } from './next.ts'
import { tunnelListener } from './node.ts'

interface Arrived {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** The server of the DSN: real HTTP, which says what reached it. */
let upstream: Server
let port = 0
const arrived: Arrived[] = []
let answer: RequestListener | null = null

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

beforeAll(async () => {
  upstream = createServer((request, response) => {
    if (answer !== null) {
      answer(request, response)
      return
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    request.on('end', () => {
      arrived.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
      response.writeHead(200, {
        'content-type': 'application/json',
        'x-sentry-rate-limits': '60:error:key',
        'set-cookie': 'session=upstream',
      })
      response.end('{"id":"9ec79c33ec9942ab8353589fcb2e04dc"}')
    })
  })
  port = await listen(upstream)
})
afterEach(() => {
  arrived.length = 0
  answer = null
})
afterAll(() => {
  upstream.closeAllConnections()
  upstream.close()
})

const dsn = (): string => `http://publickey@127.0.0.1:${port}/42`
const envelope = (to: string = dsn(), message = 'm'): string =>
  `{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc","dsn":"${to}"}\n{"type":"event"}\n{"message":"${message}"}`

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}): Request =>
  new Request('http://shop.example/reports', { method: 'POST', body, headers })

describe('the tunnel', () => {
  it('passes an envelope on as it came, and the answer back, without cookies either way', async () => {
    const tunnel = createTunnel({ dsns: [dsn()] })
    const response = await tunnel(
      post(envelope(), {
        'content-type': 'text/plain',
        'user-agent': 'Browser/1',
        origin: 'https://shop.example',
        cookie: 'session=mine',
        authorization: 'Bearer mine',
        'x-forwarded-for': '6.6.6.6',
      }),
      { address: '203.0.113.7' },
    )
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ id: '9ec79c33ec9942ab8353589fcb2e04dc' })
    expect(response.headers.get('x-sentry-rate-limits')).toBe('60:error:key')
    expect(response.headers.get('set-cookie')).toBeNull()
    const [one] = arrived
    expect(one?.path).toBe('/api/42/envelope/')
    expect(one?.body.toString()).toBe(envelope())
    expect(one?.headers).toMatchObject({
      'x-sentry-auth': 'Sentry sentry_version=7, sentry_key=publickey',
      'content-type': 'text/plain',
      'user-agent': 'Browser/1',
      origin: 'https://shop.example',
      'x-forwarded-for': '203.0.113.7',
    })
    expect(one?.headers.cookie).toBeUndefined()
    expect(one?.headers.authorization).toBeUndefined()
  })

  it('names no address when nobody knows one, and believes a header only when told to', async () => {
    const headers = { 'x-real-ip': '203.0.113.9', 'x-forwarded-for': '6.6.6.6' }
    await createTunnel({ dsns: [dsn()] })(post(envelope(), headers))
    await createTunnel({ dsns: [dsn()], addressHeader: 'x-real-ip' })(post(envelope(), headers))
    expect(arrived.map((one) => one.headers['x-forwarded-for'])).toEqual([undefined, '203.0.113.9'])
  })

  it.each([
    ['another project', (own: string) => own.replace(/42$/, '43')],
    ['another key', (own: string) => own.replace('publickey', 'otherkey')],
    ['another port', (own: string) => own.replace(/:\d+\//, ':1/')],
    ['another host', (own: string) => own.replace('127.0.0.1', 'localhost')],
    ['another protocol', (own: string) => own.replace('http:', 'https:')],
    ['another path', (own: string) => own.replace('/42', '/elsewhere/42')],
    ['a user part that looks like a host', (own: string) => own.replace('publickey', 'publickey:x')],
  ])('is no open relay: %s is 403', async (name, change) => {
    const response = await createTunnel({ dsns: [dsn()] })(post(envelope(change(dsn()))))
    // The obsolete secret of a DSN is no part of who is meant.
    expect(response.status).toBe(name.startsWith('a user part') ? 200 : 403)
    expect(arrived.length).toBe(name.startsWith('a user part') ? 1 : 0)
  })

  it.each([
    ['no DSN in the header', '{"event_id":"a"}\n{}', 403],
    ['a DSN that is none', '{"dsn":"javascript:alert(1)"}\n{}', 403],
    ['a DSN that is no text', '{"dsn":{"toString":1}}\n{}', 403],
    ['no JSON', 'hello\nworld', 400],
    ['an array', '[]\n', 400],
    ['no line feed', '{"dsn":"x"}', 400],
    ['a header line without end', `{"dsn":"${'x'.repeat(100_000)}"}\n`, 400],
    ['nothing', '', 400],
  ])('%s → %i', async (_, body, status) => {
    const response = await createTunnel({ dsns: [dsn()] })(post(body))
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ detail: expect.any(String), causes: [] })
    expect(arrived).toEqual([])
  })

  it('takes only POST', async () => {
    const response = await createTunnel({ dsns: [dsn()] })(new Request('http://shop.example/reports'))
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('reads the header line of a compressed body and passes the bytes on as they are', async () => {
    const body = new Uint8Array(gzipSync(envelope(dsn(), 'x'.repeat(300_000))))
    const response = await createTunnel({ dsns: [dsn()] })(post(body, { 'content-encoding': 'gzip' }))
    expect(response.status).toBe(200)
    expect(arrived[0]?.headers['content-encoding']).toBe('gzip')
    expect(arrived[0]?.body.equals(Buffer.from(body))).toBe(true)
  })

  it('does not inflate a bomb to look for its first line', async () => {
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(50_000_000, 0x20)))
    const response = await createTunnel({ dsns: [dsn()] })(post(bomb, { 'content-encoding': 'gzip' }))
    expect(response.status).toBe(400)
  })

  it.each([
    ['br', 415],
    ['gzip', 400],
  ])('a body that is not what "%s" says → %i', async (encoding, status) => {
    const response = await createTunnel({ dsns: [dsn()] })(post(envelope(), { 'content-encoding': encoding }))
    expect(response.status).toBe(status)
  })

  it('bounds the body, with or without a length in its header', async () => {
    const large = envelope(dsn(), 'x'.repeat(200_000))
    const tunnel = createTunnel({ dsns: [dsn()], maxBytes: 100_000 })
    const streamed = new Request('http://shop.example/reports', {
      method: 'POST',
      body: new Blob([large]).stream(),
      duplex: 'half',
    })
    expect((await tunnel(post(large, { 'content-length': String(large.length) }))).status).toBe(413)
    expect((await tunnel(streamed)).status).toBe(413)
    expect(arrived).toEqual([])
  })

  it('says 502 when the server is away or leads elsewhere, and 504 when it is too slow', async () => {
    const away = `http://publickey@127.0.0.1:1/42`
    expect((await createTunnel({ dsns: [away] })(post(envelope(away)))).status).toBe(502)
    answer = (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    expect((await createTunnel({ dsns: [dsn()] })(post(envelope()))).status).toBe(502)
    answer = () => undefined
    expect((await createTunnel({ dsns: [dsn()], timeoutMs: 50 })(post(envelope()))).status).toBe(504)
  })

  it('has patience with a visitor whose connection is slow, and none with a server that stops taking', async () => {
    const slow = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const part = parts.shift()
        if (part === undefined) return controller.close()
        await new Promise((resolve) => setTimeout(resolve, 500))
        controller.enqueue(new TextEncoder().encode(part))
      },
    })
    const whole = envelope(dsn(), 'x'.repeat(400_000))
    const parts = Array.from({ length: 5 }, (_, index) => whole.slice(index * 100_000, (index + 1) * 100_000))
    const tunnel = createTunnel({ dsns: [dsn()], timeoutMs: 2000 })
    const request = (body: ReadableStream<Uint8Array>): Request =>
      new Request('http://shop.example/reports', { method: 'POST', body, duplex: 'half' })
    expect((await tunnel(request(slow))).status).toBe(200)
    expect(arrived[0]?.body.toString()).toBe(whole)
    answer = (asked) => asked.pause()
    const large = new Blob([envelope(dsn(), 'x'.repeat(15_000_000))]).stream()
    expect((await tunnel(request(large))).status).toBe(504)
  })

  it('ends an answer that does not end', async () => {
    answer = (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":')
    const response = await createTunnel({ dsns: [dsn()], timeoutMs: 1500 })(post(envelope()))
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('no progress')
  })

  it('passes refusals of the server back', async () => {
    answer = (_, response) =>
      response.writeHead(429, { 'retry-after': '60', 'content-type': 'application/json' }).end('{"detail":"slow down"}')
    const response = await createTunnel({ dsns: [dsn()] })(post(envelope()))
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
      429,
      '60',
      { detail: 'slow down' },
    ])
  })

  it('tells the site at its start that a DSN is none', () => {
    expect(() => createTunnel({ dsns: ['shop'] })).toThrow('"shop" is no DSN')
  })
})

describe('adapters', () => {
  const send = (to: number): Promise<Response> =>
    fetch(`http://127.0.0.1:${to}/reports`, {
      method: 'POST',
      body: envelope(),
      headers: { 'content-type': 'text/plain;charset=UTF-8' },
    })
  /** What came back, and what reached the server of the DSN. */
  const outcomeOf = async (response: Response): Promise<unknown[]> => {
    const one = arrived.at(-1)
    const address = String(one?.headers['x-forwarded-for']).replace('::ffff:', '')
    return [response.status, await response.json(), one?.body.toString(), address]
  }
  const passed = (): unknown[] => [200, { id: '9ec79c33ec9942ab8353589fcb2e04dc' }, envelope(), '127.0.0.1']

  it.each(['TRACE', 'DELETE', 'OPTIONS', 'GET', 'HEAD'])(
    'node:http answers %s with 405, and goes on',
    async (method) => {
      const listener = tunnelListener({ dsns: [dsn()] })
      const server = createServer((request, response) => void listener(request, response))
      const to = await listen(server)
      const answered = await new Promise<string>((resolve, reject) => {
        const socket = connect(to, '127.0.0.1', () => socket.write(`${method} /reports HTTP/1.1\r\nHost: shop\r\n\r\n`))
        socket.on('data', (chunk: Buffer) => resolve(chunk.toString()))
        socket.on('error', reject)
        socket.on('close', () => reject(new Error('closed without an answer')))
      })
      expect(answered).toMatch(/^HTTP\/1.1 405 /)
      expect(await outcomeOf(await send(to))).toEqual(passed())
      server.closeAllConnections()
      server.close()
    },
  )

  it('node:http: a visitor who leaves in the middle leaves nothing behind, and the next one is served', async () => {
    const listener = tunnelListener({ dsns: [dsn()] })
    const server = createServer((request, response) => void listener(request, response))
    const to = await listen(server)
    for (const length of [100, 200_000]) {
      const socket = connect(to, '127.0.0.1', () => {
        socket.write(`POST /reports HTTP/1.1\r\nHost: shop\r\nContent-Length: 1000000\r\n\r\n`)
        socket.write(envelope(dsn(), 'x'.repeat(length)))
      })
      // The visitor leaves when so much has come: a little to the site, or a part of it to the server of the DSN.
      const broken = new Promise<boolean>((resolve) => {
        const leave = () => socket.destroy()
        if (length < 100_000) {
          server.once('request', (asked) => asked.once('data', leave).once('close', () => resolve(!asked.complete)))
        } else answer = (asked) => asked.once('data', leave).on('close', () => resolve(!asked.complete))
      })
      expect(await broken).toBe(true)
    }
    answer = null
    expect(arrived).toEqual([])
    expect(await outcomeOf(await send(to))).toEqual(passed())
    server.closeAllConnections()
    server.close()
  })

  it.each(['text', 'raw'] as const)('behind express.%s(), which takes the encoding off', async (parser) => {
    const app = express()
    app.use(express[parser]({ type: '*/*' }))
    app.post('/reports', tunnelListener({ dsns: [dsn()] }))
    const server = createServer(app)
    const response = await fetch(`http://127.0.0.1:${await listen(server)}/reports`, {
      method: 'POST',
      body: new Uint8Array(gzipSync(envelope())),
      headers: { 'content-encoding': 'gzip', 'content-type': 'application/x-sentry-envelope' },
    })
    expect(await outcomeOf(response)).toEqual(passed())
    expect(arrived[0]?.headers['content-encoding']).toBeUndefined()
    server.closeAllConnections()
    server.close()
  })

  it('node:http', async () => {
    const listener = tunnelListener({ dsns: [dsn()] })
    const server = createServer((request, response) => void listener(request, response))
    expect(await outcomeOf(await send(await listen(server)))).toEqual(passed())
    server.closeAllConnections()
    server.close()
  })

  it.each(['alone', 'behind express.text()', 'behind express.raw()'])('Express, %s', async (how) => {
    const app = express()
    if (how.includes('text')) app.use(express.text({ type: '*/*' }))
    if (how.includes('raw')) app.use(express.raw({ type: '*/*' }))
    app.post('/reports', tunnelListener({ dsns: [dsn()] }))
    const server = createServer(app)
    expect(await outcomeOf(await send(await listen(server)))).toEqual(passed())
    server.closeAllConnections()
    server.close()
  })

  it('Fastify', async () => {
    const app = fastify()
    app.register(tunnelPlugin({ path: '/reports', dsns: [dsn()] }))
    await app.listen({ port: 0, host: '127.0.0.1' })
    const address = app.server.address()
    expect(await outcomeOf(await send(typeof address === 'object' && address !== null ? address.port : 0))).toEqual(
      passed(),
    )
    await app.close()
  })

  it('Hono', async () => {
    const app = new Hono()
    app.post('/reports', tunnelHandler({ dsns: [dsn()] }))
    const { promise, resolve } = Promise.withResolvers<number>()
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (info) => resolve(info.port))
    expect(await outcomeOf(await send(await promise))).toEqual(passed())
    server.close()
  })

  it('Next.js route handler', async () => {
    const response = await tunnelRoute({ dsns: [dsn()], addressHeader: 'x-real-ip' })(
      post(envelope(), { 'x-real-ip': '127.0.0.1' }),
    )
    expect(await outcomeOf(response)).toEqual(passed())
  })
})
