import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createByteQuotas } from './byte-quotas.ts'
import { createQuotas } from './quotas.ts'
import { KEY, OTHER_KEY, keyContext, startDoor, type TestDoor } from './test-door.ts'

const event = (id: number, size = 0): string =>
  `{"event_id":"${id.toString(16).padStart(32, '0')}"}\n{"type":"event"}\n{"message":"${'x'.repeat(size)}"}\n`
const SESSION = '{}\n{"type":"session"}\n{"sid":"1"}\n'

let door: TestDoor
const doors: TestDoor[] = []
afterAll(async () => {
  for (const one of doors) await one.close()
})

const open = async (more: Parameters<typeof startDoor>[0]): Promise<TestDoor> => {
  door = await startDoor(more)
  doors.push(door)
  door.keys.set(KEY, keyContext())
  door.keys.set(OTHER_KEY, keyContext({ keyId: 8, publicKey: OTHER_KEY, projectId: 43, organizationId: 2 }))
  return door
}

describe('a sender over its bytes', () => {
  beforeEach(() => open({ bytes: createByteQuotas({ keyBytesPerDay: 80_000, organizationBytesPerDay: 800_000 }) }))

  it('is told so, in the words of the protocol, and counted; sessions go on, and other organisations', async () => {
    expect((await door.envelope(event(1, 10_000))).status).toBe(200)
    const refused = await door.envelope(event(2))
    expect(refused.status).toBe(429)
    expect(refused.json['detail']).toBe(
      "the project key sent more than 10000 bytes in this hour; the limit is in the project's settings under Keys",
    )
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(300)
    expect(refused.headers['x-sentry-rate-limits']).toMatch(/^\d+:default;error;[a-z_;]*:key:key_byte_quota$/)
    expect(String(refused.headers['x-sentry-rate-limits'])).not.toMatch(/session/)
    expect(door.outcomes).toMatchObject([{ outcome: 'rate_limited', reason: 'key_byte_quota', itemType: 'event' }])

    const mixed = await door.envelope(`${event(3)}{"type":"session"}\n{"sid":"1"}\n`)
    expect(mixed.status).toBe(200)
    expect(mixed.headers['x-sentry-rate-limits']).toMatch(/key_byte_quota$/)
    expect(
      door
        .kept()
        .at(-1)
        ?.items.map((item) => item.header.type),
    ).toEqual(['session'])

    const other = `/api/43/envelope/?sentry_key=${OTHER_KEY}`
    expect((await door.send(other, { body: event(4) })).status).toBe(200)
  })

  it('is not even read once nothing has room', async () => {
    expect((await door.envelope(event(1, 10_000))).status).toBe(200)
    let sessions = 0
    while (sessions < 100 && (await door.envelope(SESSION)).status === 200) sessions += 1
    // A tenth of the hour's 10,000 bytes, of which the smallest item takes 1,024.
    expect(sessions).toBe(1)
    const kept = door.records.length
    const refused = await door.envelope('this is no envelope')
    expect(refused.status).toBe(429)
    // No category is all of them, so SDKs keep sessions back, too.
    expect(refused.headers['x-sentry-rate-limits']).toMatch(/^\d+::key:key_byte_quota$/)
    expect(door.outcomes.at(-1)).toMatchObject({ reason: 'key_byte_quota', itemType: 'envelope' })
    expect(door.records.length).toBe(kept)
  })

  it('is not charged for what a full disk did not take', async () => {
    door.state.failure = new Error('ENOSPC')
    expect((await door.envelope(event(1, 10_000))).status).toBe(503)
    door.state.failure = null
    expect((await door.envelope(event(2, 10_000))).status).toBe(200)
    expect((await door.envelope(event(3))).status).toBe(429)
  })

  it('80 kB on the wire do not become 90 MB', async () => {
    // Whatever a sender tries within an hour, what is kept ends at the quota plus one envelope.
    let kept = 0
    for (let sent = 0; sent < 20; sent += 1) if ((await door.envelope(event(sent, 4000))).status === 200) kept += 1
    expect(kept).toBe(3)
  })
})

describe('what a request is charged with', () => {
  const DAY = 80_000_000
  const charged = async (body: Uint8Array | string, headers = {}): Promise<number> => {
    const bytes = createByteQuotas({ keyBytesPerDay: DAY, organizationBytesPerDay: null })
    await open({ bytes })
    expect((await door.envelope(body, headers)).status).toBe(200)
    return Object.values(bytes.save()).reduce((sum, { dayBytes }) => sum + dayBytes, 0)
  }
  const br = { 'content-encoding': 'br' }

  it('is what came over the wire, twenty times at most', async () => {
    const attachment = `{"type":"attachment","filename":"a"}\n${'x'.repeat(1024 * 1024)}\n`
    const regular = brotliCompressSync(event(1) + attachment)
    const bytes = await charged(regular, br)
    expect(bytes).toBeGreaterThanOrEqual(20 * regular.byteLength)
    expect(bytes).toBeLessThan(20 * regular.byteLength + 2048)
    expect(bytes).toBeLessThan(6000)
    expect(await charged(event(1) + attachment)).toBe(1024 + 1024 * 1024)
  })

  it.each(['feedback', 'user_report'])(
    'is all of what visitors say, which the ledger keeps as it is: %s',
    async (type) => {
      const said = JSON.stringify({ comments: 'x'.repeat(500_000) })
      const regular = brotliCompressSync(`{"event_id":"${'a'.repeat(32)}"}\n{"type":"${type}"}\n${said}\n`)
      expect(await charged(regular, br)).toBe(said.length)
    },
  )

  it('is something for the smallest item', async () => {
    expect(await charged(`{}\n${'{"type":"session"}\n{"sid":"1"}\n'.repeat(50)}`)).toBe(50 * 1024)
  })
})

describe('two limits at once', () => {
  beforeEach(() => open({ bytes: createByteQuotas({ keyBytesPerDay: 80_000, organizationBytesPerDay: 800_000 }) }))

  it('bytes that the limit of the key does not let in are not charged', async () => {
    door.keys.set(KEY, keyContext({ rateLimit: { count: 1, windowSeconds: 86_400 } }))
    expect((await door.envelope(event(1))).status).toBe(200)
    for (let id = 2; id < 5; id += 1) {
      expect((await door.envelope(event(id, 9000))).headers['x-sentry-rate-limits']).toMatch(/key_quota$/)
    }
    door.keys.set(KEY, keyContext())
    expect((await door.envelope(event(5))).status).toBe(200)
  })

  it('events that the bytes do not let in are none of the limit of the key', async () => {
    const rateLimit = { count: 3, windowSeconds: 86_400 }
    door.keys.set(KEY, keyContext({ rateLimit }))
    expect((await door.envelope(event(1, 10_000))).status).toBe(200)
    for (let id = 2; id < 9; id += 1) {
      expect((await door.envelope(event(id))).headers['x-sentry-rate-limits']).toMatch(/key_byte_quota$/)
    }
    door.keys.set(KEY, keyContext({ rateLimit, bytesPerDay: 1_000_000 }))
    expect((await door.envelope(event(9))).status).toBe(200)
    expect((await door.envelope(event(10))).status).toBe(200)
    expect((await door.envelope(event(11))).headers['x-sentry-rate-limits']).toMatch(/key_quota$/)
  })
})

describe('spike protection at the door', () => {
  it('answers 429 for the project, and lets sessions pass', async () => {
    await open({ quotas: createQuotas({ take: () => ({ granted: false, retryAfterSeconds: 60 }) }) })
    const refused = await door.envelope(event(1))
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('60')
    expect(refused.headers['x-sentry-rate-limits']).toBe('60:default;error;security:project:spike_protection')
    expect(door.outcomes).toMatchObject([{ outcome: 'rate_limited', reason: 'spike_protection', itemType: 'event' }])
    expect((await door.envelope(SESSION)).status).toBe(200)
  })
})
