import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createOutgoing, type OutgoingRequest } from './outgoing.ts'

const BOUNDS: OutgoingRequest = { timeoutMs: 20_000, maxBytes: 1000, maxRedirects: 3 }

const servers: Server[] = []
const serve = async (listener: RequestListener): Promise<number> => {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  return (server.address() as AddressInfo).port
}
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const guarded = createOutgoing({ allowedRanges: [] })
const local = createOutgoing({ allowedRanges: ['127.0.0.1'] })
/** Names as they are wanted, and how often each was looked up. */
const naming = (
  names: Readonly<Record<string, readonly (readonly string[])[]>>,
  allowedRanges: readonly string[] = [],
) => {
  const asked: string[] = []
  const outgoing = createOutgoing({
    allowedRanges,
    resolve: async (host) => {
      const answers = names[host] ?? []
      const answer = answers[Math.min(asked.filter((one) => one === host).length, answers.length - 1)]
      asked.push(host)
      return answer ?? []
    },
  })
  return { asked, outgoing }
}

describe('requests to others', () => {
  it('R69 reach nothing on this machine or in its networks, however its address is written', async () => {
    let requests = 0
    const port = await serve((_, response) => {
      requests++
      response.end()
    })
    const hosts = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '0x7f.1',
      '127.0.0.1.',
      '0',
      '0.0.0.0',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      'localhost',
      'LOCALHOST',
      '%6cocalhost',
      '①②⑦.0.0.1',
      '10.1.2.3',
      '100.64.0.1',
      '100.100.100.200',
      '168.63.129.16',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '[fe80::1]',
      '[fc00::1]',
      '[fd00:ec2::254]',
      '[ff02::1]',
      '[2001:db8::1]',
      '[2001::1]',
    ]
    for (const host of hosts) {
      const answer = await guarded.get(`http://${host}:${port}/`, BOUNDS)
      expect({ host, answer }).toEqual({ host, answer: { ok: false, error: 'private_address' } })
    }
    expect(requests).toBe(0)
  })

  it('R69 reach no name with a private address, also where another one of it is not private', async () => {
    const { outgoing } = naming({
      'inner.test': [['10.0.0.1']],
      'both.test': [['93.184.216.34', '127.0.0.1']],
      'mapped.test': [['::ffff:169.254.169.254']],
      'odd.test': [['0177.0.0.1']],
    })
    for (const host of ['inner.test', 'both.test', 'mapped.test', 'odd.test']) {
      expect(await outgoing.get(`http://${host}/`, BOUNDS)).toEqual({ ok: false, error: 'private_address' })
    }
    expect(await outgoing.get('http://nobody.test/', BOUNDS)).toEqual({ ok: false, error: 'unknown_host' })
  })

  it('R69 go to the address that was judged, whatever the name says later', async () => {
    const port = await serve((request, response) => response.end(request.headers.host))
    const { asked, outgoing } = naming({ 'turning.test': [['127.0.0.1'], ['127.0.0.2']] }, ['127.0.0.1'])
    const answer = await outgoing.get(`http://turning.test:${port}/`, BOUNDS)
    expect(answer.ok && Buffer.from(answer.value.bytes).toString()).toBe(`turning.test:${port}`)
    expect(asked).toEqual(['turning.test'])
  })

  it('R69 judge each redirect anew', async () => {
    let requests = 0
    const port = await serve((request, response) => {
      requests++
      const to = new URL(request.url ?? '', 'http://x').searchParams.get('to')
      response.writeHead(302, to === null ? {} : { location: to }).end()
    })
    const { asked, outgoing } = naming({ 'turning.test': [['127.0.0.1'], ['10.0.0.1']] }, ['127.0.0.1'])
    const redirects = {
      'http://127.0.0.2/': 'private_address',
      'http://[::ffff:169.254.169.254]/latest/': 'private_address',
      'http://2852039166/': 'private_address',
      'file:///etc/passwd': 'no_web_address',
      'gopher://127.0.0.1/': 'no_web_address',
      'http://name:word@127.0.0.1/': 'no_web_address',
      [`http://turning.test:${port}/`]: 'private_address',
    }
    for (const [to, error] of Object.entries(redirects)) {
      const host = to.includes('turning') ? 'turning.test' : '127.0.0.1'
      const answer = await outgoing.get(`http://${host}:${port}/?to=${encodeURIComponent(to)}`, BOUNDS)
      expect({ to, answer }).toEqual({ to, answer: { ok: false, error } })
    }
    expect(requests).toBe(Object.keys(redirects).length)
    expect(asked).toEqual(['turning.test', 'turning.test'])
    const elsewhere = await local.get(`http://127.0.0.1:${port}/?to=/elsewhere`, {
      ...BOUNDS,
      allows: ({ pathname }) => pathname === '/',
    })
    expect(elsewhere).toEqual({ ok: false, error: 'not_allowed' })
    expect(requests).toBe(Object.keys(redirects).length + 1)
  })

  it('say how long a body is, whatever the method, and take it to nobody else', async () => {
    const came: string[] = []
    const note =
      (name: string, location?: string): RequestListener =>
      (request, response) => {
        let text = ''
        request.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        request.on('end', () => {
          came.push(`${name} ${request.method} ${request.headers['content-length'] ?? 'none'} ${text}`)
          response.writeHead(location === undefined ? 200 : 307, location === undefined ? {} : { location }).end()
        })
      }
    const other = await serve(note('other'))
    const port = await serve(note('first', `http://127.0.0.1:${other}/`))
    for (const method of ['GET', 'DELETE', 'OPTIONS', 'POST'] as const) {
      const answer = await local.send(`http://127.0.0.1:${port}/`, { ...BOUNDS, method, body: 'sealed' })
      expect(answer.ok && answer.value.status).toBe(method === 'GET' ? 200 : 307)
    }
    expect(came).toEqual([
      'first GET 6 sealed',
      'other GET none ',
      'first DELETE 6 sealed',
      'first OPTIONS 6 sealed',
      'first POST 6 sealed',
    ])
  })

  it('end an answer that comes byte by byte', async () => {
    const port = await serve((_, response) => {
      response.socket?.write(
        `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(5000)}0\r\n\r\n`,
      )
    })
    const bounds = { ...BOUNDS, maxBytes: 1_000_000 }
    expect(await local.get(`http://127.0.0.1:${port}/`, bounds)).toEqual({ ok: false, error: 'failed' })
  })

  it('follow a few redirects and no more', async () => {
    const port = await serve((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) response.end('here')
      else response.writeHead(307, { location: `/${left - 1}` }).end()
    })
    const far = await local.get(`http://127.0.0.1:${port}/3`, BOUNDS)
    expect(far.ok && [far.value.status, far.value.url]).toEqual([200, `http://127.0.0.1:${port}/0`])
    expect(await local.get(`http://127.0.0.1:${port}/4`, BOUNDS)).toEqual({ ok: false, error: 'too_many_redirects' })
  })

  it('end at what is too large, whether it says so or never ends', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/said') response.writeHead(200, { 'content-length': 1001 })
      const write = (): void => {
        while (response.write('x'.repeat(100)));
        response.once('drain', write)
      }
      if (request.url === '/fits') response.end('x'.repeat(1000))
      else write()
    })
    for (const path of ['said', 'endless']) {
      expect(await local.get(`http://127.0.0.1:${port}/${path}`, BOUNDS)).toEqual({ ok: false, error: 'too_large' })
    }
    const fits = await local.get(`http://127.0.0.1:${port}/fits`, BOUNDS)
    expect(fits.ok && fits.value.bytes.byteLength).toBe(1000)
  })

  it('end at what is too slow: a name, an answer, a body', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/body') response.write('x')
    })
    const patience = { ...BOUNDS, timeoutMs: 100 }
    for (const path of ['answer', 'body']) {
      expect(await local.get(`http://127.0.0.1:${port}/${path}`, patience)).toEqual({ ok: false, error: 'too_slow' })
    }
    const hanging = createOutgoing({ allowedRanges: [], resolve: () => new Promise(() => undefined) })
    expect(await hanging.get('http://slow.test/', patience)).toEqual({ ok: false, error: 'too_slow' })
  })

  it('carry no cookie, name or password, and nothing of an answer to the next', async () => {
    const seen: IncomingHttpHeaders[] = []
    const port = await serve((request, response) => {
      seen.push(request.headers)
      response.writeHead(request.url === '/' ? 302 : 200, { location: '/next', 'set-cookie': 'a=b' }).end()
    })
    expect((await local.get(`http://127.0.0.1:${port}/`, BOUNDS)).ok).toBe(true)
    expect(seen.map((headers) => Object.keys(headers).toSorted())).toEqual(
      Array.from({ length: 2 }, () => ['accept', 'accept-encoding', 'connection', 'host', 'user-agent']),
    )
    for (const url of [`http://name:word@127.0.0.1:${port}/`, 'ftp://127.0.0.1/', 'data:,x', 'no address']) {
      expect(await local.get(url, BOUNDS)).toEqual({ ok: false, error: 'no_web_address' })
    }
  })

  it('say that a connection failed', async () => {
    const port = await serve((request) => request.socket.destroy())
    expect(await local.get(`http://127.0.0.1:${port}/`, BOUNDS)).toEqual({ ok: false, error: 'failed' })
  })

  it('R69 end where a server changes the protocol that nobody asked it to change, or answers in part only', async () => {
    const answers = {
      '/upgraded': 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      '/early': 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n',
      '/part': 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nx',
      '/nothing': '',
    }
    const port = await serve((request) => {
      request.socket.end(answers[request.url as keyof typeof answers])
    })
    for (const path of Object.keys(answers)) {
      const answer = await local.get(`http://127.0.0.1:${port}${path}`, BOUNDS)
      expect({ path, answer }).toEqual({ path, answer: { ok: false, error: 'failed' } })
    }
    const open = await serve((request) => {
      // It stays open.
      request.socket.write(answers[request.url as keyof typeof answers])
    })
    for (const path of Object.keys(answers)) {
      const error = path === '/upgraded' ? 'failed' : 'too_slow'
      const answer = await local.get(`http://127.0.0.1:${open}${path}`, { ...BOUNDS, timeoutMs: 300 })
      expect({ path, answer }).toEqual({ path, answer: { ok: false, error } })
    }
  })

  it('refuse ranges that are none', () => {
    for (const range of ['10.0.0.0/33', 'inner.test', '10.0.0.0/x', '::1/129']) {
      expect(() => createOutgoing({ allowedRanges: [range] })).toThrow(range)
    }
  })
})
