import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { decodeUtf8 } from '@firsthand/protocol'
import { LIMITS } from '../limits.ts'
import { LIMITS as KEPT_ITEM_LIMITS } from '../../kept-items/limits.ts'
import { LIMITS as TRACE_LIMITS } from '../../traces/limits.ts'
import { ENVELOPE_PATH, envelopeOf, EVENT, EVENT_ID, KEY, keyContext, startDoor, type TestDoor } from './test-door.ts'

let door: TestDoor
beforeAll(async () => {
  door = await startDoor()
})
afterAll(() => door.close())
beforeEach(() => door.reset())

const keptTypes = (): string[] => door.kept().flatMap((envelope) => envelope.items.map((item) => item.header.type))
const keptPayloads = (): string[] =>
  door.kept().flatMap((envelope) => envelope.items.map((item) => decodeUtf8(item.payload)))

const expectNothingKept = (): void => expect(door.records).toEqual([])

describe('envelope syntax over HTTP', () => {
  it.each([
    ['check 1: no length, no final line feed', EVENT],
    ['check 2: with a final line feed', `${EVENT}\n`],
  ])('%s → 200, one event', async (_, body) => {
    const answer = await door.envelope(body)
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ id: EVENT_ID })
    expect(keptPayloads()).toEqual(['{"message":"hello"}'])
  })

  it('check 3: pretty-printed payload with length → stored', async () => {
    const payload = JSON.stringify({ message: 'x' }, null, 2)
    await door.envelope(`{}\n{"type":"event","length":${payload.length}}\n${payload}\n`)
    expect(keptPayloads()).toEqual([payload])
  })

  it.each([
    ['check 4: length beyond the end', '{}\n{"type":"session"}\n{}\n{"type":"event","length":300}\n{}'],
    ['check 5: length inside the payload', '{}\n{"type":"event","length":1}\n{}'],
    ['check 8: length in characters', '{}\n{"type":"event","length":11}\n{"m":"é🎉"}\n'],
    ['check 9: negative length', '{}\n{"type":"event","length":-1}\n{}'],
    ['check 10: header is no object', '[]\n{"type":"event"}\n{}'],
    ['check 14: item without type', '{}\n{}\n{}'],
  ])('%s → 400, nothing stored', async (_, body) => {
    const answer = await door.envelope(body)
    expect(answer.status).toBe(400)
    expect(answer.json['detail']).toMatch(/^invalid envelope: /)
    expect(answer.headers['x-sentry-error']).toBe(answer.json['detail'])
    expectNothingKept()
    expect(door.outcomes).toMatchObject([
      { outcome: 'invalid', reason: 'invalid_envelope', itemType: 'envelope', bytes: Buffer.byteLength(body) },
    ])
  })

  it('check 6: empty attachment → 200', async () => {
    const answer = await door.envelope(`{"event_id":"${EVENT_ID}"}\n{"type":"attachment","length":0,"filename":"a"}`)
    expect(answer.status).toBe(200)
    expect(keptPayloads()).toEqual([''])
  })

  it('check 7: an event header as the last line → 400, no crash', async () => {
    const answer = await door.envelope('{}\n{"type":"event"}')
    expect(answer.status).toBe(400)
    expect(answer.json['detail']).toBe('invalid JSON in item of type event')
    expect((await door.envelope(EVENT)).status).toBe(200)
  })

  it.each(['{}', '{}\n'])('check 11: header only %j → 200 {}, outcome empty', async (body) => {
    const answer = await door.envelope(body)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('{}')
    expectNothingKept()
    expect(door.outcomes).toMatchObject([{ outcome: 'invalid', reason: 'empty_envelope' }])
  })

  it('check 12: no body → 400', async () => {
    const answer = await door.envelope('')
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({ detail: 'empty request body', causes: [] })
  })

  it('check 13: unknown item type between known ones → 200, all are kept for the digest to count', async () => {
    const body = envelopeOf({}, [{ type: 'event' }, '{}'], [{ type: 'hologram' }, '???'], [{ type: 'session' }, '{}'])
    expect((await door.envelope(body)).status).toBe(200)
    expect(keptTypes()).toEqual(['event', 'hologram', 'session'])
  })

  it.each([
    ['check 15: unknown header keys', '{"x":1}\n{"type":"event","y":2}\n{}'],
    ['check 16: CRLF', '{}\r\n{"type":"event"}\r\n{}\r\n'],
    ['check 17: blank lines', '{}\n\n{"type":"event"}\n{}\n\n\n'],
    ['check 18: sent_at with offset', '{"sent_at":"2026-11-20T12:00:00.123456789+02:00"}\n{"type":"event"}\n{}'],
    ['check 19: malformed trace', '{"trace":"x"}\n{"type":"event"}\n{}'],
    ['check 109: byte order mark', '\ufeff{}\n{"type":"event"}\n{}'],
  ])('%s → 200', async (_, body) => {
    expect((await door.envelope(body)).status).toBe(200)
    expect(keptTypes()).toEqual(['event'])
  })

  it('check 20: the id is answered as 32 lower-case hex characters', async () => {
    const answer = await door.envelope(
      envelopeOf({ event_id: '9EC79C33-EC99-42AB-8353-589FCB2E04DC' }, [{ type: 'event' }, '{}']),
    )
    expect(answer.json).toEqual({ id: EVENT_ID })
    expect(door.kept()[0]?.header.eventId).toBe(EVENT_ID)
  })

  it('check 21: the header wins over the payload', async () => {
    const other = 'a'.repeat(32)
    const answer = await door.envelope(
      envelopeOf({ event_id: EVENT_ID }, [{ type: 'event' }, `{"event_id":"${other}"}`]),
    )
    expect(answer.json).toEqual({ id: EVENT_ID })
  })

  it('check 22: an id of the payload, or a new one, is written into the header', async () => {
    const answer = await door.envelope(envelopeOf({ x: 1 }, [{ type: 'event' }, `{"event_id":"${EVENT_ID}"}`]))
    expect(answer.json).toEqual({ id: EVENT_ID })
    const generated = await door.envelope('{}\n{"type":"event"}\n{}')
    expect(generated.json['id']).toMatch(/^[0-9a-f]{32}$/)
    expect(door.kept().map(({ header }) => header.eventId)).toEqual([EVENT_ID, generated.json['id']])
    expect(door.kept()[0]?.header.raw['x']).toBe(1)
  })

  it('check 23: client report with header {} → 200 {}', async () => {
    const answer = await door.envelope('{}\n{"type":"client_report"}\n{"discarded_events":[]}')
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('{}')
  })

  it('check 24: transaction and span container → both', async () => {
    await door.envelope(envelopeOf({}, [{ type: 'transaction' }, '{}'], [{ type: 'span', item_count: 1 }, '{}']))
    expect(keptTypes()).toEqual(['transaction', 'span'])
  })

  it.each(['profile_chunk', 'statsd', 'nel', 'replay_video'])(
    'check 86: %s is taken, whatever it holds',
    async (type) => {
      for (const payload of ['[]', '[{"type":"network-error"}]', 'a:1|c', '']) {
        door.reset()
        const answer = await door.envelope(`{}\n{"type":"${type}"}\n${payload}\n{"type":"event"}\n{"message":"m"}`)
        expect([payload, answer.status]).toEqual([payload, 200])
        expect(keptTypes()).toContain('event')
      }
    },
  )

  it('check 25: two events → 413, nothing stored', async () => {
    const answer = await door.envelope(envelopeOf({}, [{ type: 'event' }, '{}'], [{ type: 'event' }, '{}']))
    expect(answer.status).toBe(413)
    expect(answer.json['detail']).toBe('envelope has more than 1 items of type event')
    expectNothingKept()
    expect(door.outcomes).toMatchObject([
      { outcome: 'invalid', reason: 'too_many_items', itemType: 'event', category: 'error' },
      { outcome: 'invalid', reason: 'too_many_items', itemType: 'event', category: 'error' },
    ])
  })

  it('keeps exactly the received bytes when nothing was removed', async () => {
    await door.envelope(EVENT)
    expect(decodeUtf8(door.records[0]?.body ?? new Uint8Array())).toBe(EVENT)
  })

  it('notes the sender', async () => {
    await door.envelope(EVENT, { 'user-agent': 'Test/1', origin: 'https://shop.example' })
    expect(door.records[0]).toMatchObject({
      kind: 'envelope',
      receivedAt: door.state.now,
      sender: {
        organizationId: 1,
        projectId: 42,
        keyId: 7,
        clientAddress: '127.0.0.1',
        userAgent: 'Test/1',
        origin: 'https://shop.example',
        sdk: 'sentry.javascript.browser/11.12.0',
      },
    })
  })
})

describe('hostile items', () => {
  it('check 103: event nested half a million deep → 400 that names the item', async () => {
    const answer = await door.envelope(`{}\n{"type":"event"}\n{"a":${'['.repeat(500_000)}`)
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({
      detail: 'invalid JSON in item of type event',
      causes: [`nested deeper than ${LIMITS.JSON_DEPTH} levels`],
    })
  })

  it('check 104: __proto__ pollutes nothing', async () => {
    const hostile = '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}'
    expect((await door.envelope(`{"__proto__":{"admin":true}}\n{"type":"event"}\n${hostile}`)).status).toBe(200)
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
    expect(keptPayloads()).toEqual([hostile])
  })

  it('check 105: invalid UTF-8 is replaced in JSON and untouched in an attachment', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{}\n{"type":"event"}\n{"message":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}\n{"type":"attachment","length":2}\n'),
      Buffer.from([0xff, 0x0a]),
    ])
    expect((await door.envelope(bytes)).status).toBe(200)
    expect(keptPayloads()[0]).toBe('{"message":"\ufffd\ufffd"}')
    expect([...(door.kept()[0]?.items[1]?.payload ?? [])]).toEqual([0xff, 0x0a])
  })

  it('check 106: a lone surrogate is kept', async () => {
    expect((await door.envelope('{}\n{"type":"event"}\n{"message":"\\ud800"}')).status).toBe(200)
  })

  it('check 108: NaN in an envelope item → 400', async () => {
    expect((await door.envelope('{}\n{"type":"event"}\n{"a":NaN}')).status).toBe(400)
  })

  it('a broken session is counted and left out, the event lives', async () => {
    const answer = await door.envelope(
      envelopeOf({ event_id: EVENT_ID }, [{ type: 'session' }, 'x'], [{ type: 'event' }, '{}']),
    )
    expect(answer.json).toEqual({ id: EVENT_ID })
    expect(keptTypes()).toEqual(['event'])
    expect(door.outcomes).toMatchObject([{ outcome: 'invalid', reason: 'invalid_json', itemType: 'session' }])
  })

  it('a broken client report is no error', async () => {
    const answer = await door.envelope('{}\n{"type":"client_report"}\nx')
    expect(answer.status).toBe(200)
    expect(door.outcomes).toMatchObject([{ itemType: 'client_report', reason: 'invalid_json' }])
  })

  it('check 123: hostile names reach neither headers nor log lines', async () => {
    const path = `/api/42/envelope/?sentry_key=${KEY}&sentry_client=evil%0D%0AX-Injected:%201%1b%5b31m`
    const answer = await door.send(path, { body: '{}\n{"type":"ev\\r\\nil"}\n{}\n{"type":"event"}\nx' })
    expect(answer.status).toBe(400)
    expect(answer.headers['x-injected']).toBeUndefined()
    expect(door.log.join('').split('\n').length - 1).toBe(door.log.length)
    expect(door.outcomes.every(({ sdk }) => /^[\x20-\x7e]*$/.test(sdk))).toBe(true)
  })

  it('an oversized event → 413 that names its type', async () => {
    const message = 'x'.repeat(LIMITS.EVENT_BYTES)
    const answer = await door.envelope(`{}\n{"type":"event"}\n{"message":"${message}"}`)
    expect(answer.status).toBe(413)
    expect(answer.json['detail']).toBe(`item of type event is larger than ${LIMITS.EVENT_BYTES} bytes`)
    expect(door.outcomes).toMatchObject([{ outcome: 'invalid', reason: 'too_large', itemType: 'event' }])
  })

  it.each([
    ['attachment', KEPT_ITEM_LIMITS.ATTACHMENTS_PER_ENVELOPE],
    ['session', LIMITS.SESSIONS_PER_ENVELOPE],
    ['span', TRACE_LIMITS.SPANS_V1_PER_ENVELOPE],
    ['hologram', LIMITS.ITEMS_PER_ENVELOPE],
  ])('more %s items than %i → 413', async (type, count) => {
    const items = (number: number) => envelopeOf({}, ...Array.from({ length: number }, () => [{ type }, '{}'] as const))
    expect((await door.envelope(items(count))).status).toBe(200)
    expect((await door.envelope(items(count + 1))).status).toBe(413)
  })

  it('answers mutated envelopes with a status, never with silence', async () => {
    const bytes = Buffer.from(EVENT)
    for (let index = 0; index < bytes.byteLength; index++) {
      const mutated = Buffer.from(bytes)
      mutated[index] = (mutated[index] ?? 0) ^ 0x20
      const { status } = await door.send(ENVELOPE_PATH, { body: mutated })
      expect([200, 400, 401, 403, 413]).toContain(status)
    }
  })
})

const FIXTURES = join(import.meta.dirname, '../../../../../fixtures/envelopes')
const recordings = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.envelope'),
)

describe('recordings of real SDKs', () => {
  it.each(recordings)('%s → 200, kept byte for byte', async (name) => {
    const request = JSON.parse(readFileSync(join(FIXTURES, name.replace('.envelope', '.json')), 'utf8'))
    const body = readFileSync(join(FIXTURES, name))
    const { authorization, 'x-sentry-auth': auth, 'user-agent': agent, 'content-type': type } = request.headers
    const headers = { authorization, 'x-sentry-auth': auth, 'user-agent': agent, 'content-type': type }
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
    const answer = await door.send(request.url.replace(/\/api\/\d+\//, '/api/42/'), { body, headers: given })
    expect(answer.status).toBe(200)
    expect(door.outcomes).toEqual([])
    expect(Buffer.from(door.records[0]?.body ?? [])).toEqual(body)
    expect(door.records[0]?.sender.sdk).toMatch(/^sentry\.javascript\.(?:node|browser)\/\d+\.\d+\.\d+$/)
  })
})

describe('the balance of the door', () => {
  it('every item is either kept or counted as refused, exactly once', async () => {
    const item = fc.tuple(
      fc.constantFrom(
        'event',
        'transaction',
        'session',
        'attachment',
        'client_report',
        'user_report',
        'log',
        'hologram',
      ),
      fc.constantFrom('{}', 'x', '{"a":[[[]]]}', ''),
    )
    const request = fc.record({
      items: fc.array(item, { minLength: 1, maxLength: 6 }),
      limit: fc.option(fc.nat({ max: 2 })),
      pressure: fc.constantFrom('ok' as const, 'ok' as const, 'ok' as const, 'behind' as const, 'full' as const),
      fails: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(request, async ({ items, limit, pressure, fails }) => {
        door.reset()
        door.state.now += 3_600_000
        door.state.pressure = pressure
        door.state.failure = fails ? new Error('disk full') : null
        const rateLimit = limit === null ? null : { count: limit, windowSeconds: 60 }
        door.keys.set(KEY, keyContext({ rateLimit }))
        const { status } = await door.envelope(
          envelopeOf({}, ...items.map(([type, payload]) => [{ type }, payload] as const)),
        )
        const kept = door.kept().reduce((sum, envelope) => sum + envelope.items.length, 0)
        const refused = door.outcomes.filter(({ itemType }) => itemType !== 'envelope')
        const unread = door.outcomes.filter(({ itemType }) => itemType === 'envelope').length
        expect([200, 400, 413, 429, 503]).toContain(status)
        // Without room the body is not even read: the request is counted instead of its items.
        expect([kept + refused.length, unread]).toEqual(pressure === 'ok' ? [items.length, 0] : [0, 1])
      }),
      { numRuns: 150 },
    )
  })
})
