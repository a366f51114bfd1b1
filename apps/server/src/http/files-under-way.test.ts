import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFilesUnderWay, roomFor } from './files-under-way.ts'
import { LIMITS } from './limits.ts'

const SHARE = LIMITS.FILES_UNDER_WAY_BYTES / LIMITS.FILES_OWNER_PARTS
const NO_ROOM = 'Too many files are being sent'

afterEach(() => vi.useRealTimers())

describe('files under way', () => {
  it('arrive whole, with their headers and their length', async () => {
    const content = Uint8Array.from({ length: 3 * LIMITS.FILE_PIECE_BYTES + 7 }, (_, index) => index % 251)
    for (const bytes of [content, content.subarray(5, 10), new Uint8Array(0)]) {
      const answer = createFilesUnderWay().take('ann', bytes.byteLength).send(bytes, { 'content-type': 'image/png' })
      expect(answer.headers.get('content-type')).toBe('image/png')
      expect(answer.headers.get('content-length')).toBe(String(bytes.byteLength))
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
    }
  })

  it('that are read piece by piece arrive whole, and take little room', async () => {
    const files = createFilesUnderWay()
    let isClosed = false
    const pieces = async function* (): AsyncGenerator<Uint8Array> {
      try {
        for (let index = 0; index < 100; index += 1) yield new Uint8Array(100_000).fill(index)
      } finally {
        isClosed = true
      }
    }
    const content = () => ({ byteLength: 10_000_000, pieces: pieces() })
    expect(roomFor(content())).toBe(LIMITS.FILE_STREAMED_BYTES)
    expect(roomFor(new Uint8Array(10))).toBe(10)
    const answer = files.take('ann', roomFor(content())).send(content(), {})
    expect(answer.headers.get('content-length')).toBe('10000000')
    expect((await answer.arrayBuffer()).byteLength).toBe(10_000_000)

    isClosed = false
    const left = files.take('ann', SHARE).send(content(), {}).body?.getReader()
    await left?.read()
    await left?.cancel()
    expect(isClosed).toBe(true)
    files.take('ann', SHARE).release()
  })

  it('that fail while they are read do not end as if they were whole', async () => {
    const files = createFilesUnderWay()
    const failures: unknown[] = []
    const pieces = async function* (): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(5)
      throw new Error('damaged')
    }
    const answer = files
      .take('ann', SHARE)
      .send({ byteLength: 10, pieces: pieces() }, {}, (error) => failures.push(error))
    await expect(answer.arrayBuffer()).rejects.toThrow('damaged')
    expect(failures).toEqual([new Error('damaged')])
    files.take('ann', SHARE).release()
  })

  it('whose readers leave while a piece is read have not failed', async () => {
    const failures: unknown[] = []
    const read = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const pieces = async function* (): AsyncGenerator<Uint8Array> {
      try {
        yield new Uint8Array(5)
        begun.resolve()
        await read.promise
        yield new Uint8Array(5)
      } finally {
        closed.resolve()
      }
    }
    const answer = createFilesUnderWay()
      .take('ann', SHARE)
      .send({ byteLength: 10, pieces: pieces() }, {}, (error) => failures.push(error))
    const reader = answer.body?.getReader()
    await reader?.read()
    const waiting = reader?.read()
    await begun.promise
    const left = reader?.cancel()
    read.resolve()
    await Promise.all([left, waiting, closed.promise])
    expect(failures).toEqual([])
  })

  it('have so much room together, and those of one reader a part of it, until they are taken', async () => {
    const files = createFilesUnderWay()
    const first = files.take('ann', SHARE - 10)
    const second = files.take('ann', 10)
    expect(() => files.take('ann', 1)).toThrow(NO_ROOM)
    for (let other = 1; other < LIMITS.FILES_OWNER_PARTS; other += 1) files.take(`other ${other}`, SHARE)
    expect(() => files.take('eve', 1)).toThrow(NO_ROOM)

    await second.send(new Uint8Array(10), {}).arrayBuffer()
    first.release()
    first.release()
    // A file alone may be larger than a share.
    const large = files.take('eve', SHARE)
    expect(() => files.take('ann', 1)).toThrow(NO_ROOM)
    await large.send(new Uint8Array(10), {}).body?.cancel()
    files.take('ann', SHARE)
  })

  it('are held until their last piece was taken as well, and cut off when it is not', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const files = createFilesUnderWay()
    const bytes = new Uint8Array(2 * LIMITS.FILE_PIECE_BYTES)
    const send = () => files.take('eve', SHARE).send(bytes, {}).body?.getReader()
    const reader = send()
    await reader?.read()
    await reader?.read()
    expect(() => files.take('eve', SHARE)).toThrow(NO_ROOM)
    expect(await reader?.read()).toMatchObject({ done: true })
    const slow = send()
    await slow?.read()
    await slow?.read()
    await vi.advanceTimersByTimeAsync(LIMITS.FILE_IDLE_MS)
    await expect(slow?.read()).rejects.toThrow('stopped reading')
    files.take('eve', SHARE)
  })

  it('of a reader who stops reading are cut off, and give their room back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const files = createFilesUnderWay()
    const bytes = new Uint8Array(10 * LIMITS.FILE_PIECE_BYTES)
    const reader = files.take('eve', SHARE).send(bytes, {}).body?.getReader()
    await reader?.read()
    await vi.advanceTimersByTimeAsync(LIMITS.FILE_IDLE_MS - 1)
    // Whoever is slow and goes on reading is not cut off.
    await reader?.read()
    await vi.advanceTimersByTimeAsync(LIMITS.FILE_IDLE_MS - 1)
    expect(() => files.take('eve', SHARE)).toThrow(NO_ROOM)
    await vi.advanceTimersByTimeAsync(1)
    await expect(reader?.read()).rejects.toThrow('stopped reading')
    files.take('eve', SHARE)
  })
})
