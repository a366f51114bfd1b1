import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS as HTTP_LIMITS } from '../../apps/server/src/http/limits.ts'
import { LIMITS as INGEST_LIMITS } from '../../apps/server/src/ingest/limits.ts'
import { residentBytes } from '../../tools/harness/server.ts'
import type { Account } from '../../tools/harness/server.ts'
import { until } from '../lib/until.ts'
import { freshFolder, health, removeFolder, setUp, startFirsthand } from './lib/firsthand.ts'
import type { Firsthand } from './lib/firsthand.ts'
import { createLedger, makeSent, sendOne } from './lib/load.ts'
import { post } from './lib/send.ts'
import { waitForEvent } from './lib/stores.ts'

const MEBIBYTE = 2 ** 20
const SLOW_CONNECTIONS = 60
/** Nearly as large as an attachment may be. */
const PICTURE_BYTES = 19_000_000
/** Connections that the server keeps open after its answer are closed by the test. */
const RAW_MS = 4000

/** What the door counts, what the spool writes of it, and what the collector has not taken away yet. */
const MEMORY_GROWTH = 3 * INGEST_LIMITS.CONCURRENT_BODIES_BYTES

/** A file of a gigabyte of zeros, or an eighth of it where packing takes long, in each encoding. */
const makeBombs = () => {
  const zeros = Buffer.alloc(1024 * MEBIBYTE)
  zeros.write(`{}\n{"type":"attachment","length":${INGEST_LIMITS.ATTACHMENT_BYTES}}\n`)
  const part = zeros.subarray(0, 128 * MEBIBYTE)
  return [
    ['zstd', zstdCompressSync(zeros)],
    ['br', brotliCompressSync(part, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['gzip', gzipSync(part, { level: 1 })],
    ['deflate', deflateSync(part, { level: 1 })],
  ] as const
}

describe('hostile requests', () => {
  const dataDir = freshFolder()
  let server: Firsthand
  let account: Account
  let index = 0
  let path = ''
  /** Opened first and looked at last: meanwhile everything else happens. */
  const slow: { readonly what: string; readonly socket: Socket; closed: boolean }[] = []

  beforeAll(async () => {
    server = await startFirsthand({ dataDir })
    account = await setUp(dataDir, server.port)
    path = `/api/${account.projectId}/envelope/?sentry_key=${new URL(account.dsn).username}`
    const starts: Record<string, string> = {
      'headers that never end': `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: `,
      'an ingest body that never ends': `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{`,
      'an API body that never ends':
        'POST /api/0/auth/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    }
    for (const [what, start] of Object.entries(starts)) {
      for (let i = 0; i < SLOW_CONNECTIONS / 3; i += 1) {
        const socket = connect({ port: server.port, host: '127.0.0.1' })
        const entry = { what, socket, closed: false }
        socket
          .on('error', () => undefined)
          .on('close', () => (entry.closed = true))
          .resume()
        socket.write(start)
        slow.push(entry)
      }
    }
  })
  afterAll(async () => {
    for (const { socket } of slow) socket.destroy()
    await server.killAll()
    removeFolder(dataDir)
  })

  /** The server lives, and an ordinary event gets through to the end. */
  const expectAlive = async (): Promise<void> => {
    expect(await health(server.port)).toBe(200)
    const sent = makeSent(account, index++, 'event')
    expect(await sendOne(server.port, sent, createLedger())).toBe(200)
    await waitForEvent(server, sent.id)
  }

  /** Highest memory of server and engine above what they had, while `work` runs. */
  const growthDuring = async (work: () => Promise<void>): Promise<number> => {
    const pid = server.process.pid ?? 0
    const before = residentBytes(pid)
    let peak = before
    const sampler = setInterval(() => (peak = Math.max(peak, residentBytes(pid))), 20)
    await work()
    clearInterval(sampler)
    return peak - before
  }

  it('slow connections take nothing away from others', async () => {
    expect(slow.filter(({ closed }) => closed)).toEqual([])
    await expectAlive()
  })

  it('zip bombs of a gigabyte, many at a time: refused within bounded memory', async () => {
    const bombs = makeBombs()
    const statuses: number[] = []
    const growth = await growthDuring(async () => {
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, i) => {
          const [encoding, bytes] = bombs[i % bombs.length] ?? bombs[0]
          return post(server.port, path, bytes, { 'content-encoding': encoding })
        }),
      )
      statuses.push(...answers.map((answer) => answer.status))
    })
    // Together, and beside the slow ones, they take each other's room (503): none has to get as far as its limit.
    expect(statuses.filter((status) => ![400, 413, 503].includes(status))).toEqual([])
    expect(growth / MEBIBYTE).toBeLessThan(MEMORY_GROWTH / MEBIBYTE)
    await expectAlive()
  })

  it('JSON five million levels deep, in every place that is parsed', async () => {
    const deep = '['.repeat(5_000_000)
    const closed = `${deep}${']'.repeat(5_000_000)}`
    const within = `${'['.repeat(400_000)}${']'.repeat(400_000)}`
    const bodies = [
      deep,
      `{"event_id":"${'a'.repeat(32)}","x":${closed}}\n{"type":"event"}\n{}`,
      `{}\n{"type":"event","x":${closed}}\n{}`,
      `{}\n{"type":"event"}\n${closed}`,
      `{}\n{"type":"event"}\n{"extra":{"x":${within}}}`,
      `{}\n{"type":"client_report"}\n${within}`,
      `{}\n{"type":"transaction"}\n{"spans":${within}}`,
      `{}\n{"type":"session"}\n${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    ]
    for (const body of bodies) {
      for (const target of [path, path.replace('/envelope/', '/store/'), path.replace('/envelope/', '/security/')]) {
        const answer = await post(server.port, target, gzipSync(body, { level: 1 }), {
          'content-encoding': 'gzip',
          'content-type': 'application/json',
        })
        expect([200, 400, 403, 413], `${target}: ${answer.text.slice(0, 200)}`).toContain(answer.status)
      }
    }
    const login = await post(server.port, '/api/0/auth/login/', within, { 'content-type': 'application/json' })
    expect(login.status).toBeGreaterThanOrEqual(400)
    expect(login.status).toBeLessThan(500)
    await expectAlive()
  })

  it('many large bodies at once: refused or kept, within bounded memory, and others are answered meanwhile', async () => {
    const header = '{}\n{"type":"attachment","length":15000000,"filename":"large.bin"}\n'
    const body = Buffer.concat([Buffer.from(header), Buffer.alloc(15_000_000, 0xe9)])
    const statuses: number[] = []
    const healths = new Map<number, number>()
    const done = new AbortController()
    const growth = await growthDuring(async () => {
      const asking = (async () => {
        while (!done.signal.aborted) {
          const status = await health(server.port)
          healths.set(status, (healths.get(status) ?? 0) + 1)
        }
      })()
      const answers = await Promise.all(Array.from({ length: 40 }, () => post(server.port, path, body)))
      done.abort()
      await asking
      statuses.push(...answers.map((answer) => answer.status))
    })
    // 0: refused while its body was still being written, and cut off.
    expect(statuses.filter((status) => ![0, 200, 413, 429, 503].includes(status))).toEqual([])
    expect(statuses).toContain(200)
    expect([...healths.keys()], JSON.stringify([...healths])).toEqual([200])
    expect(growth / MEBIBYTE).toBeLessThan(MEMORY_GROWTH / MEBIBYTE)
    await expectAlive()
  })

  it('pictures of a private page that nobody reads: only so many are held, until their connections are gone', async () => {
    const said = JSON.stringify({ contexts: { feedback: { message: 'with a picture' } } })
    const header = `{"type":"attachment","length":${PICTURE_BYTES},"filename":"a.png","content_type":"image/png"}`
    const text = `{"event_id":"${'7'.repeat(32)}"}\n{"type":"feedback"}\n${said}\n${header}\n`
    const body = Buffer.concat([Buffer.from(text), Buffer.alloc(PICTURE_BYTES, 7)])
    const sent = await post(server.port, path, body)
    const { pathname } = new URL((JSON.parse(sent.text) as { thread_url: string }).thread_url)
    const origin = `http://127.0.0.1:${server.port}`
    const picture = await until('the picture on the page', async () => {
      const html = await (await fetch(origin + pathname)).text()
      return /<img src="([^"]+)"/.exec(html)?.[1] ?? null
    })
    const statusOf = async (): Promise<number> => {
      const answer = await fetch(origin + picture)
      await answer.arrayBuffer()
      return answer.status
    }
    expect(await statusOf()).toBe(200)

    const share = HTTP_LIMITS.FILES_UNDER_WAY_BYTES / HTTP_LIMITS.FILES_OWNER_PARTS
    const unread = await Promise.all(
      Array.from({ length: share / HTTP_LIMITS.FILE_STREAMED_BYTES }, () => beginReading(server.port, picture)),
    )
    expect(await statusOf()).toBe(503)
    for (const socket of unread) socket.destroy()
    await until('room for a picture', async () => ((await statusOf()) === 200 ? true : null))
    await expectAlive()
  })

  it('requests that are no HTTP, or too much of it', async () => {
    const requests = [
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      'GET / HTTP/9.9\r\n\r\n',
      `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: x\r\n${'X-A: b\r\n'.repeat(20_000)}\r\n`,
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx`,
      'GET /../../../../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'GET /%2e%2e/%2e%2e/etc/passwd%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'GET /%ff%fe HTTP/1.1\r\nHost: <script>\r\nConnection: close\r\n\r\n',
      'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /api/0/live/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ]
    const answers = await Promise.all(requests.map((request) => exchangeRaw(server.port, request)))
    for (const [i, answer] of answers.entries()) {
      expect(answer, requests[i]?.slice(0, 100)).not.toContain('root:x:0')
      expect(answer.startsWith('HTTP/1.1 5'), `${requests[i]?.slice(0, 100)} → ${answer.slice(0, 200)}`).toBe(false)
    }
    await expectAlive()
  })

  it('slow connections are cut off in the end', async () => {
    await until(
      'the end of all slow connections',
      () => Promise.resolve(slow.every(({ closed }) => closed) ? true : null),
      HTTP_LIMITS.REQUEST_TIMEOUT_MS + 30_000,
    ).catch((error: unknown) => {
      const open = slow.filter(({ closed }) => !closed).map(({ what }) => what)
      throw new Error(`still open: ${[...new Set(open)].join(', ')}`, { cause: error })
    })
    expect(server.stderr()).not.toMatch(/uncaught|unhandled|heap/i)
    await expectAlive()
  })

  it('a zip bomb that has the room for itself is told that it is one: 413', async () => {
    for (const [encoding, bytes] of makeBombs()) {
      expect((await post(server.port, path, bytes, { 'content-encoding': encoding })).status).toBe(413)
    }
    await expectAlive()
  })
})

/** A connection on which a page was asked for, and nothing is read after the first bytes of the answer. */
const beginReading = (port: number, page: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', reject)
    socket.once('data', () => {
      socket.pause()
      resolve(socket)
    })
    socket.write(`GET ${page} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
  })

/** What the server says to bytes; '' when it just closes. */
const exchangeRaw = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    const socket = connect({ port, host: '127.0.0.1' })
    const timer = setTimeout(() => socket.destroy(), RAW_MS)
    socket.on('data', (chunk) => (text += chunk.toString('latin1')))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(text)
    })
    socket.write(bytes)
  })
