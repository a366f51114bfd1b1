import { describe, expect, it } from 'vitest'
import { createHeldMappings } from './held-mappings.ts'
import { preparedBytes } from './prepared-mapping.fixture.ts'

/** Blobs by any key, which are the same mapping; how often they were read, and the most at once. */
const createBlobs = (prepared = preparedBytes('com.acme.Tea -> a.b:\n    void pour() -> a\n')) => {
  const seen = { reads: 0, atOnce: 0, most: 0, fault: null as Error | null }
  const get = async (): Promise<Uint8Array | null> => {
    seen.reads += 1
    seen.atOnce += 1
    seen.most = Math.max(seen.most, seen.atOnce)
    await new Promise((resolve) => setImmediate(resolve))
    seen.atOnce -= 1
    if (seen.fault !== null) throw seen.fault
    return prepared
  }
  return { seen, get, place: (key: string) => ({ key, bytes: prepared?.byteLength ?? 0 }) }
}

describe('mappings that are held', () => {
  it('are read once for all who ask while one is read', async () => {
    const blobs = createBlobs()
    const mappings = createHeldMappings(blobs, 1e9)
    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => mappings.open(blobs.place('1/a'))))
    expect(first?.headOf('a.b', 'obfuscated').found?.original).toBe('com.acme.Tea')
    expect(others.every((other) => other === first)).toBe(true)
    expect(blobs.seen.reads).toBe(1)
    expect(await mappings.open(blobs.place('1/a'))).toBe(first)
    expect(blobs.seen.reads).toBe(1)
  })

  it('are read one at a time, and stay within their bytes', async () => {
    const blobs = createBlobs()
    const probe = createHeldMappings(blobs, 1e9)
    await probe.open(blobs.place('1/probe'))
    const one = probe.bytes()
    const mappings = createHeldMappings(blobs, one * 3)
    const keys = Array.from({ length: 10 }, (_, index) => `1/${index}`)
    await Promise.all(keys.map((key) => mappings.open(blobs.place(key))))
    expect(blobs.seen.most).toBe(1)
    expect(mappings.bytes()).toBe(one * 3)
    const before = blobs.seen.reads
    for (const key of ['1/7', '1/8', '1/9']) await mappings.open(blobs.place(key))
    expect(blobs.seen.reads).toBe(before)
  })

  it('go before another one is read that has no room beside them', async () => {
    const blobs = createBlobs()
    const probe = createHeldMappings(blobs, 1e9)
    await probe.open(blobs.place('1/probe'))
    let heldMeanwhile = -1
    const mappings = createHeldMappings(
      {
        get: (key) => {
          if (key === '1/large') heldMeanwhile = mappings.bytes()
          return blobs.get()
        },
      },
      probe.bytes() * 2,
    )
    await mappings.open(blobs.place('1/a'))
    await mappings.open(blobs.place('1/b'))
    expect(mappings.bytes()).toBe(probe.bytes() * 2)
    await mappings.open({ key: '1/large', bytes: probe.bytes() * 2 })
    expect(heldMeanwhile).toBe(0)
  })

  it('of a store that is away are asked for again, and keep no other waiting', async () => {
    const blobs = createBlobs()
    const mappings = createHeldMappings(blobs, 1e9)
    blobs.seen.fault = new Error('the bucket is away')
    const [one, two] = await Promise.allSettled([mappings.open(blobs.place('1/a')), mappings.open(blobs.place('1/a'))])
    expect([one?.status, two?.status]).toEqual(['rejected', 'rejected'])
    blobs.seen.fault = null
    expect(await mappings.open(blobs.place('1/b'))).not.toBeNull()
    expect(await mappings.open(blobs.place('1/a'))).not.toBeNull()
  })
})
