import { gunzipSync } from 'node:zlib'
import { getReplayChunk, listReplayChunks } from '@firsthand/contract'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { callRoute } from '../../explore/test/call.ts'
import { silentLogger, testClock } from '../../storage/conformance/engines.ts'
import { LIMITS } from '../limits.ts'
import { REPLAY_ID, START } from '../replay.fixture.ts'
import type { ReplayRecord, SegmentRecord } from '../replays.view.ts'
import type { ReplayServices } from '../replays.routes.ts'
import { createCutting } from './cutting.ts'
import { createPacks } from './packs.ts'
import { createPlaybackRoutes } from './playback.routes.ts'
import { createRecordings, page, payloadOf, says } from './playback.fixture.ts'

describe('what a player draws', () => {
  const cutting = createCutting()
  const clock = testClock(START)
  let recordings: ReturnType<typeof createRecordings>
  let segments: SegmentRecord[]
  let routes: ReturnType<typeof createPlaybackRoutes>

  beforeEach(() => {
    clock.set(START)
    recordings = createRecordings()
    segments = []
    const replays = {
      find: () => Promise.resolve({ projectId: 1, replayId: REPLAY_ID } as ReplayRecord),
      segments: () => Promise.resolve(segments),
    }
    const services = {
      replays,
      projects: () => Promise.resolve([{ id: 1, slug: 'shop' }]),
      deletions: { find: () => Promise.resolve(null) },
      clock,
    } as unknown as ReplayServices
    const packs = createPacks({ blobs: recordings.blobs, cutting, logger: silentLogger })
    routes = createPlaybackRoutes({ ...services, packs })
  })
  afterAll(() => cutting.close())

  const list = async () => (await callRoute(routes, listReplayChunks, { params: { replay: REPLAY_ID } })).body
  const read = async (number: number) => {
    const route = routes.find(({ endpoint }) => endpoint === getReplayChunk)
    const reply = await route?.handle({
      params: { org: 'acme', replay: REPLAY_ID, number: String(number) },
      query: undefined,
      body: null,
      request: { organization: { id: 1 }, caller: { user: { id: 7 } } } as never,
    })
    if (reply === undefined || !('bytes' in reply) || !(reply.bytes instanceof Uint8Array)) throw new Error('no file')
    const events = getReplayChunk.ok.parse(JSON.parse(gunzipSync(reply.bytes).toString()))
    return { events, text: gunzipSync(reply.bytes).toString(), caching: reply.headers['cache-control'] ?? '' }
  }

  it('is a list of chunks that each begin with a whole page, by the time line of the replay', async () => {
    segments = [
      recordings.segment('a', [...page(START), says(START + 10, 'second')]),
      // By a clock that was an hour off.
      recordings.segment('b', page(START + 3_600_500, 'x'.repeat(60_000)), { shift: -3_600_000 }),
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
    expect(await list()).toEqual({ chunks, complete: true })
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
    const [chunk, ...others] = (await list()).chunks
    expect(others).toEqual([])
    const { text } = await read(chunk?.number ?? 0)
    expect(text).toMatch(/first.*last/)
    expect(text).not.toMatch(/broken|gone|cut off/)
  })

  it('is made once for all who ask at the same time, and afterwards', async () => {
    segments = [recordings.segment('a', page(START)), recordings.segment('b', [says(START + 5, 'more')])]
    const [first, second] = await Promise.all([list(), list()])
    expect(second).toEqual(first)
    await read(first.chunks[0]?.number ?? 0)
    expect(recordings.asked).toEqual(['a', 'b'])
  })

  it('R8 R58 has what came late; a chunk that a browser keeps is never another one', async () => {
    segments = [recordings.segment('a', page(START))]
    const before = (await list()).chunks[0]?.number ?? 0
    expect(await read(before)).toMatchObject({ caching: expect.stringMatching(/^private, .*immutable$/) })
    segments = [...segments, recordings.segment('b', [says(START + 60_000, 'late')])]
    // Whoever has the old list goes on with it, and is told not to keep the answer.
    expect(await read(before)).toMatchObject({ text: expect.stringContaining('late'), caching: 'no-store' })
    const after = (await list()).chunks[0]?.number ?? 0
    expect(after).not.toBe(before)
    await expect(read(after + 1)).rejects.toMatchObject({ status: 404 })
  })
})
