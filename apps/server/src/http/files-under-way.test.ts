import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFilesUnderWay } from './files-under-way.ts'
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
