import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { serializeEnvelope } from '@firsthand/protocol'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../limits.ts'
import { fileOf } from '../payload-file.ts'
import type { StagedFile } from '../spool/staging.ts'
import type { DoorParts } from './door.ts'
import { createByteQuotas } from './byte-quotas.ts'
import { ENVELOPE_PATH, EVENT_ID, KEY, keyContext, startDoor, type TestDoor } from './test-door.ts'

const KB = 1024
/** A hundredth of the real ones. */
const limits = {
  ...LIMITS,
  COMPRESSED_BODY_BYTES: 200 * KB,
  ENVELOPE_BYTES: 1000 * KB,
  HELD_BODY_BYTES: 40 * KB,
  ATTACHMENT_BYTES: 900 * KB,
  MINIDUMP_BYTES: 900 * KB,
  ITEM_BYTES: 200 * KB,
  STAGED_PAYLOAD_BYTES: 10 * KB,
  STAGED_WRITE_BYTES: 10 * KB,
  STAGED_BODIES_BYTES: 40_000 * KB,
  CONCURRENT_BODIES_BYTES: 2560 * KB,
  KEYLESS_BODY_BYTES: 3 * KB,
  INFLATE_RATIO_FREE_BYTES: 320 * KB,
  INFLATE_AT_ONCE_BYTES: 1 * KB,
  INFLATE_AT_ONCE_OUTPUT_BYTES: 4 * KB,
}

let door: TestDoor
const open = async (more: Partial<DoorParts> = {}): Promise<void> => {
  await door?.close()
  door = await startDoor({ limits, ...more })
}
beforeEach(() => open())
afterAll(() => door.close())

const attachment = (payload: Uint8Array, more: object = {}) => ({
  header: { type: 'attachment', filename: 'heap.bin', ...more },
  payload,
})
const event = { header: { type: 'event' }, payload: Buffer.from('{"message":"out of memory"}') }
const envelope = (...items: Parameters<typeof serializeEnvelope>[1]): Buffer =>
  Buffer.from(serializeEnvelope({ event_id: EVENT_ID }, items))

/** What the only kept envelope holds: types, and the payloads wherever they are. */
const kept = () => {
  expect(door.records).toHaveLength(1)
  return (door.kept()[0]?.items ?? []).map((item) => {
    const file = fileOf(item)
    if (file === null) return { type: item.header.type, isFile: false, payload: Buffer.from(item.payload) }
    const payload = readFileSync(file.path)
    expect([file.bytes, file.sha256]).toEqual([payload.byteLength, createHash('sha256').update(payload).digest('hex')])
    return { type: item.header.type, isFile: true, payload }
  })
}

describe('an envelope with large attachments', () => {
  const heap = randomBytes(600 * KB)
  const small = randomBytes(5 * KB)
  const expected = [
    { type: 'event', isFile: false, payload: event.payload },
    { type: 'attachment', isFile: true, payload: heap },
    { type: 'attachment', isFile: false, payload: small },
  ]
  const body = envelope(event, attachment(heap), attachment(small))

  it.each([
    ['in one piece', undefined],
    ['in chunks of unknown length', 50],
  ])('is kept, with them in files: %s', async (_, chunks) => {
    const answer = await door.send(ENVELOPE_PATH, { body, ...(chunks !== undefined && { chunks }) })
    expect([answer.status, answer.json]).toEqual([200, { id: EVENT_ID }])
    expect(kept()).toEqual(expected)
    // The record itself is small.
    expect(door.records[0]?.body.byteLength).toBeLessThan(10 * KB)
    expect(door.staged()).toHaveLength(1)
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('is kept, compressed (%s), whether it is large before or only after', async (encoding, compress) => {
    const regular = Buffer.alloc(500 * KB, randomBytes(20 * KB))
    for (const large of [heap, regular]) {
      door.reset()
      const sent = compress(envelope(event, attachment(large)))
      expect(sent.byteLength > limits.HELD_BODY_BYTES).toBe(large === heap)
      const answer = await door.send(ENVELOPE_PATH, { body: sent, headers: { 'content-encoding': encoding } })
      expect(answer.status).toBe(200)
      expect(kept()[1]).toEqual({ type: 'attachment', isFile: true, payload: large })
    }
  })

  it('is kept when its header alone names the key', async () => {
    const dsn = `http://${KEY}@127.0.0.1:${door.port}/42`
    const named = Buffer.from(serializeEnvelope({ event_id: EVENT_ID, dsn }, [event, attachment(heap)]))
    expect((await door.send('/api/42/envelope/', { body: named })).status).toBe(200)
    expect(kept()).toEqual(expected.slice(0, 2))
    door.reset()
    expect((await door.send('/api/42/envelope/', { body })).status).toBe(401)
    expect(door.records).toEqual([])
  })

  it('leaves no file of what is refused, whyever it is', async () => {
    const reasonOf = async (sent: Buffer, headers = {}): Promise<unknown> => {
      door.outcomes.length = 0
      const { status } = await door.send(ENVELOPE_PATH, { body: sent, headers })
      return [status, ...new Set(door.outcomes.map(({ reason }) => reason))]
    }
    const cut = body.subarray(0, -400 * KB)
    expect(await reasonOf(cut)).toEqual([400, 'invalid_envelope'])
    expect(await reasonOf(Buffer.concat([body, Buffer.from('{"no":"type"}\n')]))).toEqual([400, 'invalid_envelope'])
    expect(await reasonOf(envelope(attachment(heap), attachment(heap)))).toEqual([413, 'too_large'])
    expect(await reasonOf(envelope(attachment(randomBytes(950 * KB))))).toEqual([413, 'too_large'])
    expect(await reasonOf(envelope(attachment(heap), { ...event, payload: Buffer.from('{') }))).toEqual([
      400,
      'invalid_json',
    ])
    const gzip = { 'content-encoding': 'gzip' }
    expect(await reasonOf(gzipSync(body).subarray(0, -100), gzip)).toEqual([400, 'invalid_encoding'])
    expect(await reasonOf(gzipSync(envelope(attachment(Buffer.alloc(800 * KB)))), gzip)).toEqual([413, 'inflation'])
    expect(await reasonOf(gzipSync(envelope(attachment(heap), attachment(heap))), gzip)).toEqual([413, 'too_large'])
    door.state.failure = new Error('the disk is full')
    expect(await reasonOf(body)).toEqual([503, 'storage_full'])
    expect([door.records, door.staged()]).toEqual([[], []])
  })

  it('keeps nothing of an event over the limit of its key, and charges its files to byte quotas', async () => {
    door.keys.set(KEY, keyContext({ rateLimit: { count: 0, windowSeconds: 60 } }))
    expect((await door.send(ENVELOPE_PATH, { body })).status).toBe(429)
    expect(door.outcomes.map(({ itemType, reason, bytes }) => [itemType, reason, bytes])).toEqual([
      ['event', 'key_quota', event.payload.byteLength],
      ['attachment', 'key_quota', heap.byteLength],
      ['attachment', 'key_quota', small.byteLength],
    ])
    expect(door.staged()).toEqual([])

    await open({ bytes: createByteQuotas({ keyBytesPerDay: 8 * 500 * KB, organizationBytesPerDay: null }) })
    expect((await door.send(ENVELOPE_PATH, { body })).status).toBe(200)
    expect((await door.send(ENVELOPE_PATH, { body })).status).toBe(429)
    expect([door.records.length, door.staged().length]).toEqual([1, 1])
  })

  it('is refused when it was next to nothing on the wire, and charged as it is otherwise', async () => {
    const packed = { headers: { 'content-encoding': 'br' } }
    const regular = (block: number) =>
      brotliCompressSync(envelope(event, attachment(Buffer.alloc(200 * KB, randomBytes(block)))))
    expect((await door.send(ENVELOPE_PATH, { body: regular(1), ...packed })).status).toBe(413)
    expect(door.outcomes.map(({ reason }) => reason)).toContain('inflation')
    expect([door.records, door.staged()]).toEqual([[], []])

    // Of 2 KiB on the wire, twenty times as much would leave room for a second one.
    await open({ bytes: createByteQuotas({ keyBytesPerDay: 8 * 150 * KB, organizationBytesPerDay: null }) })
    const body = regular(2 * KB)
    expect(body.byteLength).toBeLessThan(3 * KB)
    expect((await door.send(ENVELOPE_PATH, { body, ...packed })).status).toBe(200)
    expect((await door.send(ENVELOPE_PATH, { body, ...packed })).status).toBe(429)
  })

  it('leaves nothing when its sender goes away, or is too slow', async () => {
    await open({
      limits: { ...limits, BODY_TIMEOUT_MS: 2000, BODY_BYTES_PER_SECOND: 10_000 * KB, DRAIN_TIMEOUT_MS: 50 },
    })
    const begin = async () => {
      const socket = await door.raw()
      socket.write(`POST ${ENVELOPE_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.byteLength}\r\n\r\n`)
      socket.write(body.subarray(0, 300 * KB))
      await expect.poll(() => door.staged().length).toBe(1)
      return socket
    }
    const gone = await begin()
    gone.destroy()
    await expect.poll(() => door.staged()).toEqual([])
    const slow = await begin()
    const [answer] = await once(slow, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /)
    expect([door.records, door.staged()]).toEqual([[], []])
    slow.destroy()
  })

  it('may take longer than others, as long as it comes', async () => {
    await open({ limits: { ...limits, BODY_TIMEOUT_MS: 1000, BODY_BYTES_PER_SECOND: 20 * KB } })
    const socket = await door.raw()
    socket.write(`POST ${ENVELOPE_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.byteLength}\r\n\r\n`)
    socket.write(body.subarray(0, 300 * KB))
    const begun = performance.now()
    await expect.poll(() => performance.now() - begun, { timeout: 5000 }).toBeGreaterThan(1500)
    socket.write(body.subarray(300 * KB))
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /)
    socket.destroy()
  })

  it('holds no more memory than the parts of it that are no attachments', async () => {
    // Ten at once would need several times what all bodies may hold, and more than one key has of it.
    const answers = await Promise.all(Array.from({ length: 10 }, () => door.send(ENVELOPE_PATH, { body, chunks: 20 })))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const replay = { header: { type: 'replay_recording' }, payload: randomBytes(300 * KB) }
    const answer = await door.send(ENVELOPE_PATH, { body: envelope(event, attachment(heap), replay) })
    expect([answer.status, answer.json['detail']]).toEqual([
      413,
      `request body is larger than ${limits.COMPRESSED_BODY_BYTES} bytes without its attachments`,
    ])
    expect(answer.json['causes']).toEqual([
      expect.stringMatching(/^The item of type replay_recording goes beyond it: .* Compress the body/),
      expect.stringContaining('Only attachments'),
    ])
    expect(door.staged()).toHaveLength(10)
  })

  it('is refused when as many are on their way as may be, and taken when there is room again', async () => {
    await open({ limits: { ...limits, STAGED_BODIES_BYTES: 1000 * KB } })
    const first = await door.raw()
    first.write(`POST ${ENVELOPE_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.byteLength}\r\n\r\n`)
    first.write(body.subarray(0, 500 * KB))
    await expect.poll(() => door.staged().length).toBe(1)
    // As soon as the first has its share.
    await expect.poll(async () => (await door.send(ENVELOPE_PATH, { body })).status).toBe(503)
    first.destroy()
    await expect.poll(async () => (await door.send(ENVELOPE_PATH, { body })).status).toBe(200)
  })

  it.each([
    ['cannot begin', () => Promise.reject(new Error('ENOSPC'))],
    [
      'cannot go on',
      async (): Promise<StagedFile> => ({
        write: () => Promise.reject(new Error('ENOSPC')),
        finish: () => Promise.reject(new Error('not reached')),
        discard: async () => undefined,
      }),
    ],
  ])('is refused with a sentence when a file %s', async (_, stage) => {
    await open({
      spool: {
        stage,
        append: () => Promise.reject(new Error('not reached')),
        pressure: () => 'ok',
        hasShare: () => true,
        takesHeavy: () => true,
      },
    })
    const answer = await door.send(ENVELOPE_PATH, { body })
    expect([answer.status, answer.json['detail']]).toEqual([
      503,
      'the server cannot keep more data: its disk is full or its queue is at the limit',
    ])
    expect(answer.headers['retry-after']).toBe('30')
    expect(door.log.join('')).toContain('ENOSPC')
  })
})

describe('a large form', () => {
  const dump = Buffer.concat([Buffer.from('MDMP'), randomBytes(500 * KB)])
  const form = (...parts: readonly (readonly [string, Buffer | string])[]): Buffer =>
    Buffer.concat([
      ...parts.flatMap(([disposition, data]) => [
        Buffer.from(`--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
        Buffer.from(data),
        Buffer.from('\r\n'),
      ]),
      Buffer.from('--b--\r\n'),
    ])
  const send = (path: string, body: Buffer, type = 'multipart/form-data; boundary=b') =>
    door.send(`/api/42/${path}/?sentry_key=${KEY}`, { body, headers: { 'content-type': type } })

  const sendPacked = (body: Buffer) =>
    door.send(`/api/42/minidump/?sentry_key=${KEY}`, {
      body,
      headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-encoding': 'gzip' },
    })

  const FIELD = 'name="upload_file_minidump"; filename="a.dmp"'

  it.each([
    ['as it is', dump],
    ['compressed', gzipSync(dump)],
    [
      'compressed so well that it is small',
      gzipSync(Buffer.concat([dump.subarray(0, 30 * KB), Buffer.alloc(300 * KB)])),
    ],
  ])('holds a minidump (%s), which becomes a file', async (_, sent) => {
    const log = randomBytes(20 * KB)
    const body = form(
      ['name="sentry[release]"', 'till@1'],
      [FIELD, sent],
      ['name="guid"', '1-2-3'],
      ['name="log"; filename="log.txt"', log],
    )
    const answer = await send('minidump', body)
    expect(answer.status).toBe(200)
    const [crash, file, fields, other] = kept()
    expect(JSON.parse(String(crash?.payload))).toMatchObject({ release: 'till@1', platform: 'native' })
    expect(file).toMatchObject({ type: 'attachment', isFile: true })
    expect(file?.payload.subarray(0, 30 * KB)).toEqual(dump.subarray(0, 30 * KB))
    expect(String(fields?.payload)).toBe('[["guid","1-2-3"]]')
    expect(other).toMatchObject({ type: 'attachment', payload: log })
    // The compressed one is not kept beside it.
    expect(door.staged()).toHaveLength(kept().filter(({ isFile }) => isFile).length)
    expect(door.kept()[0]?.items[1]?.header).toMatchObject({
      attachmentType: 'event.minidump',
      length: file?.payload.byteLength,
    })
  })

  it('whose dump is packed as the body is inflates no more than one of them may', async () => {
    const packed = (plain: Buffer) => gzipSync(form([FIELD, gzipSync(plain)]))
    const honest = Buffer.concat([dump.subarray(0, 2 * KB), Buffer.alloc(300 * KB)])
    expect((await sendPacked(packed(honest))).status).toBe(200)
    door.reset()
    const regular = Buffer.concat([Buffer.from('MDMP'), Buffer.alloc(300 * KB)])
    expect((await sendPacked(packed(regular))).status).toBe(413)
    expect(door.outcomes).toMatchObject([{ outcome: 'invalid', reason: 'inflation' }])
    // That of the first.
    expect([door.records, door.staged().length]).toEqual([[], 1])
  })

  it('may be the dump alone', async () => {
    expect((await send('minidump', dump, 'application/x-dmp')).status).toBe(200)
    expect(kept()[1]).toEqual({ type: 'attachment', isFile: true, payload: dump })
  })

  it.each([
    ['is none', form([FIELD, randomBytes(400 * KB)]), 400, 'invalid_minidump'],
    ['is none when it is unpacked', form([FIELD, gzipSync(randomBytes(400 * KB))]), 400, 'invalid_minidump'],
    ['is torn', form([FIELD, gzipSync(dump).subarray(0, -50)]), 400, 'invalid_minidump'],
    ['unpacks to too much', form([FIELD, gzipSync(Buffer.concat([dump, dump]))]), 413, 'too_large'],
    ['unpacks to far too much', form([FIELD, gzipSync(Buffer.alloc(880 * KB))]), 413, 'inflation'],
    ['is missing', form(['name="other"; filename="a"', dump]), 400, 'missing_minidump'],
    ['has no end', form([FIELD, dump]).subarray(0, -10), 400, 'invalid_multipart'],
  ])('whose dump %s is refused, and leaves nothing', async (_, body, status, reason) => {
    expect((await send('minidump', body)).status).toBe(status)
    expect(door.outcomes).toMatchObject([{ outcome: 'invalid', reason }])
    expect([door.records, door.staged()]).toEqual([[], []])
  })

  it('of attachments keeps each', async () => {
    const log = randomBytes(20 * KB)
    const body = form(['name="a"; filename="a.bin"', dump], ['name="b"; filename="b.bin"', log])
    expect((await send(`events/${EVENT_ID}/attachments`, body)).status).toBe(201)
    expect(kept().map(({ type, payload }) => [type, payload])).toEqual([
      ['attachment', dump],
      ['attachment', log],
    ])
  })
})
