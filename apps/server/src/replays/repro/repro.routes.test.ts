import { getReplayTest } from '@firsthand/contract'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../../accounts/index.ts'
import { callRoute } from '../../explore/test/call.ts'
import { HOUR_MS } from '../../lib/durations.ts'
import type { ReplayEventRecord } from '../../issues/index.ts'
import { DamagedBlob } from '../../lib/store-fault.ts'
import { silentLogger } from '../../storage/conformance/engines.ts'
import { createAskedThread } from '../asked-thread.ts'
import { LIMITS } from '../limits.ts'
import { createRecordings, page } from '../playback/playback.fixture.ts'
import { incremental, REPLAY_ID, span, START } from '../replay.fixture.ts'
import { ALL_THERE, recordOf } from '../replay-record.fixture.ts'
import type { SegmentRecord } from '../replay.ts'
import { createTestMaking, type TestMaking } from './make-test.ts'
import { createReproRoutes } from './repro.routes.ts'

const RECORD = recordOf({ browser: { name: 'Chrome', version: '141' } })

const click = (at: number): object => incremental(at, 2, { type: 2, id: 3, x: 1, y: 2 })

const reportedAt = (at: number, more: Partial<ReplayEventRecord> = {}): ReplayEventRecord => ({
  projectId: 1,
  replayId: REPLAY_ID,
  eventId: at.toString(16).padStart(32, '0'),
  issueId: '1',
  level: 'error',
  title: 'TypeError: reading price',
  at,
  ...more,
})

describe('a test of a replay', () => {
  const making = createTestMaking()
  let recordings: ReturnType<typeof createRecordings>
  let segments: SegmentRecord[]
  let reported: ReplayEventRecord[]
  let routes: ReturnType<typeof createReproRoutes>
  let start: (by: TestMaking) => void

  afterAll(making.close)

  beforeEach(() => {
    recordings = createRecordings()
    segments = []
    reported = []
    const services = {
      ...ALL_THERE,
      replays: {
        find: () => Promise.resolve(RECORD),
        segments: () => Promise.resolve(segments),
        events: () => Promise.resolve(reported),
      },
    }
    const settings = {
      byProjectId: () => Promise.resolve({ organizationId: 1, settings: DEFAULT_PROJECT_SETTINGS, platform: '' }),
    }
    start = (by) => {
      routes = createReproRoutes({ ...services, blobs: recordings.blobs, logger: silentLogger, making: by, settings })
    }
    start(making)
  })

  const ask = async (query: Readonly<Record<string, unknown>> = {}) =>
    (await callRoute(routes, getReplayTest, { params: { replay: REPLAY_ID }, query })).body

  it('does what was done before the first error, by the corrected clock', async () => {
    segments = [
      recordings.segment('a', [...page(START - HOUR_MS), click(START - 3_598_000)], { shift: HOUR_MS }),
      recordings.segment('b', [click(START + 9000), click(START + 20_000)]),
    ]
    reported = [
      reportedAt(START + 100, { level: 'info', title: 'The stock is low' }),
      reportedAt(START + 10_000),
      reportedAt(START + 30_000, { title: 'Error: later' }),
    ]
    const { error, name, source, steps } = await ask()
    expect(name).toBe('replay-d3cb139a.spec.ts')
    expect(error).toEqual({ eventId: reported[1]?.eventId, title: 'TypeError: reading price', at: START + 10_000 })
    expect(steps.map(({ at }) => at - START)).toEqual([0, 2000, 9000, 10_000])
    expect(source.split('\n')[(steps[1]?.line ?? 0) - 1]).toBe('  await page.mouse.click(1, 2) // 0:02')
    expect(source).toContain('// Chrome 141, 1280 × 720, https://shop.example\n')
  })

  it('leaves out a damaged segment, and says so', async () => {
    segments = [
      recordings.segment('a', [...page(START), click(START + 2000)]),
      recordings.segment('b', [click(START + 5000)]),
      recordings.segment('c', [click(START + 8000)]),
    ]
    reported = [reportedAt(START + 10_000)]
    const { get } = recordings.blobs
    recordings.blobs.get = (key) =>
      key === 'b' ? Promise.reject(new DamagedBlob('cut off', { cause: new Error('cut off') })) : get(key)
    const { missing, steps } = await ask()
    expect(steps.map(({ at }) => at - START)).toEqual([0, 2000, 8000, 10_000])
    expect(missing.map(({ text }) => text).join(' ')).toContain('1 segment of the replay, which cannot be read')
  })

  it('is a file of the test, or of its steps for Chrome’s Recorder', async () => {
    segments = [recordings.segment('a', [...page(START), click(START + 2000)])]
    reported = [reportedAt(START + 10_000)]
    const file = async (query: object) => {
      const route = routes.find(({ endpoint }) => endpoint === getReplayTest)
      const request = { organization: { id: 1 }, caller: { user: { id: 7 } } } as never
      const asked = getReplayTest.query.parse({ download: '1', ...query })
      const reply = await route?.handle({ params: { replay: REPLAY_ID }, query: asked, body: null, request })
      if (reply === undefined || !('bytes' in reply) || !(reply.bytes instanceof Uint8Array)) throw new Error('no file')
      return { headers: reply.headers, text: Buffer.from(reply.bytes).toString() }
    }
    expect((await file({})).text).toBe((await ask()).source)
    const { headers, text } = await file({ format: 'chrome-recorder' })
    expect(headers['content-disposition']).toBe('attachment; filename="replay-d3cb139a.json"')
    expect(JSON.parse(text)).toMatchObject({
      title: 'TypeError: reading price',
      steps: [
        { type: 'setViewport', width: 1280 },
        { type: 'navigate', url: 'https://shop.example/' },
      ],
    })
  })

  it('ends with the error that was asked for, and knows no other', async () => {
    segments = [recordings.segment('a', [...page(START), click(START + 2000), click(START + 20_000)])]
    reported = [reportedAt(START + 10_000), reportedAt(START + 30_000, { title: 'Error: later' })]
    const asked = await ask({ event: reported[1]?.eventId })
    expect(asked.error?.title).toBe('Error: later')
    expect(asked.steps).toHaveLength(4)
    await expect(ask({ event: 'f'.repeat(32) })).rejects.toMatchObject({ status: 404 })
  })

  it('is a file for who wants one', async () => {
    segments = [recordings.segment('a', page(START))]
    const [route] = routes
    const reply = await route?.handle({
      params: { org: 'acme', replay: REPLAY_ID },
      query: getReplayTest.query.parse({ download: '1' }),
      body: null,
      request: { organization: { id: 1 }, caller: { user: { id: 7 } } } as never,
    })
    if (reply === undefined || !('bytes' in reply)) throw new Error('it is no file')
    expect(reply.headers['content-disposition']).toBe('attachment; filename="replay-d3cb139a.spec.ts"')
    expect(Buffer.from(reply.bytes as Uint8Array).toString()).toBe((await ask()).source)
    expect((await ask()).source).toContain('// - no error was reported in this replay: nothing is expected\n')
  })

  it('reads no more than one test may, from the last page on that is whole, and says what it left out', async () => {
    const half = LIMITS.REPLAY_TEST_BYTES / 2
    segments = [
      recordings.segment('a', [...page(START), click(START + 500)], { rawBytes: half }),
      recordings.segment('b', [...page(START + 1000), click(START + 1500)], { rawBytes: half }),
      recordings.segment('c', [], { from: START + 2000, broken: 'corrupt' }),
      recordings.segment('d', [click(START + 3000)], { rawBytes: half, hasSnapshot: false, segmentId: 5 }),
    ]
    reported = [reportedAt(START + 10_000)]
    const { source, steps } = await ask()
    expect(recordings.asked).toEqual(['b', 'd'])
    expect(steps.map(({ at }) => at - START)).toEqual([1000, 1500, 3000, 10_000])
    expect(source).toContain('// - What stands in the first 1 segment of the replay: the test begins behind.\n')
    expect(source).toContain('// - What stands in 1 segment of the replay, which cannot be read.\n')
    expect(source).toContain('// - What stands in 2 segments of the replay, which never came.\n')
  })

  it('says nothing that the project keeps for itself', async () => {
    const answered = { response: { body: { password: 'hush', name: 'Ada' }, headers: {} } }
    const data = { method: 'GET', statusCode: 200, ...answered }
    const asked = span(START + 100, 'resource.fetch', { description: '/api/me?token=hush', data })
    segments = [recordings.segment('a', [...page(START), asked, click(START + 2000)])]
    reported = [reportedAt(START + 10_000)]
    const { source } = await ask()
    expect(source).not.toContain('hush')
    expect(source).toContain('Ada')
    expect(source).toContain("['GET /api/me', [")
  })

  it('is stopped when it takes too long, while this thread goes on, and says so; the next one is made', async () => {
    segments = [recordings.segment('a', page(START))]
    const busy: TestMaking = createAskedThread({
      entry: new URL('data:text/javascript,for(;;){}'),
      does: 'makes tests from replays',
      answerMs: 50,
      begins: () => true,
    })
    start(busy)
    await expect(ask()).rejects.toMatchObject({
      status: 409,
      detail: expect.stringContaining('takes more time or memory than one may have (30 s)') as string,
    })
    start(making)
    expect((await ask()).steps).toHaveLength(1)
  })

  it('is not made by a server that stops', async () => {
    segments = [recordings.segment('a', page(START))]
    const stopped = createTestMaking()
    start(stopped)
    stopped.close()
    await expect(ask()).rejects.toThrow('the server stops')
  })

  it('needs a page', async () => {
    segments = [recordings.segment('a', [click(START)], { hasSnapshot: false })]
    await expect(ask()).rejects.toMatchObject({ status: 404 })
  })
})
