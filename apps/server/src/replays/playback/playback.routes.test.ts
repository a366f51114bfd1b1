import { getReplayChunk, listReplayChunks } from '@firsthand/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callRoute } from '../../explore/test/call.ts'
import {
  LEDGER_ENGINES,
  seedOrganization,
  silentLogger,
  testClock,
  type OpenedLedger,
} from '../../storage/conformance/engines.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { DamagedBlob } from '../../lib/store-fault.ts'
import { releasedBlobs } from '../../storage/ledger/release-blobs.ts'
import { StorageUnavailableError } from '../../storage/index.ts'
import { createReplayDeletions } from '../ledger/replay-deletions.ts'
import { createReplayPacks, type ReplayPacks } from '../ledger/replay-packs.ts'
import { LIMITS } from '../limits.ts'
import { START } from '../replay.fixture.ts'
import { recordOf, SHOP } from '../replay-record.fixture.ts'
import type { SegmentRecord } from '../replay.ts'
import { ThreadEnded } from '../asked-thread.ts'
import { createCutting, type Cutting } from './cutting.ts'
import { createPacks } from './packs.ts'
import { createPlaybackRoutes } from './playback.routes.ts'
import { createRecordings, page, payloadOf, says } from './playback.fixture.ts'

const [ledgerEngine] = LEDGER_ENGINES

describe('what a player draws', () => {
  const cutting = createCutting()
  const clock = testClock(START)
  let opened: OpenedLedger
  let store: ReplayPacks
  let recordings: ReturnType<typeof createRecordings>
  let segments: SegmentRecord[]
  let routes: ReturnType<typeof createPlaybackRoutes>
  let replayId = ''
  let replays = 0
  /** What the ledger was asked for. */
  const asked: string[] = []

  /** As the server does it when it starts. */
  const start = (by: Cutting = cutting, now = () => 0): void => {
    const services = {
      replays: {
        find: () => Promise.resolve(recordOf({ replayId })),
        segments: () => Promise.resolve(segments),
      },
      projects: () => {
        asked.push('projects')
        return Promise.resolve([SHOP])
      },
      deletions: createReplayDeletions({ ledger: opened.ledger, clock }),
      clock,
    }
    const counted: ReplayPacks = {
      ...store,
      find: (...of) => {
        asked.push('pack')
        return store.find(...of)
      },
    }
    const packs = createPacks({ blobs: recordings.blobs, store: counted, cutting: by, logger: silentLogger, now })
    routes = createPlaybackRoutes({ ...services, packs })
  }

  beforeAll(async () => {
    if (ledgerEngine === undefined) throw new Error('no engine')
    opened = await ledgerEngine.open()
    await seedOrganization(opened.ledger)
    store = createReplayPacks({ ledger: opened.ledger, clock })
  })
  beforeEach(async () => {
    // The same bytes come again in another test: then nothing is left of them.
    for (const table of ['blobs', 'blob_releases', 'blob_holders'] as const)
      await opened.ledger.db.deleteFrom(table).execute()
    clock.set(START)
    replayId = (++replays).toString(16).padStart(32, '0')
    recordings = createRecordings()
    segments = []
    start()
  })
  afterAll(async () => {
    cutting.close()
    await opened.close()
  })

  const list = async (query: { readonly partly?: true; readonly after?: number } = {}) =>
    (await callRoute(routes, listReplayChunks, { params: { replay: replayId }, query })).body
  const read = async (number: number) => {
    const route = routes.find(({ endpoint }) => endpoint === getReplayChunk)
    const reply = await route?.handle({
      params: { org: 'acme', replay: replayId, number: String(number) },
      query: undefined,
      body: null,
      request: { organization: { id: 1 }, caller: { user: { id: 7 } } } as never,
    })
    if (reply === undefined || !('bytes' in reply) || !(reply.bytes instanceof Uint8Array)) throw new Error('no file')
    const text = Buffer.from(reply.bytes).toString()
    return { events: getReplayChunk.ok.parse(JSON.parse(text)), text, caching: reply.headers['cache-control'] ?? '' }
  }
  const textOf = async (): Promise<string> => {
    const texts: string[] = []
    for (const { number } of (await list()).chunks) texts.push((await read(number)).text)
    return texts.join('\n')
  }
  /** Blobs of chunks: how long each is kept, in milliseconds from now on. */
  const keptBlobs = async (): Promise<ReadonlyMap<string, number>> => {
    const rows = await opened.ledger.db.selectFrom('blobs').selectAll().execute()
    const own = rows.filter(({ key }) => recordings.payloads.has(key))
    const released = new Set(await releasedBlobs(opened.ledger))
    const until = (row: (typeof own)[number]): number => Math.max(row.needed_until, row.received_at + 90 * DAY_MS)
    return new Map(own.map((row) => [row.key, released.has(row.key) ? 0 : until(row) - clock.now()]))
  }
  const replay = () => ({ organizationId: 1, projectId: 1, replayId })
  /** A page that is large enough for a chunk of its own. */
  const large = (at: number, words: string): object[] => page(at, `${words} ${'x'.repeat(60_000)}`)

  it('is a list of chunks that each begin with a whole page, by the time line of the replay', async () => {
    segments = [
      recordings.segment('a', [...page(START), says(START + 10, 'second')]),
      // By a clock that was an hour off.
      recordings.segment('b', large(START + 3_600_500, ''), { shift: -3_600_000 }),
      recordings.segment('c', page(START + 900, 'third')),
    ]
    const { chunks, complete } = await list()
    expect(complete).toBe(false)
    expect(chunks.map(({ from, to, nodes }) => [from - START, to - START, nodes])).toEqual([
      [0, 500, 4],
      [900, 900, 4],
    ])
    for (const { bytes, from, number } of chunks) {
      const { events, text } = await read(number)
      expect(events.slice(0, 2)).toMatchObject([
        { type: 4, timestamp: from },
        { type: 2, timestamp: from },
      ])
      expect(Buffer.byteLength(text)).toBe(bytes)
    }
    clock.set(START + LIMITS.REPLAY_QUIET_MS)
    expect(await list()).toEqual({ chunks, first: 0, preparing: false, complete: true })
  })

  it('R117 is nothing where no page was recorded', async () => {
    segments = [recordings.segment('a', [says(START, 'nobody knows where')])]
    expect((await list()).chunks).toEqual([])
    segments = []
    expect((await list()).chunks).toEqual([])
  })

  it('R116 is what can be read, without segments that are broken, gone or cut off', async () => {
    const whole = payloadOf(page(START))
    segments = [
      recordings.segment('a', page(START)),
      recordings.segment('b', page(START + 1, 'broken'), { broken: 'corrupt' }),
      recordings.segment('c', page(START + 2, 'gone')),
      recordings.segment('d', page(START + 3, 'cut off')),
      recordings.segment('e', [says(START + 4, 'last')]),
    ]
    recordings.payloads.delete('c')
    recordings.payloads.set('d', whole.subarray(0, whole.byteLength / 2))
    const text = await textOf()
    expect(text).toMatch(/first.*last/)
    expect(text).not.toMatch(/broken|gone|cut off/)
  })

  it('R116 is what can be read without damaged blobs, but nothing is made of a store that does not answer', async () => {
    const from = recordings.blobs.get
    const failing = (error: Error) => async (key: string) => {
      if (key === 'b') throw error
      return from(key)
    }
    segments = [
      recordings.segment('a', page(START)),
      recordings.segment('b', page(START + 1, 'damaged')),
      recordings.segment('c', [says(START + 2, 'last')]),
    ]
    recordings.blobs.get = failing(new StorageUnavailableError('the bucket does not answer'))
    await expect(list()).rejects.toThrow('the bucket does not answer')
    expect(await store.find([1], replayId)).toBeNull()
    recordings.blobs.get = failing(new DamagedBlob('this file is damaged'))
    const text = await textOf()
    expect(text).toMatch(/first.*last/)
    expect(text).not.toContain('damaged')
  })

  it('is made once for all who ask at the same time, and after another start', async () => {
    segments = [recordings.segment('a', page(START)), recordings.segment('b', [says(START + 5, 'more')])]
    const [first, second] = await Promise.all([list(), list()])
    expect(second).toEqual(first)
    start()
    expect(await list()).toEqual(first)
    expect(recordings.asked).toEqual(['a', 'b'])
  })

  it('R8 R58 has what came late; a chunk that a browser keeps is never another one', async () => {
    segments = [recordings.segment('a', page(START))]
    const before = (await list()).chunks[0]?.number ?? 0
    expect(await read(before)).toMatchObject({ caching: expect.stringMatching(/^private, .*immutable$/) })
    segments = [...segments, recordings.segment('b', [says(START + 60_000, 'late')])]
    const after = (await list()).chunks[0]?.number ?? 0
    expect(after).not.toBe(before)
    // Whoever has the old list goes on with it, and is told not to keep the answer.
    expect(await read(before)).toMatchObject({ text: expect.stringContaining('late'), caching: 'no-store' })
    await expect(read(after + 1)).rejects.toMatchObject({ status: 404 })
  })

  it('R58 goes on from its last chunk when segments come at the end, and is cut anew when one comes between', async () => {
    segments = [
      recordings.segment('a', large(START, 'first')),
      recordings.segment('b', large(START + 1000, 'second')),
      recordings.segment('c', [says(START + 3000, 'third')]),
    ]
    await list()
    const kept = await keptBlobs()
    recordings.asked.length = 0
    segments.push(recordings.segment('d', [says(START + 4000, 'fourth'), ...large(START + 5000, 'fifth')]))
    const { chunks } = await list()
    expect(chunks.map(({ from, to }) => [from - START, to - START])).toEqual([
      [0, 0],
      [1000, 4000],
      [5000, 5000],
    ])
    // Segments that were cut before are not read again.
    expect(recordings.asked.filter((key) => key.length === 1)).toEqual(['d'])
    expect(await textOf()).toMatch(/first[^]*second[^]*third.*fourth[^]*fifth/)
    // The chunk that went on is another one now; the old one goes.
    const left = await keptBlobs()
    expect([...kept.keys()].filter((key) => (left.get(key) ?? 0) > 0)).toHaveLength(1)
    expect([...left.values()].filter((ms) => ms > 0)).toHaveLength(3)
    segments.splice(1, 0, recordings.segment('e', [says(START + 500, 'between')]))
    expect(await textOf()).toMatch(/first.*between[^]*second[^]*third.*fourth[^]*fifth/)
  })

  it('R103 R104 leaves nothing that stays when its making ends in the middle', async () => {
    const dying = createCutting()
    const once = { ...recordings.blobs, put: recordings.blobs.put }
    recordings.blobs.put = async (blobs) => {
      await once.put(blobs)
      throw new Error('the server was killed')
    }
    segments = [recordings.segment('a', large(START, 'first')), recordings.segment('b', large(START + 1, 'second'))]
    start(dying)
    await expect(list()).rejects.toThrow('the server was killed')
    expect([...(await keptBlobs()).values()]).toEqual([LIMITS.REPLAY_PACK_UNDER_WAY_MS])
    // The same begun again is kept as long as the organisation keeps its data.
    recordings.blobs.put = once.put
    start()
    expect((await list()).chunks).toHaveLength(2)
    for (const left of (await keptBlobs()).values()) expect(left).toBeGreaterThan(DAY_MS)
    dying.close()
  })

  /** Cuts, but for a segment that waits until it may. */
  const waitingAt = (waits: number): { readonly by: Cutting; readonly goOn: () => void } => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let segment = 0
    return {
      goOn: resolve,
      by: {
        ...cutting,
        ask: async (request) => {
          if (request.kind === 'segment' && segment++ === waits) await promise
          return cutting.ask(request)
        },
      },
    }
  }
  const fourLarge = (): SegmentRecord[] =>
    ['a', 'b', 'c', 'd'].map((key, index) => recordings.segment(key, large(START + index * 1000, `words of ${key}`)))

  it('R41 tells what can be read while the rest is cut, by the numbers that it keeps; nobody reads a segment again', async () => {
    segments = fourLarge()
    const { by, goOn } = waitingAt(2)
    const order: string[] = []
    const put = recordings.blobs.put
    recordings.blobs.put = async (blobs) => {
      const keys = await put(blobs)
      order.push('stored')
      return keys
    }
    start(by)
    const begun = await list({ partly: true })
    order.push('told')
    expect(begun.preparing).toBe(true)
    expect(begun.chunks.map(({ from }) => from - START)).toEqual([0])
    const number = begun.chunks[0]?.number ?? 0
    expect(await read(number)).toMatchObject({ text: expect.stringContaining('words of a'), caching: 'no-store' })
    expect(await list({ partly: true })).toEqual(begun)
    expect(await list({ partly: true, after: number })).toEqual({ ...begun, first: 1, chunks: [] })
    const all = list()
    goOn()
    const whole = await all
    expect(whole.preparing).toBe(false)
    expect(whole.chunks.map(({ from }) => from - START)).toEqual([0, 1000, 2000, 3000])
    expect(whole.chunks[0]).toEqual(begun.chunks[0])
    expect(await list({ partly: true })).toEqual(whole)
    expect(await list({ partly: true, after: number })).toEqual({ ...whole, first: 1, chunks: whole.chunks.slice(1) })
    expect(await list({ partly: true, after: number + 50 })).toEqual(whole)
    expect(await read(number)).toMatchObject({
      text: expect.stringContaining('words of a'),
      caching: expect.stringContaining('immutable'),
    })
    expect(order.slice(0, 2)).toEqual(['stored', 'told'])
    expect(recordings.asked.filter((key) => key.length === 1)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('R41 looks up where a replay is, and reads what it was cut into, once for each request', async () => {
    segments = fourLarge()
    const [chunk] = (await list()).chunks
    start()
    asked.length = 0
    await list()
    expect(asked).toEqual(['projects', 'pack'])
    await list({ partly: true })
    await read(chunk?.number ?? 0)
    expect(asked).toEqual(['projects', 'pack', 'projects', 'pack', 'projects', 'pack'])
    asked.length = 0
    await expect(read((chunk?.number ?? 0) + 70)).rejects.toThrow('no such chunk')
    expect(asked).toEqual(['projects', 'pack'])
  })

  it('R41 R58 what goes on is told when it is whole: players have the rest', async () => {
    segments = fourLarge().slice(0, 2)
    const before = await list()
    segments = [...segments, ...fourLarge().slice(2)]
    const { chunks, preparing } = await list({ partly: true })
    expect(preparing).toBe(false)
    expect(chunks).toHaveLength(4)
    expect(chunks[0]).toMatchObject({ from: before.chunks[0]?.from, bytes: before.chunks[0]?.bytes })
  })

  /** Cuts, but each segment takes all the time of a turn, and nobody cuts any more after so many. */
  const slow = (segmentsUntilItStops: number): readonly [Cutting, () => number] => {
    let now = 0
    let left = segmentsUntilItStops
    const by: Cutting = {
      ...cutting,
      ask: async (request) => {
        if (request.kind === 'segment') {
          if (left-- === 0) throw new ThreadEnded('cuts replays', 'the server stops', 'stopped')
          now += LIMITS.REPLAY_SEGMENT_CUT_MS
        }
        return cutting.ask(request)
      },
    }
    return [by, () => now]
  }

  it('R41 R118 is cut to its end however slow the machine is, in turns; chunks are told as they would be of one', async () => {
    segments = fourLarge()
    const whole = await list()
    replayId = `${'c'.repeat(24)}${replayId.slice(24)}`
    recordings.asked.length = 0
    start(...slow(Infinity))
    const begun = await list({ partly: true })
    expect(await list()).toEqual(whole)
    expect(begun.chunks).toEqual(whole.chunks.slice(0, begun.chunks.length))
    expect(recordings.asked.filter((key) => key.length === 1)).toEqual(['a', 'b', 'b', 'c', 'c', 'd', 'd'])
    expect(await textOf()).toMatch(/words of a[^]*words of b[^]*words of c[^]*words of d/)
  })

  it('R41 R118 goes on from where it was when the server stops between its turns', async () => {
    segments = fourLarge()
    const whole = await list()
    replayId = `${'d'.repeat(24)}${replayId.slice(24)}`
    start(...slow(2))
    await expect(list()).rejects.toThrow('the server stops')
    expect((await store.find([1], replayId))?.pack).toMatchObject({ segments: 2, chunks: { length: 2 } })
    recordings.asked.length = 0
    start()
    expect(await list()).toEqual(whole)
    expect(recordings.asked.filter((key) => key.length === 1)).toEqual(['c', 'd'])
  })

  it('R101 nothing can be read of a replay that is deleted while it is cut', async () => {
    segments = fourLarge()
    const { by, goOn } = waitingAt(2)
    start(by)
    const { chunks } = await list({ partly: true })
    await createReplayDeletions({ ledger: opened.ledger, clock }).note({ ...replay(), replayIds: [replayId] })
    await expect(list({ partly: true })).rejects.toMatchObject({ status: 404 })
    await expect(read(chunks[0]?.number ?? 0)).rejects.toMatchObject({ status: 404 })
    goOn()
    await expect.poll(async () => Math.max(...(await keptBlobs()).values())).toBe(0)
    expect(await store.find([1], replayId)).toBeNull()
  })

  it('R103 R104 what was told of one that ends in the middle goes, and is there once when it is cut again', async () => {
    segments = fourLarge()
    const { by, goOn } = waitingAt(2)
    const once = recordings.blobs.put
    start(by)
    const begun = await list({ partly: true })
    recordings.blobs.put = () => Promise.reject(new Error('the server was killed'))
    const ending = list().catch((error: unknown) => String(error))
    goOn()
    expect(await ending).toContain('the server was killed')
    for (const left of (await keptBlobs()).values()) expect(left).toBe(LIMITS.REPLAY_PACK_UNDER_WAY_MS)
    recordings.blobs.put = once
    start()
    // Whoever was told of it goes on.
    expect((await read(begun.chunks[0]?.number ?? 0)).text).toContain('words of a')
    const whole = await list({ partly: true })
    expect(whole).toMatchObject({ preparing: false })
    expect(whole.chunks[0]).toEqual(begun.chunks[0])
    const kept = await keptBlobs()
    expect(kept.size).toBe(4)
    for (const left of kept.values()) expect(left).toBeGreaterThan(DAY_MS)
  })

  it('says nothing of a replay that is over for the one that stops, and is made at the next start', async () => {
    const dying = createCutting()
    segments = [recordings.segment('a', page(START))]
    start(dying)
    dying.close()
    await expect(list()).rejects.toThrow('the server stops')
    expect(await store.find([1], replayId)).toBeNull()
    start()
    expect((await list()).chunks).toHaveLength(1)
  })

  it('is not cut for a number that nobody was told, and is for one of a list that was read when less had come', async () => {
    segments = fourLarge()
    const all = segments
    segments = all.slice(0, 2)
    const told = (await list()).chunks[1]?.number ?? 0
    await store.forget({ projectId: 1, replayIds: [replayId] })
    segments = all
    recordings.asked.length = 0
    for (const number of [0, 5, 1_000_001, told + 1_000_000, told + LIMITS.REPLAY_CHUNKS, Number.NaN])
      await expect(read(number)).rejects.toThrow('no such chunk')
    expect(recordings.asked).toEqual([])
    expect(await store.find([1], replayId)).toBeNull()
    expect((await read(told)).events.length).toBeGreaterThan(0)
    expect(recordings.asked).not.toEqual([])
  })

  it('is made anew when a chunk is gone', async () => {
    segments = [recordings.segment('a', page(START))]
    const number = (await list()).chunks[0]?.number ?? 0
    for (const key of (await keptBlobs()).keys()) recordings.payloads.delete(key)
    expect((await read(number)).text).toContain('first')
  })

  it('is cut anew when a chunk that is read is damaged', async () => {
    segments = [recordings.segment('a', page(START))]
    const number = (await list()).chunks[0]?.number ?? 0
    const damaged = new Set((await keptBlobs()).keys())
    const { get, put } = recordings.blobs
    recordings.blobs.get = async (key) => {
      if (damaged.has(key)) throw new DamagedBlob('this file is damaged')
      return get(key)
    }
    recordings.blobs.put = (blobs) => {
      damaged.clear()
      return put(blobs)
    }
    expect((await read(number)).text).toContain('first')
  })

  it('is cut anew when the chunk that it should go on from is damaged', async () => {
    segments = [recordings.segment('a', page(START))]
    await list()
    const damaged = new Set((await keptBlobs()).keys())
    const from = recordings.blobs.get
    recordings.blobs.get = async (key) => {
      if (damaged.has(key)) throw new DamagedBlob('this file is damaged')
      return from(key)
    }
    segments = [...segments, recordings.segment('b', [says(START + 5, 'more')])]
    expect(await textOf()).toMatch(/first.*more/)
  })

  it('R118 is what was cut until its chunks were too large or too many for what was recorded', async () => {
    const json = Buffer.alloc(1024 * 1024)
    const chunk = { from: START, to: START, nodes: 1, json, sha256: '0'.repeat(64) }
    const cutInto = (chunks: number): Cutting => ({
      ask: ({ kind }) =>
        Promise.resolve({
          chunks: kind === 'segment' ? Array.from({ length: chunks }, () => chunk) : [],
          hasMore: false,
        }),
      leave: () => undefined,
      close: () => undefined,
    })
    const received = 1024 * 1024
    const most = (LIMITS.REPLAY_CHUNK_BYTES_BASE + 2 * LIMITS.REPLAY_CHUNK_BYTES_TIMES * received) / json.byteLength
    segments = ['a', 'b'].map((key) => recordings.segment(key, page(START), { rawBytes: received }))
    start(cutInto(most / 2))
    expect((await list()).chunks).toHaveLength(most)
    replayId = 'a'.repeat(32)
    start(cutInto(most / 2 + 1))
    expect((await list()).chunks).toHaveLength(most / 2 + 1)
    replayId = 'b'.repeat(32)
    chunk.json = Buffer.alloc(1)
    start(cutInto(LIMITS.REPLAY_CHUNKS / 2 + 1))
    expect((await list()).chunks).toHaveLength(LIMITS.REPLAY_CHUNKS / 2 + 1)
  })

  it('R103 are noted however many they are', async () => {
    const chunks = Array.from({ length: 9000 }, (_, at) => ({
      from: START,
      to: START,
      bytes: 1,
      nodes: 1,
      key: `1/${at.toString(16).padStart(64, '0')}`,
    }))
    await store.noteUnderWay(1, chunks)
    const { count } = opened.ledger.db.fn
    const noted = opened.ledger.db.selectFrom('blobs').select(count('key').as('keys')).where('key', 'like', '1/000%')
    expect(Number((await noted.executeTakeFirst())?.keys)).toBe(chunks.length)
  })

  it('R101 is not kept of a replay that was deleted meanwhile', async () => {
    segments = [recordings.segment('a', page(START))]
    await createReplayDeletions({ ledger: opened.ledger, clock }).note({ ...replay(), replayIds: [replayId] })
    const packs = createPacks({ blobs: recordings.blobs, store, cutting, logger: silentLogger })
    await packs.of(replay(), segments)
    expect(await store.find([1], replayId)).toBeNull()
    expect([...(await keptBlobs()).values()]).toEqual([0])
  })
})
