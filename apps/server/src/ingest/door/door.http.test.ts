import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { decodeUtf8 } from '@firsthand/protocol'
import { DEFAULT_PROJECT_SETTINGS } from '../../accounts/settings.ts'
import { StatementRefusal } from '../../lib/statement-refusal.ts'
import { StoreFault } from '../../lib/store-fault.ts'
import { LIMITS } from '../limits.ts'
import {
  DISABLED_KEY,
  ENVELOPE_PATH,
  envelopeOf,
  EVENT,
  EVENT_ID,
  KEY,
  keyContext,
  OTHER_KEY,
  QUERY,
  startDoor,
  type TestDoor,
} from './test-door.ts'

let door: TestDoor
beforeAll(async () => {
  door = await startDoor()
})
afterAll(() => door.close())
beforeEach(() => door.reset())

/** At its usual quality it takes seconds. */
const quickBrotli = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })

const bodyText = (): string => decodeUtf8(door.records[0]?.body ?? new Uint8Array())

describe('content encodings', () => {
  const large = envelopeOf({ event_id: EVENT_ID }, [
    { type: 'event' },
    JSON.stringify({ message: 'é'.repeat(300_000) }),
  ])

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('check 26: %s → stored, small and large', async (encoding, compress) => {
    for (const text of [EVENT, large]) {
      door.reset()
      const answer = await door.envelope(compress(text), { 'content-encoding': encoding })
      expect(answer.status).toBe(200)
      expect(bodyText()).toBe(text)
    }
  })

  it.each(['GZIP', 'x-gzip', ' Gzip '])('check 27: %s', async (encoding) => {
    expect((await door.envelope(gzipSync(EVENT), { 'content-encoding': encoding })).status).toBe(200)
  })

  it.each(['gzip', 'deflate', 'br', 'zstd'])(
    'check 28: %s header but plain body → 400, connection lives',
    async (encoding) => {
      const answer = await door.envelope(EVENT, { 'content-encoding': encoding, connection: 'keep-alive' })
      expect(answer.status).toBe(400)
      expect(answer.json['detail']).toBe(`request body is not valid ${encoding} data`)
      expect(answer.headers.connection).toBe('keep-alive')
      expect((await door.envelope(EVENT)).status).toBe(200)
    },
  )

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('check 29: truncated %s → 400, small and large', async (encoding, compress) => {
    for (const text of [EVENT, large]) {
      const bytes = compress(text)
      const answer = await door.envelope(bytes.subarray(0, bytes.byteLength - 5), { 'content-encoding': encoding })
      expect(answer.status).toBe(400)
    }
    expect(door.records).toEqual([])
  })

  it.each([
    ['gzip', gzipSync],
    ['br', (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['zstd', zstdCompressSync],
  ] as const)('check 30: %s bomb → 413', async (encoding, compress) => {
    for (const type of ['event', 'attachment']) {
      door.reset()
      const head = Buffer.from(`{}\n{"type":"${type}","length":${99 * 1024 * 1024}}\n`)
      const bomb = compress(Buffer.concat([head, Buffer.alloc(200 * 1024 * 1024)]))
      const answer = await door.envelope(bomb, { 'content-encoding': encoding })
      expect(answer.status).toBe(413)
      expect(door.outcomes).toMatchObject([{ outcome: 'invalid', reason: 'inflation', itemType: 'envelope' }])
      expect(door.staged()).toEqual([])
    }
  })

  it.each([
    ['gzip', gzipSync],
    ['br', (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })],
    ['zstd', zstdCompressSync],
  ] as const)(
    '%s that inflates beyond the ratio is refused below the size limit, what is regular and small is not',
    async (encoding, compress) => {
      const attachment = (payload: Buffer): Buffer =>
        Buffer.concat([
          Buffer.from(`{}\n{"type":"attachment","length":${payload.byteLength},"filename":"a"}\n`),
          payload,
        ])
      const send = (payload: Buffer) =>
        door.envelope(compress(attachment(payload)), { 'content-encoding': encoding }).then(({ status }) => status)
      expect(await send(Buffer.alloc(33 * 1024 * 1024))).toBe(413)
      expect(door.outcomes).toMatchObject([{ outcome: 'invalid', reason: 'inflation', itemType: 'envelope' }])
      // What stays in memory may be as regular as it likes, what goes to the disk may not.
      expect(await send(Buffer.alloc(1024 * 1024))).toBe(200)
      expect(await send(Buffer.alloc(6 * 1024 * 1024))).toBe(413)
      // About the most regular thing that SDKs send.
      const samples = Array.from(
        { length: 50_000 },
        (_, index) => `{"thread_id":"1","stack_id":${index % 97},"elapsed_since_start_ns":"${index * 10_000_000}"}`,
      )
      const regular = Buffer.from(`{"samples":[${samples.join(',')}]}`)
      expect(await send(regular)).toBe(200)
      expect(door.records.length).toBe(2)
    },
  )

  it('check 31: unknown encoding or double compression → identity, so 400 from the parser', async () => {
    expect((await door.envelope(EVENT, { 'content-encoding': 'foo' })).status).toBe(200)
    expect((await door.envelope(gzipSync(EVENT), { 'content-encoding': 'foo' })).status).toBe(400)
    expect((await door.envelope(gzipSync(gzipSync(EVENT)), { 'content-encoding': 'gzip' })).status).toBe(400)
    expect((await door.envelope(gzipSync(gzipSync(EVENT)), { 'content-encoding': 'gzip, gzip' })).status).toBe(400)
  })
})

describe('reading the body', () => {
  it('check 32: announced or real size over the wire limit → 413 before it was read', async () => {
    const storePath = ENVELOPE_PATH.replace('envelope', 'store')
    for (const [path, most] of [
      [ENVELOPE_PATH, LIMITS.ENVELOPE_BYTES],
      // No attachments, so there is nothing that may be larger.
      [storePath, LIMITS.COMPRESSED_BODY_BYTES],
    ] as const) {
      const announced = await door.raw()
      announced.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${most + 1}\r\n\r\nabc`)
      const [first] = await once(announced, 'data')
      expect(String(first)).toMatch(/^HTTP\/1\.1 413 /)
      announced.destroy()
    }

    const chunked = await door.raw()
    chunked.write(`POST ${storePath} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`)
    const megabyte = Buffer.alloc(1024 * 1024, 0x61)
    const answered = once(chunked, 'data')
    for (let sent = 0; sent <= LIMITS.COMPRESSED_BODY_BYTES; sent += megabyte.byteLength) {
      chunked.write(`${megabyte.byteLength.toString(16)}\r\n`)
      chunked.write(megabyte)
      chunked.write('\r\n')
    }
    expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 413 /)
    chunked.destroy()
    expect(door.records).toEqual([])
  })

  it('check 33: chunked without Content-Length → accepted, in any number of pieces', async () => {
    for (const chunks of [1, 2, 7, EVENT.length]) {
      door.reset()
      expect((await door.send(ENVELOPE_PATH, { body: EVENT, chunks })).status).toBe(200)
      expect(bodyText()).toBe(EVENT)
    }
  })

  it('a body of very many tiny pieces → 400, held or read as it comes, and a few thousand are none too many', async () => {
    const small = JSON.stringify({ message: 'x'.repeat(1500) })
    const allowed = envelopeOf({ event_id: EVENT_ID }, [{ type: 'event' }, small])
    expect((await door.send(ENVELOPE_PATH, { body: allowed, chunks: allowed.length })).status).toBe(200)
    const text = JSON.stringify({ message: 'x'.repeat(4000) })
    for (const type of ['event', 'attachment']) {
      door.reset()
      const body = envelopeOf({ event_id: EVENT_ID }, [{ type }, text])
      const answer = await door.send(ENVELOPE_PATH, { body, chunks: body.length })
      expect([answer.status, answer.json['detail']]).toEqual([
        400,
        'request body comes in pieces of less than 64 bytes',
      ])
      expect(door.records).toEqual([])
    }
  })

  it.each([
    undefined,
    'text/plain;charset=UTF-8',
    'application/x-sentry-envelope',
    'application/octet-stream',
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])('check 34: content type %s → the same', async (type) => {
    const answer = await door.envelope(EVENT, type === undefined ? {} : { 'content-type': type })
    expect(answer.status).toBe(200)
    expect(bodyText()).toBe(EVENT)
  })
})

describe('authentication', () => {
  const path = '/api/42/envelope/'
  const dsn = `http://${KEY}@127.0.0.1/42`
  const withDsn = (value: string): string => envelopeOf({ dsn: value }, [{ type: 'event' }, '{}'])

  it.each([
    ['query', `${path}?sentry_key=${KEY}`, {}, EVENT],
    ['X-Sentry-Auth', path, { 'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${KEY}` }, EVENT],
    ['Authorization: Sentry', path, { authorization: `Sentry sentry_version=7, sentry_key=${KEY}` }, EVENT],
    ['Basic', path, { authorization: `Basic ${Buffer.from(`${KEY}:`).toString('base64')}` }, EVENT],
    ['envelope dsn', path, {}, withDsn(dsn)],
    ['several that agree', ENVELOPE_PATH, { 'x-sentry-auth': `Sentry sentry_key=${KEY}` }, withDsn(dsn)],
    [
      'check 36: old spelling',
      path,
      { 'x-sentry-auth': `sentry sentry_version=7,sentry_key=${KEY},sentry_secret=x,sentry_timestamp=1` },
      EVENT,
    ],
  ])('check 35: by %s → 200', async (_, target, headers, body) => {
    expect((await door.send(target, { headers, body })).status).toBe(200)
    expect(door.records.length).toBe(1)
  })

  it.each([
    ['no auth', path, {}, EVENT, 401],
    ['unknown key', `${path}?sentry_key=${'f'.repeat(32)}`, {}, EVENT, 403],
    ['key of another project', `${path}?sentry_key=${OTHER_KEY}`, {}, EVENT, 403],
    ['disabled key', `${path}?sentry_key=${DISABLED_KEY}`, {}, EVENT, 403],
    ['keys that disagree', ENVELOPE_PATH, { 'x-sentry-auth': `Sentry sentry_key=${OTHER_KEY}` }, EVENT, 401],
    ['dsn that is none', path, {}, withDsn('nonsense'), 401],
    ['dsn of an unknown key', path, {}, withDsn(`http://${'f'.repeat(32)}@h/42`), 403],
    ['dsn of another project', path, {}, withDsn(`http://${KEY}@h/43`), 400],
    ['dsn that disagrees with the query', ENVELOPE_PATH, {}, withDsn(`http://${OTHER_KEY}@h/43`), 400],
    ['malformed key', `${path}?sentry_key=%3Cscript%3E`, {}, EVENT, 400],
    ['malformed version', `${path}?sentry_key=${KEY}&sentry_version=x`, {}, EVENT, 400],
    ['malformed header', path, { 'x-sentry-auth': 'Sentry nothing' }, EVENT, 400],
    ['project id that is no number', `/api/shop/envelope/?sentry_key=${KEY}`, {}, EVENT, 400],
  ])('check 37: %s', async (_, target, headers, body, status) => {
    const answer = await door.send(target, { headers, body })
    expect(answer.status).toBe(status)
    expect(typeof answer.json['detail']).toBe('string')
    expect(Array.isArray(answer.json['causes'])).toBe(true)
    expect(answer.headers['x-sentry-error']).toBe(answer.json['detail'])
    expect(door.records).toEqual([])
  })

  it('a foreign Authorization (of a proxy) does not matter when the query names the key', async () => {
    expect((await door.envelope(EVENT, { authorization: 'Bearer abc' })).status).toBe(200)
  })

  it('a refused key is counted for its project', async () => {
    await door.send(`${path}?sentry_key=${DISABLED_KEY}`, { body: EVENT })
    expect(door.outcomes).toMatchObject([{ keyId: 9, outcome: 'invalid', reason: 'disabled_key' }])
  })
})

describe('CORS', () => {
  it('check 38: preflight without authentication', async () => {
    for (const path of ['/api/42/envelope/', '/api/42/store', '/tunnel', '/api/42/cron/slug/']) {
      const answer = await door.send(path, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://any.example',
          'access-control-request-headers': 'content-type, x-sentry-auth, sentry-trace, baggage',
        },
      })
      expect(answer.status).toBe(200)
      expect(answer.headers['access-control-allow-origin']).toBe('*')
      for (const header of ['content-type', 'x-sentry-auth', 'sentry-trace', 'baggage', 'content-encoding']) {
        expect(answer.headers['access-control-allow-headers']).toContain(header)
      }
    }
  })

  it('check 39: every answer can be read by any page', async () => {
    const answers = [
      await door.envelope(EVENT),
      await door.envelope('x'),
      await door.send('/api/42/envelope/', { body: EVENT }),
      await door.send('/api/42/envelope/', { method: 'GET' }),
      await door.send(ENVELOPE_PATH, { body: Buffer.alloc(LIMITS.ENVELOPE_BYTES + 1) }),
    ]
    door.keys.set(KEY, keyContext({ rateLimit: { count: 0, windowSeconds: 60 } }))
    answers.push(await door.envelope(EVENT))
    door.state.pressure = 'full'
    answers.push(await door.envelope(EVENT))
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 405, 413, 429, 503])
    for (const { headers } of answers) {
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(headers['access-control-expose-headers']).toBe('x-sentry-error, x-sentry-rate-limits, retry-after')
    }
  })

  it('check 40: success is 200 and nothing else', async () => {
    expect((await door.envelope(EVENT)).status).toBe(200)
  })

  it('an origin that is not allowed: 200 and an outcome, but 403 for feedback', async () => {
    const settings = { ...DEFAULT_PROJECT_SETTINGS, allowedDomains: ['*.shop.example'] }
    door.keys.set(KEY, keyContext({ settings }))
    const foreign = { origin: 'https://evil.example' }
    const answer = await door.envelope(EVENT, foreign)
    expect([answer.status, answer.json]).toEqual([200, { id: EVENT_ID }])
    expect(door.outcomes).toMatchObject([{ outcome: 'filtered', reason: 'cors', itemType: 'event' }])

    const feedback = envelopeOf({ event_id: EVENT_ID }, [{ type: 'feedback' }, '{}'])
    expect((await door.envelope(feedback, foreign)).status).toBe(403)
    expect(door.outcomes[1]).toMatchObject({ outcome: 'filtered', reason: 'cors', itemType: 'feedback' })
    expect(door.records).toEqual([])

    expect((await door.envelope(feedback, { origin: 'https://www.shop.example' })).status).toBe(200)
    expect((await door.envelope(EVENT, { referer: 'https://shop.example/cart' })).status).toBe(200)
    expect((await door.envelope(EVENT)).status).toBe(200)
    expect(door.records.length).toBe(3)
  })
})

describe('rate limits', () => {
  beforeEach(() => {
    door.keys.set(KEY, keyContext({ rateLimit: { count: 1, windowSeconds: 60 } }))
    // Each test has a window of its own.
    door.state.now += 3_600_000
  })
  const mixed = envelopeOf(
    { event_id: EVENT_ID },
    [{ type: 'event' }, '{}'],
    [{ type: 'attachment', length: 2 }, 'ab'],
    [{ type: 'session' }, '{}'],
  )

  it('check 41: error over quota, session beside it → session stored, 200 with header', async () => {
    expect((await door.envelope(mixed)).headers['x-sentry-rate-limits']).toBeUndefined()
    const answer = await door.envelope(mixed)
    expect(answer.status).toBe(200)
    expect(answer.headers['x-sentry-rate-limits']).toMatch(/^\d+:default;error;security:key:key_quota$/)
    expect(door.kept()[1]?.items.map((item) => item.header.type)).toEqual(['session'])
    expect(door.outcomes).toMatchObject([
      { outcome: 'rate_limited', reason: 'key_quota', itemType: 'event', quantity: 1 },
      { outcome: 'rate_limited', reason: 'key_quota', itemType: 'attachment', quantity: 1 },
    ])
  })

  it('check 42: everything over quota → 429 with both headers and JSON, until the window ends', async () => {
    await door.envelope(EVENT)
    const answer = await door.envelope(EVENT)
    expect(answer.status).toBe(429)
    const seconds = Number(answer.headers['retry-after'])
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(answer.headers['x-sentry-rate-limits']).toBe(`${seconds}:default;error;security:key:key_quota`)
    expect(answer.json['detail']).toBe('rate limit of the project key exceeded')
    expect(door.outcomes.length).toBe(1)
    door.state.now += seconds * 1000
    expect((await door.envelope(EVENT)).status).toBe(200)
  })

  it('check 43: client reports are never limited', async () => {
    await door.envelope(EVENT)
    for (let time = 0; time < 3; time++) {
      expect((await door.envelope('{}\n{"type":"client_report"}\n{}')).status).toBe(200)
    }
    expect(door.records.length).toBe(4)
  })
})

describe('back-pressure', () => {
  it('a full spool → 503, a digest that is behind → 429 for all categories', async () => {
    door.state.pressure = 'full'
    const full = await door.envelope(EVENT)
    expect(full.status).toBe(503)
    expect(full.headers['retry-after']).toBe(String(LIMITS.UNAVAILABLE_RETRY_SECONDS))
    door.state.pressure = 'behind'
    const behind = await door.envelope(EVENT)
    expect(behind.status).toBe(429)
    expect(behind.headers['x-sentry-rate-limits']).toBe(`${LIMITS.BACKLOG_RETRY_SECONDS}::organization:backlog`)
    expect(door.outcomes.map(({ reason }) => reason)).toEqual(['storage_full', 'backlog'])
    expect(door.records).toEqual([])
  })

  it('an organisation with its share of the backlog waiting → 429 before the body is read, 503 where 429 is not known', async () => {
    door.state.isShareFull = true
    const early = await door.envelope(EVENT)
    expect([early.status, early.headers['retry-after']]).toEqual([429, String(LIMITS.BACKLOG_RETRY_SECONDS)])
    expect(early.headers['x-sentry-rate-limits']).toBe(
      `${LIMITS.BACKLOG_RETRY_SECONDS}::organization:organization_backlog`,
    )
    const named = await door.send('/api/42/envelope/', {
      method: 'POST',
      body: EVENT.replace('{', `{"dsn":"https://${KEY}@firsthand.example/42",`),
    })
    expect(named.status).toBe(429)
    const dump = await door.send(`/api/42/minidump/?sentry_key=${KEY}`, { method: 'POST', body: 'MDMP' })
    expect(dump.status).toBe(503)
    expect(door.outcomes.map(({ outcome, reason, itemType }) => [outcome, reason, itemType])).toEqual([
      ['rate_limited', 'organization_backlog', 'envelope'],
      ['rate_limited', 'organization_backlog', 'event'],
      ['rate_limited', 'organization_backlog', 'envelope'],
    ])
    expect(door.records).toEqual([])
  })

  it('a project with too many recordings waiting → 429 for them and what describes them, and the rest is kept', async () => {
    door.state.isCrowded = true
    const described = [{ type: 'replay_event' }, '{}'] as const
    const recording = [{ type: 'replay_recording', length: 2 }, '[]'] as const
    const alone = await door.envelope(envelopeOf({ event_id: EVENT_ID }, described, recording))
    expect([alone.status, alone.headers['retry-after']]).toEqual([429, String(LIMITS.BACKLOG_RETRY_SECONDS)])
    expect(alone.headers['x-sentry-rate-limits']).toBe(`${LIMITS.BACKLOG_RETRY_SECONDS}:replay:project:project_backlog`)
    expect(door.records).toEqual([])
    const error = [{ type: 'event' }, '{"message":"a"}'] as const
    expect((await door.envelope(envelopeOf({ event_id: EVENT_ID }, error, described, recording))).status).toBe(200)
    expect((await door.envelope(envelopeOf({ event_id: EVENT_ID }, error))).status).toBe(200)
    expect(door.kept().map(({ items }) => items.map(({ header }) => header.type))).toEqual([['event'], ['event']])
    expect(door.records.map(({ isHeavy }) => isHeavy)).toEqual([undefined, undefined])
    expect(door.outcomes.map(({ outcome, reason, itemType }) => [outcome, reason, itemType])).toEqual([
      ['rate_limited', 'project_backlog', 'replay_event'],
      ['rate_limited', 'project_backlog', 'replay_recording'],
      ['rate_limited', 'project_backlog', 'replay_event'],
      ['rate_limited', 'project_backlog', 'replay_recording'],
    ])
  })

  it('a failed write → 503, counted, one line in the log', async () => {
    door.state.failure = new Error('ENOSPC: no space left on device')
    expect((await door.envelope(EVENT)).status).toBe(503)
    expect((await door.envelope(EVENT)).status).toBe(503)
    expect(door.outcomes).toMatchObject([{ reason: 'storage_full', itemType: 'event' }, { reason: 'storage_full' }])
    expect(door.log.filter((line) => line.includes(' error ')).length).toBe(1)
    door.state.failure = null
    expect((await door.envelope(EVENT)).status).toBe(200)
  })
})

describe('keys that cannot be looked up at this moment', () => {
  it.each([new StoreFault('The ledger is away.'), new StatementRefusal('busy'), new StatementRefusal('lost')])(
    '%s → 503, to be sent again',
    async (error) => {
      const fails = async () => {
        throw error
      }
      const other = await startDoor({ lookup: { byPublicKey: fails, byProjectId: fails } })
      try {
        const { status, headers, json } = await other.envelope(EVENT)
        expect([status, headers['retry-after']]).toEqual([503, String(LIMITS.UNAVAILABLE_RETRY_SECONDS)])
        expect(json['detail']).toBe('the keys cannot be looked up at this moment; send again later')
      } finally {
        await other.close()
      }
    },
  )
})

describe('paths', () => {
  it.each(['//api//42//envelope//', '/api/42/envelope', '/some/prefix/api/42/envelope/', '/api/0/api/42/envelope/'])(
    'check 44: %s',
    async (path) => {
      expect((await door.send(path + QUERY, { body: EVENT })).status).toBe(200)
    },
  )

  it.each([
    '/',
    '/api/0/projects/',
    '/api/42/',
    '/api/42/nothing/',
    '/api/0/envelope/',
    '/api/42/envelope/x/',
    '/envelope/',
  ])('%s is not the door', async (path) => {
    expect(await door.send(path + QUERY, { body: EVENT })).toMatchObject({ status: 404, text: 'not the door' })
  })
})

describe('with small limits', () => {
  let small: TestDoor
  afterEach(() => small.close())

  it('check 119: a body that does not come → 408 and the connection is closed, nothing stored', async () => {
    small = await startDoor({ limits: { ...LIMITS, BODY_TIMEOUT_MS: 50, DRAIN_TIMEOUT_MS: 50 } })
    const socket = await small.raw()
    const received: Buffer[] = []
    socket.on('data', (piece: Buffer) => received.push(piece))
    socket.write(`POST ${ENVELOPE_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{}\n{"type":"ev`)
    await once(socket, 'close')
    expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 408 /)
    expect(small.records).toEqual([])
    expect((await small.envelope(EVENT)).status).toBe(200)
  })

  it('check 119: an aborted upload leaves nothing and gives its bytes back', async () => {
    small = await startDoor({ limits: { ...LIMITS, CONCURRENT_BODIES_BYTES: 2000 } })
    for (let time = 0; time < 5; time++) {
      const socket = await small.raw()
      socket.write(`POST ${ENVELOPE_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n${'x'.repeat(1500)}`)
      // The refusal of a second upload shows that the first one is being held.
      await expect.poll(async () => (await small.envelope(`${EVENT}${'\n'.repeat(1000)}`)).status).toBe(503)
      socket.destroy()
      await expect.poll(async () => (await small.envelope(`${EVENT}${'\n'.repeat(1000)}`)).status).toBe(200)
    }
    expect(small.records.every(({ body }) => decodeUtf8(body).startsWith(EVENT))).toBe(true)
  })

  it('a compressed body counts with what it inflates to', async () => {
    small = await startDoor({ limits: { ...LIMITS, CONCURRENT_BODIES_BYTES: 100_000 } })
    const body = gzipSync(`${EVENT}${'\n'.repeat(1_000_000)}`)
    expect((await small.envelope(body, { 'content-encoding': 'gzip' })).status).toBe(503)
    expect((await small.envelope(EVENT)).status).toBe(200)
  })

  it('a body that comes in pieces counts with the buffer they are joined in', async () => {
    small = await startDoor({ limits: { ...LIMITS, CONCURRENT_BODIES_BYTES: 1_500_000 } })
    const body = gzipSync(`${EVENT}${'\n'.repeat(1_000_000)}`)
    expect((await small.envelope(body, { 'content-encoding': 'gzip' })).status).toBe(503)
    expect((await small.envelope(EVENT)).status).toBe(200)
    await small.close()
    small = await startDoor({ limits: { ...LIMITS, CONCURRENT_BODIES_BYTES: 2_500_000 } })
    expect((await small.envelope(body, { 'content-encoding': 'gzip' })).status).toBe(200)
  })

  describe('half-sent bodies', () => {
    const MB = 1024 * 1024
    const limits = { ...LIMITS, CONCURRENT_BODIES_BYTES: 8 * MB, KEYLESS_BODY_BYTES: 64 * 1024 }
    const FOREIGN_KEY = '33333333333333333333333333333333'
    const foreign = { headers: { 'x-forwarded-for': '203.0.113.200' }, body: EVENT }
    const asForeigner = () => small.send(`/api/44/envelope/?sentry_key=${FOREIGN_KEY}`, foreign)
    const firstLine = (key: string, project: number) =>
      envelopeOf({ dsn: `http://${key}@127.0.0.1/${project}` }, [{ type: 'event' }, ''])
    /** Sends bytes of a body that never ends, and gives what is answered. */
    const sendHalf = async (path: string, address: string, bytes: string) => {
      const socket = await small.raw()
      const received = { text: '' }
      socket.on('data', (piece: Buffer) => (received.text += piece.toString()))
      socket.on('error', () => undefined)
      const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: ${address}\r\n`
      socket.write(`${head}Content-Length: 4000000\r\n\r\n${bytes}`)
      return received
    }
    beforeEach(async () => {
      small = await startDoor({ limits, trustedProxies: ['127.0.0.1'] })
      const key = { keyId: 20, publicKey: FOREIGN_KEY, projectId: 44, organizationId: 2 }
      small.keys.set(FOREIGN_KEY, keyContext(key))
    })

    it.each(['/tunnel', '/api/42/envelope/'])('without a key to %s leave room for others', async (path) => {
      const many = Array.from({ length: 40 }, (_, index) => `203.0.113.${index}`)
      const answers = await Promise.all(many.map((address) => sendHalf(path, address, 'x'.repeat(60_000))))
      await expect.poll(() => answers.some(({ text }) => text.startsWith('HTTP/1.1 503'))).toBe(true)
      expect((await asForeigner()).status).toBe(200)
      // More than this is not read before the first line is.
      const long = await sendHalf(path, '203.0.113.100', 'x'.repeat(400_000))
      await expect.poll(() => long.text).toMatch(/^HTTP\/1\.1 (400|503) /)
    })

    it.each([
      ['in the address', ENVELOPE_PATH, ''],
      ['in the first line', '/api/42/envelope/', firstLine(KEY, 42)],
      ['in the first line', '/tunnel', firstLine(KEY, 42)],
    ])('of one key, named %s, leave room for others: %s', async (_, path, line) => {
      const half = line + 'x'.repeat(3 * MB)
      await sendHalf(path, '203.0.113.1', half)
      const own = async () => (await small.envelope(EVENT, { 'x-forwarded-for': '203.0.113.3' })).status
      await expect.poll(own).toBe(503)
      const more = await Promise.all([2, 3, 4].map((last) => sendHalf(path, `203.0.113.${last}`, half)))
      await expect.poll(() => more.every(({ text }) => text.startsWith('HTTP/1.1 503'))).toBe(true)
      expect((await asForeigner()).status).toBe(200)
    })

    it('with an unknown key in the first line are refused before the rest has come', async () => {
      const line = firstLine('44444444444444444444444444444444', 42)
      const answer = await sendHalf('/tunnel', '203.0.113.1', line + 'x'.repeat(MB))
      await expect.poll(() => answer.text).toMatch(/^HTTP\/1\.1 403 /)
    })
  })

  it.each([
    ['plain', null, (bytes: Buffer) => bytes],
    ['gzip', 'gzip', gzipSync],
    ['deflate', 'deflate', deflateSync],
    ['br', 'br', quickBrotli],
    ['zstd', 'zstd', zstdCompressSync],
  ] as const)('a large body that names its key in its first line is kept: %s', async (_, encoding, compress) => {
    small = await startDoor()
    const attachment = randomBytes(400_000).toString('hex')
    const text = envelopeOf(
      { event_id: EVENT_ID, dsn: `http://${KEY}@127.0.0.1/42` },
      [{ type: 'event' }, '{}'],
      [{ type: 'attachment', length: attachment.length }, attachment],
    )
    const headers = encoding === null ? {} : { 'content-encoding': encoding }
    const answer = await small.send('/tunnel', { body: compress(Buffer.from(text)), headers })
    expect([answer.status, answer.json]).toEqual([200, { id: EVENT_ID }])
    expect(Buffer.from(small.records[0]?.body ?? []).equals(Buffer.from(text))).toBe(true)

    const foreign = text.replace(KEY, OTHER_KEY)
    expect((await small.send('/tunnel', { body: compress(Buffer.from(foreign)), headers })).status).toBe(403)
    if (encoding === null) return
    const broken = compress(Buffer.from(text)).fill(7, 100, 300_000)
    expect((await small.send('/tunnel', { body: broken, headers })).status).toBe(400)
  })

  it('check 50: forwarded addresses of an untrusted peer change nothing', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9', 'x-sentry-forwarded-for': '203.0.113.10' }
    small = await startDoor()
    await small.envelope(EVENT, headers)
    expect(small.records[0]?.sender.clientAddress).toBe('127.0.0.1')
  })

  it.each([
    [{ 'x-forwarded-for': '203.0.113.9' }, '203.0.113.9'],
    [{ 'x-forwarded-for': '6.6.6.6, 203.0.113.9' }, '203.0.113.9'],
    [{ 'x-forwarded-for': '6.6.6.6, 203.0.113.9, 10.1.2.3' }, '203.0.113.9'],
    [{ 'x-forwarded-for': '::ffff:203.0.113.9, [fd00::1]:443' }, '203.0.113.9'],
    [{ 'x-forwarded-for': '203.0.113.9:5555' }, '203.0.113.9'],
    [{ 'x-forwarded-for': 'nonsense' }, '127.0.0.1'],
    [{ 'x-sentry-forwarded-for': '2001:DB8::1' }, '2001:db8::1'],
    [{ 'x-forwarded-for': '203.0.113.9', 'x-sentry-forwarded-for': '6.6.6.6' }, '203.0.113.9'],
  ])('trusted proxies: %j → %s', async (headers, expected) => {
    small = await startDoor({ trustedProxies: ['127.0.0.0/8', '10.0.0.0/8', 'fd00::/8'] })
    await small.envelope(EVENT, headers)
    expect(small.records[0]?.sender.clientAddress).toBe(expected)
  })
})
