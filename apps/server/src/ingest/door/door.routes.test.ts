import { deflateSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { decodeUtf8, type Item } from '@firsthand/protocol'
import { LIMITS } from '../limits.ts'
import { envelopeOf, EVENT_ID, KEY, OTHER_KEY, startDoor, type TestDoor } from './test-door.ts'

let door: TestDoor
beforeAll(async () => {
  door = await startDoor()
})
afterAll(() => door.close())
beforeEach(() => door.reset())

const items = (): Item[] => door.kept().flatMap((envelope) => envelope.items)
const types = (): string[] => items().map((item) => item.header.type)
const payload = (index = 0): Record<string, unknown> =>
  JSON.parse(decodeUtf8(items()[index]?.payload ?? new Uint8Array()))

describe('/store/', () => {
  const event = JSON.stringify({ event_id: EVENT_ID, message: 'hello' })
  const path = `/api/42/store/?sentry_key=${KEY}`

  it.each([
    ['plain JSON', event],
    ['JSON after white space', ` \n${event}`],
    ['base64 of JSON', Buffer.from(event).toString('base64')],
    ['base64 of zlib of JSON', deflateSync(event).toString('base64')],
  ])('check 45: %s → 200', async (_, body) => {
    const answer = await door.send(path, { body })
    expect([answer.status, answer.json]).toEqual([200, { id: EVENT_ID }])
    expect(types()).toEqual(['event'])
    expect(payload()).toEqual({ event_id: EVENT_ID, message: 'hello' })
    expect(door.kept()[0]?.header.eventId).toBe(EVENT_ID)
  })

  it('gzip, /api/store/ with the project of the key, transactions, generated id', async () => {
    const answer = await door.send(`/api/store/?sentry_key=${OTHER_KEY}`, {
      body: gzipSync('{"type":"transaction"}'),
      headers: { 'content-encoding': 'gzip' },
    })
    expect(answer.json['id']).toMatch(/^[0-9a-f]{32}$/)
    expect(types()).toEqual(['transaction'])
    expect(door.records[0]?.sender.projectId).toBe(43)
  })

  it('check 108: NaN and Infinity are tolerated', async () => {
    const body = '{"extra":{"a":NaN,"b":[-Infinity,Infinity],"c":"NaN \\" Infinity"}}'
    expect((await door.send(path, { body })).status).toBe(200)
    expect(payload()).toEqual({ extra: { a: null, b: [null, null], c: 'NaN " Infinity' } })
  })

  it('an envelope by content type', async () => {
    const body = envelopeOf({ event_id: EVENT_ID }, [{ type: 'event' }, '{}'])
    const answer = await door.send(path, { body, headers: { 'content-type': 'application/x-sentry-envelope' } })
    expect(answer.json).toEqual({ id: EVENT_ID })
  })

  it('GET with sentry_data → a picture', async () => {
    const data = encodeURIComponent(Buffer.from(event).toString('base64'))
    const answer = await door.send(`${path}&sentry_data=${data}`, { method: 'GET' })
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/gif'])
    expect(types()).toEqual(['event'])
    expect((await door.send(path, { method: 'GET' })).status).toBe(400)
  })

  it.each([
    ['nothing', '', 400],
    ['garbage', '\u0001\u0002', 400],
    ['an array', '[]', 400],
    ['deep JSON', `{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`, 400],
    ['a bomb in base64', deflateSync(Buffer.alloc(20_000_000)).toString('base64'), 413],
    ['unterminated strings', `{"a":"${'\\"'.repeat(200_000)}NaN`, 400],
    ['a large event', JSON.stringify({ message: 'x'.repeat(LIMITS.EVENT_BYTES) }), 413],
  ])('%s → refused', async (_, body, status) => {
    expect((await door.send(path, { body })).status).toBe(status)
    expect(door.records).toEqual([])
  })
})

describe('/security/ and /nel/', () => {
  const path = `/api/42/security/?sentry_key=${KEY}&sentry_release=1.0&sentry_environment=prod`
  const report = JSON.stringify({ 'csp-report': { 'document-uri': 'https://shop.example/' } })
  const send = (body: string, type: string, target = path) =>
    door.send(target, { body, headers: { 'content-type': type } })

  it.each(['/api/42/security/', '/api/42/csp-report'])('check 46: a CSP report at %s → 200, empty', async (target) => {
    const answer = await send(report, 'application/csp-report', target + path.slice(path.indexOf('?')))
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(items()[0]?.header.raw).toMatchObject({
      type: 'raw_security',
      sentry_release: '1.0',
      sentry_environment: 'prod',
    })
    expect(decodeUtf8(items()[0]?.payload ?? new Uint8Array())).toBe(report)
    expect(door.kept()[0]?.header.eventId).toMatch(/^[0-9a-f]{32}$/)
  })

  it.each(['application/hpkp-report', 'application/hpkp-report+json; charset=utf-8', 'application/json'])(
    'an HPKP report of type %s → 200',
    async (type) => {
      const pins = JSON.stringify({ 'date-time': '2014-04-06T13:00:50Z', hostname: 'a.example', 'known-pins': [] })
      expect((await send(pins, type)).status).toBe(200)
      expect(types()).toEqual(['raw_security'])
    },
  )

  it('check 46: foreign type → 415, empty → 400, broken → 400', async () => {
    expect((await send(report, 'text/html')).status).toBe(415)
    expect((await send('', 'application/csp-report')).status).toBe(400)
    expect((await send('x', 'application/csp-report')).status).toBe(400)
    expect((await send('1', 'application/csp-report')).status).toBe(400)
    expect(door.records).toEqual([])
  })

  it('check 46: a Reporting API array of 3 → 3 reports with ids of their own', async () => {
    const reports = [
      { type: 'csp-violation', body: { blockedURL: 'inline' } },
      { type: 'csp-violation', body: { blockedURL: 'eval' } },
      { type: 'network-error', body: { phase: 'dns' } },
    ]
    expect((await send(JSON.stringify(reports), 'application/reports+json')).status).toBe(200)
    expect(types()).toEqual(['raw_security', 'raw_security', 'nel'])
    expect(payload(1)).toEqual(reports[1])
    expect(new Set(door.kept().map(({ header }) => header.eventId)).size).toBe(3)
  })

  it('too many reports → 413, none at all → 200', async () => {
    const many = JSON.stringify(Array.from({ length: LIMITS.REPORTS_PER_REQUEST + 1 }, () => ({})))
    expect((await send(many, 'application/json')).status).toBe(413)
    expect((await send('[]', 'application/json')).status).toBe(200)
    expect(door.records).toEqual([])
  })

  it('network errors', async () => {
    const body = JSON.stringify([{ type: 'network-error', body: {} }])
    const target = `/api/42/nel/?sentry_key=${KEY}`
    expect((await send(body, 'application/reports+json', target)).status).toBe(200)
    expect(types()).toEqual(['nel'])
    expect((await send(body, 'text/plain', target)).status).toBe(415)
  })
})

describe('/cron/', () => {
  it.each(['GET', 'HEAD', 'PUT'])('check 47: %s with status → 202 and a check-in', async (method) => {
    const answer = await door.send(`/api/42/cron/night%20job/${KEY}/?status=ok&duration=1.5&environment=prod`, {
      method,
    })
    expect(answer.status).toBe(202)
    expect(types()).toEqual(['check_in'])
    expect(payload()).toEqual({
      check_in_id: '0'.repeat(32),
      monitor_slug: 'night job',
      status: 'ok',
      duration: 1.5,
      environment: 'prod',
    })
  })

  it('POST with a configuration; the slug of the path wins', async () => {
    const body = JSON.stringify({
      monitor_slug: 'other',
      status: 'in_progress',
      check_in_id: '9EC79C33-EC99-42AB-8353-589FCB2E04DC',
      monitor_config: { schedule: { type: 'crontab', value: '* * * * *' } },
    })
    const answer = await door.send(`/api/42/cron/job?sentry_key=${KEY}`, {
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(202)
    expect(payload()).toMatchObject({
      monitor_slug: 'job',
      status: 'in_progress',
      check_in_id: EVENT_ID,
      monitor_config: { schedule: { type: 'crontab' } },
    })
  })

  it.each(['', '?status=ok&check_in_id=x', '?status=ok&duration=-1', '?status=ok&duration=x'])(
    'check 47: query %j → 400',
    async (query) => {
      expect((await door.send(`/api/42/cron/job/${KEY}/${query}`)).status).toBe(400)
    },
  )

  it.each([
    ['start', { status: 'in_progress' }],
    ['fail', { status: 'error' }],
    ['log', { status: 'log' }],
    ['0', { status: 'ok', exit_code: 0 }],
    ['137', { status: 'error', exit_code: 137 }],
  ])('A67: a path that ends in /%s says how it went', async (action, said) => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      const answer = await door.send(`/api/42/cron/job/${KEY}/${action}?rid=9ec79c33-ec99-42ab-8353-589fcb2e04dc`, {
        method,
      })
      expect(answer.status).toBe(202)
      expect(payload()).toMatchObject({ ...said, monitor_slug: 'job', check_in_id: EVENT_ID })
    }
  })

  it.each(['256', '-1', 'stop', '1e1'])('A67: a path that ends in /%s → 400', async (action) => {
    expect((await door.send(`/api/42/cron/job/${KEY}/${action}`)).status).toBe(400)
  })

  it('A67: what a run wrote is kept to 100 kB, without colours of the terminal', async () => {
    const written = `\u001B[31mfailed\u001B[0m\u0007\n${'x'.repeat(200 * 1024)}`
    const answer = await door.send(`/api/42/cron/job/${KEY}/1`, {
      body: written,
      headers: { 'content-type': 'text/plain' },
    })
    expect(answer.status).toBe(202)
    const { log } = payload() as { log: string }
    expect(log.startsWith('failed\nxxx')).toBe(true)
    expect(log.length).toBeLessThanOrEqual(100 * 1024)
    expect(log.length).toBeGreaterThan(99 * 1024)
  })

  it('A67: a schedule in the address makes what is not known yet', async () => {
    const query = 'status=ok&schedule=0+3+*+*+*&timezone=Europe/Berlin&margin=5'
    expect((await door.send(`/api/42/cron/job/${KEY}?${query}`)).status).toBe(202)
    expect(payload()).toMatchObject({
      monitor_config: { schedule: '0 3 * * *', timezone: 'Europe/Berlin', checkin_margin: 5 },
    })
  })

  it('A67: so does an interval', async () => {
    expect((await door.send(`/api/42/cron/job/${KEY}?status=ok&every=15m`)).status).toBe(202)
    expect(payload()).toMatchObject({ monitor_config: { schedule: [15, 'minute'] } })
  })

  it('without a key → 401, with a foreign one → 403', async () => {
    expect((await door.send('/api/42/cron/job/?status=ok')).status).toBe(401)
    expect((await door.send(`/api/42/cron/job/${OTHER_KEY}/?status=ok`)).status).toBe(403)
  })
})

describe('OpenTelemetry', () => {
  const auth = { 'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${KEY}` }

  it.each([
    ['/api/42/integration/otlp/v1/traces/', 'otel_traces_data'],
    ['/api/42/integration/otlp/v1/traces', 'otel_traces_data'],
    ['/api/42/otlp/v1/traces/', 'otel_traces_data'],
    ['/api/42/integration/otlp/v1/logs/', 'otel_log'],
    ['/api/42/integration/otlp/v1/metrics/', 'otel_metrics_data'],
  ])('check 48: %s → 202', async (path, type) => {
    for (const [contentType, body] of [
      ['application/json', '{"resourceSpans":[]}'],
      ['application/x-protobuf', Buffer.from([0x0a, 0x00, 0xff])],
    ] as const) {
      door.reset()
      const answer = await door.send(path, { body, headers: { ...auth, 'content-type': contentType } })
      expect(answer.status).toBe(202)
      expect(items()[0]?.header).toMatchObject({ type, contentType })
      expect(Buffer.from(items()[0]?.payload ?? [])).toEqual(Buffer.from(body))
    }
  })

  it.each(['logs', 'metrics'])('T8: %s at each form of the path; another type is refused', async (things) => {
    for (const path of [
      `/api/42/integration/otlp/v1/${things}`,
      `/api/42/integration/otlp/v1/${things}/`,
      `/api/42/otlp/v1/${things}`,
    ]) {
      for (const contentType of ['application/json', 'application/x-protobuf', 'text/plain']) {
        const isTaken = contentType !== 'text/plain'
        const body = contentType === 'application/json' ? '{}' : ''
        const answer = await door.send(path, { body, headers: { ...auth, 'content-type': contentType } })
        expect([path, contentType, answer.status]).toEqual([path, contentType, isTaken ? 202 : 415])
        if (isTaken) expect([answer.headers['content-type'], answer.text]).toEqual([contentType, body])
      }
    }
  })

  it('takes what is sent to the words that capabilities declare, and to no other', async () => {
    const own = await startDoor({ otlpAddresses: new Map([['greetings', 'greeting']]) })
    try {
      const headers = { ...auth, 'content-type': 'application/json' }
      const statusAt = async (path: string) => (await own.send(`/api/42/${path}`, { body: '{}', headers })).status
      expect(await statusAt('integration/otlp/v1/greetings/')).toBe(202)
      expect(await statusAt('otlp/v1/greetings')).toBe(202)
      expect(own.kept().map(({ items: [item] }) => item?.header)).toMatchObject([
        { type: 'greeting', contentType: 'application/json' },
        { type: 'greeting', contentType: 'application/json' },
      ])
      for (const path of [
        'otlp/v1/logs/',
        'otlp/v1/',
        'otlp/v1/greetings/more/',
        'otlp/v2/greetings/',
        'v1/greetings/',
      ]) {
        expect([path, await statusAt(path)]).toEqual([path, 404])
      }
    } finally {
      await own.close()
    }
  })

  it('check 48: another type → 415', async () => {
    const headers = { ...auth, 'content-type': 'text/plain' }
    expect((await door.send('/api/42/integration/otlp/v1/traces/', { body: '{}', headers })).status).toBe(415)
  })
})

describe('/tunnel', () => {
  let own: TestDoor | null = null
  afterEach(async () => {
    await own?.close()
    own = null
  })
  const body = (dsn: string): string => envelopeOf({ event_id: EVENT_ID, dsn }, [{ type: 'event' }, '{}'])

  it('check 49: an envelope whose DSN is local → 200', async () => {
    for (const path of ['/tunnel', '/tunnel/', '/prefix/tunnel']) {
      const answer = await door.send(path, { body: body(`http://${KEY}@127.0.0.1:${door.port}/42`) })
      expect([answer.status, answer.json]).toEqual([200, { id: EVENT_ID }])
    }
    expect(door.records.length).toBe(3)
  })

  it.each([
    ['foreign host', `http://${KEY}@evil.example/42`, 403],
    ['foreign project', `http://${KEY}@127.0.0.1/43`, 403],
    ['foreign key', `http://${'f'.repeat(32)}@127.0.0.1/42`, 403],
    ['no DSN', 'nonsense', 401],
  ])('check 49: %s → refused', async (_, dsn, status) => {
    expect((await door.send('/tunnel', { body: body(dsn) })).status).toBe(status)
    expect(door.records).toEqual([])
  })

  it('the host of the public URL is our own, too', async () => {
    own = await startDoor({ ownHosts: ['Errors.Example'] })
    expect((await own.send('/tunnel', { body: body(`https://${KEY}@errors.example/42`) })).status).toBe(200)
  })

  it('GET is left to the console', async () => {
    expect((await door.send('/tunnel', { method: 'GET' })).text).toBe('not the door')
  })
})

const multipart = (...parts: readonly (readonly [disposition: string, data: string | Buffer])[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(([disposition, data]) => [
      Buffer.from(`--BOUNDARY\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
      Buffer.from(data),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--BOUNDARY--\r\n'),
  ])
const MULTIPART = { 'content-type': 'multipart/form-data; boundary=BOUNDARY' }

describe('native crashes and attachments', () => {
  const dump = Buffer.concat([Buffer.from('MDMP'), Buffer.from([0, 1, 2, 10, 13, 255])])
  const path = `/api/42/minidump/?sentry_key=${KEY}`

  it('a minidump in multipart → 200 with a hyphenated id, kept with an event', async () => {
    const answer = await door.send(path, {
      headers: MULTIPART,
      body: multipart(
        ['name="upload_file_minidump"; filename="a.dmp"', dump],
        ['name="sentry"', '{"release":"1.0","tags":{"a":"b"}}'],
        ['name="sentry[tags][c]"', 'd'],
        ['name="sentry[__proto__][admin]"', 'yes'],
        ['name="sentry[tags][__proto__][admin]"', 'yes'],
        ['name="sentry[tags][constructor][prototype][admin]"', 'yes'],
        ['name="product"', 'Shop'],
        ['name="empty"', ''],
        ['name="log"; filename="../../etc/passwd"', 'line\r\nline'],
        // {environment: "prod"} and one breadcrumb {message: "a"}
        ['name="__sentry-event"; filename="x"', Buffer.from('\x81\xabenvironment\xa4prod', 'latin1')],
        ['name="__sentry-breadcrumb1"; filename="y"', Buffer.from('\x81\xa7message\xa1a', 'latin1')],
      ),
    })
    expect(answer.status).toBe(200)
    expect(answer.text).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    expect(door.kept()[0]?.header.eventId).toBe(answer.text.replaceAll('-', ''))
    expect(types()).toEqual(['event', 'attachment', 'form_data', 'attachment'])
    expect(payload()).toMatchObject({
      platform: 'native',
      level: 'fatal',
      release: '1.0',
      environment: 'prod',
      tags: { a: 'b', c: 'd', constructor: { prototype: { admin: 'yes' } } },
      breadcrumbs: { values: [{ message: 'a' }] },
    })
    expect(items()[1]?.header.attachmentType).toBe('event.minidump')
    expect(Buffer.from(items()[1]?.payload ?? [])).toEqual(dump)
    expect(payload(2)).toEqual([
      ['product', 'Shop'],
      ['empty', ''],
    ])
    expect(decodeUtf8(items()[3]?.payload ?? new Uint8Array())).toBe('line\r\nline')
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
  })

  it('a raw minidump, also compressed; something else → 400', async () => {
    for (const body of [dump, gzipSync(dump)]) {
      door.reset()
      expect((await door.send(path, { body, headers: { 'content-type': 'application/x-dmp' } })).status).toBe(200)
      expect(Buffer.from(items()[1]?.payload ?? [])).toEqual(dump)
    }
    expect((await door.send(path, { body: 'ELF' })).status).toBe(400)
    expect((await door.send(path, { body: gzipSync('ELF') })).status).toBe(400)
    expect((await door.send(path, { body: '' })).status).toBe(400)
    expect((await door.send(path, { headers: MULTIPART, body: multipart(['name="x"', 'y']) })).status).toBe(400)
  })

  it('Unreal: the archive is kept, the answer is an id', async () => {
    const answer = await door.send(`/api/42/unreal/${KEY}/?UserID=u1`, { body: deflateSync('crash') })
    expect(answer.status).toBe(200)
    expect(answer.text).toHaveLength(36)
    expect(types()).toEqual(['event', 'unreal_report'])
    expect(payload()).toMatchObject({ user: { id: 'u1' } })
  })

  it('attachments of an earlier event → 201', async () => {
    const target = `/api/42/events/${EVENT_ID}/attachments/?sentry_key=${KEY}`
    const answer = await door.send(target, {
      headers: MULTIPART,
      body: multipart(['name="a"; filename="a.txt"', 'A'], ['name="field"', 'x'], ['name="b"; filename=b.txt', '']),
    })
    expect(answer.status).toBe(201)
    expect(items().map((item) => item.header.filename)).toEqual(['a.txt', 'b.txt'])
    expect(door.kept()[0]?.header.eventId).toBe(EVENT_ID)
    expect((await door.send(target.replace(EVENT_ID, 'x'), { headers: MULTIPART, body: 'x' })).status).toBe(400)
    expect((await door.send(target, { body: 'x' })).status).toBe(415)
  })

  it.each([
    ['no delimiter', 'x'],
    ['an endless part', '--BOUNDARY\r\nContent-Disposition: form-data; name="a"\r\n\r\nabc'],
    ['endless headers', `--BOUNDARY\r\n${'a: b\r\n'.repeat(10_000)}\r\n--BOUNDARY--`],
    ['nothing after a delimiter', '--BOUNDARY'],
  ])('multipart with %s → 400', async (_, body) => {
    expect((await door.send(path, { headers: MULTIPART, body })).status).toBe(400)
  })
})
