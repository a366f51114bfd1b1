import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { parseEnvelope } from '@firsthand/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../accounts/index.ts'
import { RECEIVED_AT } from '../event/normalise/digest-item.fixture.ts'
import type { DigestItem } from '../ingest/index.ts'
import { findBackfills, groupsOf } from '../kept-items/backfill.ts'
import { keepItems } from '../kept-items/keep.ts'
import { KEPT_ITEMS } from '../kept-items/kept-item-row.ts'
import { AWAITED } from '../kept-items/kept-items.ts'
import { DAY_MS, HOUR_MS } from '../lib/durations.ts'
import { createFileBlobs } from '../storage/blobs/file-blobs.ts'
import {
  LEDGER_ENGINES,
  seedOrganization,
  silentLogger,
  TELEMETRY_ENGINES,
  temporaryFolder,
  testClock,
  type OpenedTelemetry,
} from '../storage/conformance/engines.ts'
import { createRowWriter } from '../storage/telemetry/row-writer.ts'
import { createReplayAssets } from './ledger/replay-assets.ts'
import { createReplayDeletions } from './ledger/replay-deletions.ts'
import { createReplayPacks } from './ledger/replay-packs.ts'
import { LIMITS } from './limits.ts'
import { playbackJson } from './overview/playback-json.ts'
import { createPictureMaking } from './pictures/make-picture.ts'
import { createPictureRoutes } from './pictures/pictures.routes.ts'
import { createCutting } from './playback/cutting.ts'
import { createPacks } from './playback/packs.ts'
import { createRecordings, page, says } from './playback/playback.fixture.ts'
import { decodeSegment } from './read/decode-segment.ts'
import { createReplayItems } from './replay-items.ts'
import { replayJson } from './replay-json.ts'
import {
  breadcrumb,
  incremental,
  meta,
  packed,
  pageOf,
  phoneSegment,
  recorded,
  REPLAY_ID,
  segment,
  snapshot,
  span,
  START,
  videoNote,
  type SegmentSpec,
} from './replay.fixture.ts'
import { SHOP } from './replay-record.fixture.ts'
import type { SegmentRecord } from './replay.ts'
import { createReplayView, type ReplayView } from './replays.view.ts'

/** From the bytes of an SDK, through the real engine and the files of blobs, to what is read again. */

const folder = temporaryFolder()
afterAll(() => folder.remove())
const blobs = createFileBlobs(folder.path)
const unwritten = createReplayItems({
  blobs,
  writer: { insert: async () => undefined, insertRows: async () => new Map() },
})

const idOf = (number: number): string => String(number).padStart(32, '0')

/** A paragraph more at the end of the page. */
const adds = (at: number, id: number, textContent: string): object => {
  const added = [
    { parentId: 3, nextId: null, node: { type: 2, id, tagName: 'p', attributes: {}, childNodes: [] } },
    { parentId: id, nextId: null, node: { type: 3, id: id + 10_000, textContent } },
  ]
  return incremental(at, 0, { adds: added, removes: [], texts: [], attributes: [] })
}

/** Ids of marks have the project in them. */
const withoutIds = <Index extends { readonly marks: readonly object[] }>({ marks, ...index }: Index) => ({
  ...index,
  marks: marks.map((mark) => ({ ...mark, id: '' })),
})

const NO_BLOBS = { recording: null, video: null }

const contextOf = (items: readonly DigestItem[]) => ({
  settings: DEFAULT_PROJECT_SETTINGS,
  siblings: items.map(({ item }) => item),
})

/** How the event and the recording of a segment end, alone. */
const ends = (spec: SegmentSpec) => {
  const items = segment(spec)
  return items.map((item) => {
    const expanded = unwritten.expand(item, contextOf(items))
    if (!expanded.ok) return expanded.error.outcome.reason
    const [part] = unwritten.partsOf?.(expanded.value) ?? []
    return part?.outcome.reason ?? 'accepted'
  })
}

const rowsOf = (spec: SegmentSpec) => {
  const items = segment(spec)
  const expanded = unwritten.expand(items[1], contextOf(items))
  if (!expanded.ok) throw new Error('it is not stored')
  return expanded.value
}

const storedOf = (spec: SegmentSpec) => {
  const { segment: stored } = rowsOf(spec)
  if (stored === null) throw new Error('it is not stored')
  return stored
}

const expandVideo = (payload: Uint8Array) => {
  const [{ item, ...digestItem }] = segment()
  const video = { ...digestItem, item: { header: { ...item.header, type: 'replay_video' }, payload } }
  return unwritten.expand(video, contextOf([video]))
}

const videoOf = (parts: Readonly<Record<string, Uint8Array>>) => expandVideo(packed(parts))

const videoSegment = (parts: Readonly<Record<string, Uint8Array>>) => {
  const expanded = videoOf(parts)
  if (!expanded.ok) throw new Error(expanded.error.detail)
  return expanded.value.segment
}

const deep = (levels: number): Buffer => Buffer.from(`[${'['.repeat(levels)}${']'.repeat(levels)}]`)

describe('what an SDK sends', () => {
  it('R13 R15 an event that cannot be read ends by itself, and its recording is kept', () => {
    expect(ends({ eventPayload: '{}' })).toEqual(['invalid_replay', 'accepted'])
    expect(ends({ eventPayload: 'nonsense' })).toEqual(['invalid_replay', 'accepted'])
    expect(storedOf({ eventPayload: '{"segment_id":-1}' })).toMatchObject({
      replayId: REPLAY_ID,
      segmentId: 0,
      urls: ['https://shop.example/'],
    })
    expect(ends({})).toEqual(['accepted', 'accepted'])
  })

  it('R116 recordings that cannot be read end with a reason, their event is kept and the segment says why', () => {
    const bomb = deflateSync(Buffer.alloc(LIMITS.REPLAY_INFLATED_BYTES + 1, ' '))
    const whole = deflateSync(Buffer.from(JSON.stringify([meta(START)])))
    const broken: readonly (readonly [string, Uint8Array])[] = [
      ['corrupt', Buffer.from([0x78, 0x9c, 1, 2, 3])],
      ['corrupt', whole.subarray(0, whole.byteLength - 8)],
      ['corrupt', Buffer.alloc(0)],
      ['too_large', bomb],
      ['no_json', Buffer.from('[{]')],
      ['no_json', deflateSync(Buffer.from('{"a":1}'))],
      ['no_events', deep(100_000)],
      ['no_events', Buffer.from('[1,null,"x",{"type":3}]')],
    ]
    for (const [reason, body] of broken) {
      expect(ends({ body })).toEqual(['accepted', 'broken_recording'])
      expect(storedOf({ body })).toMatchObject({ broken: reason, hasSnapshot: false, segmentId: 0 })
    }
  })

  it('a recording has the number of its own first line', () => {
    expect(storedOf({ segmentId: 4, event: { segment_id: 9 } }).segmentId).toBe(4)
    // Some senders write it as a text: nothing of the event is lost for that.
    expect(storedOf({ segmentId: 4, event: { segment_id: '4', environment: 'qa' } })).toMatchObject({
      segmentId: 4,
      environment: 'qa',
    })
  })

  it('R29 its tags are those that were sent, whatever they are called, without secrets', () => {
    const tags = { user: 'tagged', browser: 'own', level: 'gold', 'a b': 'blank', device: 'pass 4111111111111111' }
    const stored = storedOf({ event: { tags, user: { id: '42' }, level: 'error' } }).tags
    expect(stored).toEqual([
      ['user', 'tagged'],
      ['browser', 'own'],
      ['level', 'gold'],
      ['a-b', 'blank'],
      ['device', expect.not.stringContaining('4111')],
    ])
  })

  it('a recording without a number has the one of the event beside it', () => {
    const [event, { item, ...digestItem }] = segment({ segmentId: 4, event: { segment_id: 9 } })
    const payload = Buffer.concat([Buffer.from('{}\n'), item.payload.subarray(item.payload.indexOf(0x0a) + 1)])
    const unnumbered = { ...digestItem, item: { ...item, payload } }
    const expanded = unwritten.expand(unnumbered, contextOf([event, unnumbered]))
    expect(expanded.ok && expanded.value.segment?.segmentId).toBe(9)
  })

  it('R2 packed and plain recordings give the same index', () => {
    const { id, bytes, ...packed } = storedOf({})
    const { id: otherId, bytes: otherBytes, ...plain } = storedOf({ isPlain: true })
    expect(plain).toEqual(packed)
    expect(otherId).not.toBe(id)
    expect(otherBytes).not.toBe(bytes)
  })

  it('R9 seconds and milliseconds in one segment are the same clock', () => {
    const events = [meta(START), snapshot(START), span(START + 3000, 'memory'), incremental(START + 4000, 3)]
    expect(storedOf({ events })).toMatchObject({ from: START, to: START + 4000 })
  })

  it('R23 a clock that was set by three days does not make a replay of three days', () => {
    const days = 3 * DAY_MS
    const events = [
      meta(START - days),
      snapshot(START - days + 1000),
      incremental(START, 3),
      incremental(START + 900, 3),
    ]
    const within = storedOf({ events })
    expect(within.to - within.from).toBeLessThan(10_000)
    const before = storedOf({ events: [meta(START - days)], sentAt: RECEIVED_AT - days })
    expect(before).toMatchObject({ from: START, shift: days })
    expect(before.replayStart).toBe(before.from)
    // What tells of another time beside the recording moves nothing.
    const noted = storedOf({ events: [span(START - days, 'memory'), meta(START), incremental(START + 1000, 3)] })
    expect(noted).toMatchObject({ from: START, to: START + 1000 })
  })

  it('R25 pictures of canvases are counted by themselves', () => {
    const picture = 'A'.repeat(5000)
    const events = [meta(START), incremental(START + 1, 9, { id: 7, commands: [{ args: [{ base64: picture }] }] })]
    const { canvasBytes, rawBytes } = storedOf({ events })
    expect(canvasBytes).toBe(5000)
    expect(rawBytes).toBeGreaterThan(5000)
    expect(storedOf({}).canvasBytes).toBe(0)
  })

  it('R13 R116 what a phone recorded is event, recording and video in one, and each may be missing or broken', () => {
    const [about, recording] = segment({ event: { urls: ['screen'] } }).map(({ item }) => item.payload)
    if (about === undefined || recording === undefined) throw new Error('no segment')
    const film = Buffer.from('....ftypmp42 and so on')
    const all = { replay_event: about, replay_recording: recording, replay_video: film }
    expect(videoOf(all)).toMatchObject({ ok: true, value: { payload: recording, video: film } })
    expect(videoSegment(all)).toMatchObject({
      replayId: REPLAY_ID,
      segmentId: 0,
      urls: ['screen'],
      videoBytes: film.byteLength,
      broken: '',
    })
    expect(videoSegment({ replay_event: about, replay_video: film })).toMatchObject({ broken: 'missing' })
    expect(videoSegment({ replay_recording: recording })).toMatchObject({ segmentId: 0, videoBytes: 0, broken: '' })
    const broken = { ...all, replay_recording: Buffer.from('{"segment_id":0}\nnonsense') }
    expect(videoSegment(broken)).toMatchObject({ broken: 'corrupt', videoBytes: film.byteLength })
    const invalid = { ok: false, error: { outcome: { kind: 'invalid', reason: 'invalid_replay' } } }
    expect(videoOf({ replay_video: film })).toMatchObject(invalid)
    expect(expandVideo(Buffer.from('no map'))).toMatchObject(invalid)
  })

  it('moments of a segment are bounded, and it says how many were left out', () => {
    const many = Array.from({ length: LIMITS.REPLAY_MARKS_PER_SEGMENT + 5 }, (_, index) =>
      breadcrumb(START + index, 'console', { message: `line ${index}` }),
    )
    expect(storedOf({ events: many }).marksLeftOut).toBe(5)
  })

  it('R33 texts of a segment are not read when those before it have taken all room, and only then', () => {
    const texts = Array.from({ length: LIMITS.REPLAY_TEXTS + 5 }, (_, index) => `row ${index}`)
    const full = { replayId: 'f'.repeat(32), events: [pageOf(START, ...texts)] }
    const next = { ...full, segmentId: 1, events: [pageOf(START + 5000, 'one', 'more')] }
    const sizes = (spec: SegmentSpec) => [rowsOf(spec).texts.length, rowsOf(spec).segment?.textsLeftOut]
    expect(sizes(full)).toEqual([LIMITS.REPLAY_TEXTS, 5])
    // The first that has none tells that there is none.
    expect(sizes(next)).toEqual([0, 2])
    expect(sizes({ ...next, segmentId: 2 })).toEqual([0, 0])
    expect(sizes(next)).toEqual([0, 2])
    expect(sizes({ ...next, replayId: 'e'.repeat(32) })).toEqual([2, 0])
  })
})

describe.each(TELEMETRY_ENGINES)('replays on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let kind: ReturnType<typeof createReplayItems>
  let view: ReplayView
  let tokens = 0
  let projects = 1000
  beforeAll(async () => {
    opened = await open()
    kind = createReplayItems({ blobs, writer: createRowWriter({ client: opened.telemetry.client }) })
    view = createReplayView({ client: opened.telemetry.client })
  })
  afterAll(() => opened.close())

  /** As one batch. */
  const storeAll = async (by: typeof kind, envelopes: readonly (readonly DigestItem[])[]): Promise<void> => {
    const entries = envelopes.flatMap((items) =>
      items.flatMap((item) => {
        const expanded = by.expand(item, contextOf(items))
        return expanded.ok ? [{ item, value: expanded.value, id: () => '', followers: 0 }] : []
      }),
    )
    const ready = (await by.prepare?.(entries)) ?? []
    const stored = entries.map((entry, index) => ({ entry, ready: ready[index] ?? NO_BLOBS, stored: null }))
    tokens += 1
    expect(await by.write?.(stored, { token: `t:${tokens}`, again: false })).toEqual(new Map())
  }
  const store = (items: readonly DigestItem[]): Promise<void> => storeAll(kind, [items])
  const newProject = (): number => (projects += 1)
  const scopeOf = (projectId: number) => ({ organizationId: 1, projectIds: [projectId] })
  const found = async (projectId: number, replayId = REPLAY_ID) => {
    const scope = scopeOf(projectId)
    const record = await view.find(scope, replayId)
    if (record === null) throw new Error('it is not there')
    const [segments, marks] = await Promise.all([view.segments(scope, record), view.marks(scope, record)])
    const replay = replayJson(record, { reported: [], hasViewed: false, isStarred: false, clicks: null })
    return {
      replay,
      playback: playbackJson(
        { record, segments, marks, reported: [], shortIds: new Map() },
        { replay, projectSlug: 'shop', now: RECEIVED_AT },
      ),
      segments,
    }
  }
  const moved = (items: readonly DigestItem[], projectId: number): readonly DigestItem[] =>
    items.map((item) => ({ ...item, sender: { ...item.sender, projectId } }))

  it.each([
    [7, ['sdk-7/browser-09']],
    [8, ['sdk-8/browser-11']],
    [9, ['sdk-9/browser-10']],
    [10, ['sdk-10/browser-09', 'sdk-10/browser-12']],
    [11, ['sdk-11/browser11-037', 'sdk-11/browser11-039']],
  ])('R1 what SDK %i recorded is listed, with its index, and its segments are read again', async (version, names) => {
    const projectId = newProject()
    const envelopes = names.map((name) => moved(recorded(`${name}-replay_event`), projectId))
    for (const items of envelopes) await store(items)
    const replayId = envelopes[0]?.[0]?.header.eventId ?? ''
    const { playback, replay, segments } = await found(projectId, replayId)
    const { finishedAt, startedAt } = playback
    const marks = playback.marks.map(({ at, detail: { feedbackId: _id, ...detail }, value, duration, ...mark }) => {
      expect(at).toBeGreaterThanOrEqual(startedAt - 1000)
      expect(at).toBeLessThanOrEqual(finishedAt + 1000)
      return { ...mark, detail, hasValue: value !== null, hasDuration: duration !== null }
    })
    const { error_ids: _errors, id: _id, project_id: _project, trace_ids: _traces, ...about } = replay
    const pages = playback.pages.map(({ at: _at, ...page }) => page)
    const json = JSON.stringify(
      { replay: about, pages, gaps: playback.gaps, hasPicture: playback.hasPicture, marks },
      null,
      2,
    )
    await expect(`${json}\n`).toMatchFileSnapshot(`./golden/sdk-${version}.expected.json`)
    for (const { blobKey } of segments) {
      const bytes = await blobs.get(blobKey)
      if (bytes === null) throw new Error('its recording is not kept')
      const decoded = decodeSegment(bytes)
      expect(decoded.ok && decoded.value.refused === 0 && decoded.value.events.length > 0).toBe(true)
    }
  })

  it('R3 an hour of segments in random order gives the same index, chunks and pictures as in order', async () => {
    // Of the ledger, too.
    const [ordered, shuffled] = [1, 2]
    // One file for each segment would be most of the work.
    const recordings = createRecordings().blobs
    const inMemory = createReplayItems({
      blobs: recordings,
      writer: createRowWriter({ client: opened.telemetry.client }),
    })
    const [count, lasts] = [720, 5000]
    const start = RECEIVED_AT - (count + 1) * lasts
    const spec = (segmentId: number): SegmentSpec => {
      const at = start + segmentId * lasts
      return {
        segmentId,
        event: { replay_start_timestamp: start / 1000, urls: [`https://shop.example/${segmentId % 7}`] },
        // Each adds to what those before it have drawn.
        events: [
          ...(segmentId % 300 === 0 ? page(at, `page ${segmentId}`) : []),
          adds(at + 1000, 100 + segmentId, `line ${segmentId}`),
          breadcrumb(at + 2000, 'ui.click', click(segmentId % 3 === 0 ? 'button' : 'a')),
          says(at + 3000, `step ${segmentId}`),
        ],
      }
    }
    const specs = Array.from({ length: count }, (_, segmentId) => spec(segmentId))
    const order = (one: SegmentSpec): string => createHash('sha256').update(`${one.segmentId}`).digest('hex')
    const random = specs.toSorted((one, other) => (order(one) < order(other) ? -1 : 1))
    const half = random.splice(0, 333)
    for (const [projectId, batches] of [
      [ordered, [specs]],
      [shuffled, [half, random]],
    ] as const) {
      const envelopes = (batch: readonly SegmentSpec[]) => batch.map((one) => segment({ ...one, projectId }))
      for (const batch of batches) await storeAll(inMemory, envelopes(batch))
    }
    const [one, other] = [await found(ordered), await found(shuffled)]
    expect(one.segments).toHaveLength(count)
    expect({ ...other.replay, project_id: '' }).toEqual({ ...one.replay, project_id: '' })
    const { replay: _one, ...index } = one.playback
    const { replay: _other, ...otherIndex } = other.playback
    expect(withoutIds(otherIndex)).toEqual(withoutIds(index))

    const [ledgerEngine] = LEDGER_ENGINES
    if (ledgerEngine === undefined) throw new Error('no engine')
    const { ledger, close } = await ledgerEngine.open()
    await seedOrganization(ledger)
    const [cutting, drawing] = [createCutting(), createPictureMaking()]
    const clock = testClock(RECEIVED_AT)
    const packs = createPacks({
      blobs: recordings,
      store: createReplayPacks({ ledger, clock }),
      cutting,
      logger: silentLogger,
    })
    const moments = [1, 299, 300, 333, 719].map((segmentId) => start + segmentId * lasts + 4000)
    const shown = async (projectId: number): Promise<string[]> => {
      const assets = createReplayAssets({ ledger, clock })
      const routes = createPictureRoutes({
        replays: view,
        projects: () => Promise.resolve([{ ...SHOP, id: projectId }]),
        deletions: createReplayDeletions({ ledger, clock }),
        assets,
        blobs: recordings,
        packs,
        drawing,
        logger: silentLogger,
      })
      const pictures: string[] = []
      for (const at of moments) {
        const reply = await routes[0]?.handle({
          params: { org: 'acme', replay: REPLAY_ID },
          query: { at },
          body: null,
          request: { organization: { id: 1 }, signal: new AbortController().signal } as never,
        })
        if (reply === undefined || !('bytes' in reply)) throw new Error('there is no picture')
        pictures.push(Buffer.from(reply.bytes as Uint8Array).toString())
      }
      return pictures
    }
    const [drawn, otherDrawn] = [await shown(ordered), await shown(shuffled)]
    expect(otherDrawn).toEqual(drawn)
    for (const [place, segmentId] of [1, 299, 300, 333, 719].entries()) {
      expect(drawn[place]).toContain(`step ${segmentId}<`)
      expect(drawn[place]).toContain(`line ${segmentId - (segmentId % 300)}<`)
    }
    // The names of chunks are their hashes.
    const cut = (projectId: number, segments: readonly SegmentRecord[]) =>
      packs.of({ organizationId: 1, projectId, replayId: REPLAY_ID }, segments)
    const { chunks } = await cut(ordered, one.segments)
    expect(chunks.length).toBeGreaterThan(2)
    expect((await cut(shuffled, other.segments)).chunks).toEqual(chunks)
    expect(await shown(shuffled)).toEqual(await shown(ordered))
    for (const thread of [cutting, drawing]) thread.close()
    await close()
  })

  it('R5 R7 segments in any order give the same replay, and a number that came twice with other bytes is kept twice', async () => {
    const [ordered, shuffled] = [newProject(), newProject()]
    const spec = (segmentId: number, offset = 0): SegmentSpec => ({
      segmentId,
      event: { urls: [`https://shop.example/${segmentId}`] },
      events: [meta(START + segmentId * 5000 + offset), incremental(START + segmentId * 5000 + 4000 + offset, 2)],
    })
    const specs = [spec(0), spec(1), spec(1, 7), spec(2), spec(5)]
    for (const one of specs) await store(segment({ ...one, projectId: ordered }))
    for (const index of [3, 0, 4, 2, 1]) await store(segment({ ...specs[index], projectId: shuffled }))
    const [one, other] = [await found(ordered), await found(shuffled)]
    expect({ ...other.replay, project_id: '' }).toEqual({ ...one.replay, project_id: '' })
    const { replay: _one, ...index } = one.playback
    const { replay: _other, ...otherIndex } = other.playback
    expect(otherIndex).toEqual(index)
    expect(one.playback.segments.map(({ segmentId }) => segmentId)).toEqual([0, 1, 1, 2, 5])
    expect(one.playback.gaps).toEqual([{ from: START + 14_000, to: START + 25_000, segmentId: 3, segments: 2 }])
    expect(one.replay.urls.map((url) => url.slice(-1))).toEqual(['0', '1', '1', '2', '5'])
  })

  it('R22 what the recorder says of the recording itself is read with its numbers, and of other notes only the message', async () => {
    const projectId = newProject()
    const notes: readonly (readonly [string, object, object])[] = [
      ['navigation.route', { from: '/', to: '/product/$id', state: 'none of ours' }, { from: '/', to: '/product/$id' }],
      ['replay.canvas-not-recorded', { nodeId: 7, reason: 'SecurityError' }, { reason: 'SecurityError' }],
      ['replay.canvas-slowed', { intervalMs: 1000 }, { intervalMs: '1000' }],
      ['replay.mutations', { count: 812, limit: true }, { count: '812', limit: 'true' }],
      ['replay.page-too-large', { count: 70_000, limit: 50_000 }, { count: '70000', limit: '50000' }],
      ['replay.throttled', {}, {}],
      ['replay.too-much', { limit: 20_000_000 }, { limit: '20000000' }],
      ['constructor', { reason: 'none of ours' }, {}],
    ]
    const events = notes.map(([category, data], index) => breadcrumb(START + 10 + index, category, { data }))
    await store(segment({ projectId, events: [meta(START), ...events] }))
    const { playback } = await found(projectId)
    expect(playback.marks.map(({ kind: one, text, detail }) => [one, text, detail])).toEqual(
      notes.map(([category, , detail]) => ['note', category, detail]),
    )
  })

  it('R4 what is sent twice is one', async () => {
    const projectId = newProject()
    const items = segment({ projectId, events: [meta(START), breadcrumb(START + 5, 'ui.click', click('button'))] })
    await store(items)
    const before = await found(projectId)
    await store(items)
    const after = await found(projectId)
    expect(after).toEqual(before)
    expect(after.replay.count_segments).toBe(1)
    expect(after.playback.marks).toHaveLength(1)
  })

  it('R6 R10 a replay without its first segment is listed, plays from its first whole page, and says what is missing', async () => {
    const projectId = newProject()
    const events = [meta(START + 20_000), snapshot(START + 20_001), incremental(START + 24_000, 3)]
    await store(segment({ projectId, segmentId: 4, events, event: { replay_type: 'buffer' } }))
    const listed = await view.list(
      scopeOf(projectId),
      {
        environments: [],
        filter: {
          sql: '1',
          params: {},
          columns: [],
          knowsVisitors: true,
          asksForText: false,
          shown: null,
          shownWords: [],
        },
        period: { from: START - HOUR_MS, to: START + HOUR_MS },
        sort: { field: 'started_at', descending: true },
      },
      { limit: 10, offset: 0 },
    )
    expect(listed.map(({ replayId, type }) => [replayId, type])).toEqual([[REPLAY_ID, 'buffer']])
    const { playback } = await found(projectId)
    expect(playback).toMatchObject({
      startedAt: START,
      hasPicture: true,
      gaps: [{ from: START, to: START + 20_000, segmentId: 0, segments: 4 }],
    })
  })

  it('R16 R17 addresses, errors and traces are those of all segments; activity follows from them', async () => {
    const projectId = newProject()
    const id = (digit: string): string => digit.repeat(32)
    const first = { urls: ['https://a.example/', 'https://a.example/b'], error_ids: [id('a')], trace_ids: [id('1')] }
    const second = { urls: ['https://a.example/'], error_ids: [id('a'), id('b')], trace_ids: [id('1'), id('2')] }
    await store(segment({ projectId, segmentId: 1, event: second, events: [meta(START + 9000)] }))
    await store(segment({ projectId, segmentId: 0, event: first }))
    const { replay } = await found(projectId)
    expect(replay).toMatchObject({
      urls: ['https://a.example/', 'https://a.example/b', 'https://a.example/'],
      error_ids: [id('a'), id('b')],
      trace_ids: [id('1'), id('2')],
      count_urls: 3,
      count_errors: 2,
      // (25 × 2 + 5 × 3) / 10
      activity: 6,
    })
  })

  const click = (tagName: string, data: object = {}, attributes: object = {}) => ({
    message: `body > ${tagName}.buy`,
    data: { nodeId: 7, node: { id: 7, tagName, textContent: 'Buy', attributes }, ...data },
  })
  const late = (endReason: string, timeAfterClickMs: number, clickCount = 1) => ({
    url: 'https://shop.example/',
    endReason,
    timeAfterClickMs,
    clickCount,
  })

  it('R18 dead and rage clicks by Sentry’s rules, in either spelling', async () => {
    const cases: readonly (readonly [string, object, number, number])[] = [
      ['button', late('timeout', 7000), 1, 0],
      ['a', late('timeout', 7001), 1, 0],
      ['input', late('timeout', 9000), 1, 0],
      ['BUTTON', late('timeout', 7000), 1, 0],
      ['button', late('timeout', 6999), 0, 0],
      ['button', late('timeout', 0), 0, 0],
      ['button', late('mutation', 7000), 0, 0],
      ['a', late('mutation', 3500), 0, 0],
      ['div', late('timeout', 7000), 0, 0],
      ['span', late('timeout', 7000, 9), 0, 0],
      ['button', late('timeout', 7000, 4), 1, 0],
      ['button', late('timeout', 7000, 5), 1, 1],
      ['a', late('timeout', 8000, 12), 1, 1],
      ['input', late('timeout', 6000, 12), 0, 0],
      ['button', late('mutation', 7000, 6), 0, 0],
      ['button', { endReason: 'timeout', timeafterclickms: 7000, clickcount: 1 }, 1, 0],
      ['a', { endReason: 'timeout', timeafterclickms: 7000, clickcount: 5 }, 1, 1],
      ['button', { endreason: 'timeout', timeafterclickms: 7000, clickcount: 5 }, 1, 1],
      ['button', { timeAfterClickMs: 7000, clickCount: 5 }, 0, 0],
      ['button', {}, 0, 0],
    ]
    for (const [tag, data, dead, rage] of cases) {
      const event = breadcrumb(START + 10, 'ui.slowClickDetected', click(tag, data))
      expect([tag, data, storedOf({ events: [meta(START), event] })]).toMatchObject([
        tag,
        data,
        { deadClicks: dead, rageClicks: rage },
      ])
    }
    const projectId = newProject()
    const events = cases.map(([tag, data], index) =>
      breadcrumb(START + index, 'ui.slowClickDetected', click(tag, data)),
    )
    await store(segment({ projectId, events: [meta(START), ...events] }))
    const { playback, replay } = await found(projectId)
    expect(replay).toMatchObject({ count_dead_clicks: 10, count_rage_clicks: 4 })
    expect(playback.marks.filter(({ kind: one }) => one === 'rage_click')).toHaveLength(4)
    expect(playback.marks[0]).toMatchObject({ kind: 'dead_click', nodeId: 7, text: 'Buy', duration: 7000, value: 1 })
  })

  it('R21 attributes of clicks are cut, and eleven classes become ten', async () => {
    const projectId = newProject()
    const long = 'x'.repeat(2000)
    const attributes = {
      id: long,
      class: Array.from({ length: 11 }, (_, index) => `c${index}${long}`).join(' '),
      role: long,
      alt: long,
      title: long,
      testId: long,
      'aria-label': long,
      'data-sentry-component': long,
    }
    const node = { id: 7, tagName: long, textContent: long, attributes }
    const event = breadcrumb(START + 1, 'ui.click', { message: long, data: { nodeId: 7, node } })
    await store(segment({ projectId, events: [meta(START), event] }))
    const result = await opened.telemetry.client.query({
      query: `SELECT text, selector, tag, element_id, classes, role, alt, testid, aria_label, title, component
        FROM replay_marks WHERE project_id = {project:UInt64} AND kind = 'click'`,
      query_params: { project: projectId },
      format: 'JSONEachRow',
    })
    const [row] = await result.json<Record<string, string | readonly string[]>>()
    expect(Object.entries(row ?? {}).map(([name, value]) => [name, value.length])).toEqual([
      ['text', 1024],
      ['selector', 1024],
      ['tag', 32],
      ['element_id', 64],
      ['classes', 10],
      ['role', 32],
      ['alt', 64],
      ['testid', 64],
      ['aria_label', 64],
      ['title', 64],
      ['component', 64],
    ])
    const { classes } = row ?? {}
    expect(Array.isArray(classes) && classes.map((name: string) => name.length)).toEqual(Array(10).fill(64))
  })

  it('R7 R22 of a time of which no segment came it is not said that nothing was done: that is told as missing', async () => {
    const projectId = newProject()
    const at = (second: number) => incremental(START + second * 1000, 2)
    await store(segment({ projectId, events: [meta(START), snapshot(START + 1), at(5)] }))
    await store(segment({ projectId, segmentId: 3, events: [at(40), at(41), at(60)] }))
    const { playback } = await found(projectId)
    expect(playback.gaps).toMatchObject([{ from: START + 5000, to: START + 40_000, segments: 2 }])
    expect(playback.idle).toEqual([[START + 41_000, START + 60_000]])
  })

  it('R22 idle stretches, navigations, vitals, requests and memory are known without the recording', async () => {
    const projectId = newProject()
    const request = { description: 'https://shop.example/api?token=abcdef', endTimestamp: (START + 2500) / 1000 }
    const events = [
      meta(START),
      snapshot(START + 1),
      incremental(START + 1000, 2),
      incremental(START + 5000, 0),
      span(START + 2000, 'resource.fetch', {
        ...request,
        data: { method: 'post', statusCode: 503, response: { size: 12 } },
      }),
      span(START + 3000, 'web-vital', {
        description: 'largest-contentful-paint',
        data: { value: 812.5, rating: 'good', nodeIds: [9] },
      }),
      span(START + 3500, 'memory', { data: { memory: { usedJSHeapSize: 5_000_000 } } }),
      breadcrumb(START + 6000, 'navigation', { data: { from: '/', to: '/cart' } }),
      span(START + 6100, 'navigation.push', { description: 'https://shop.example/cart' }),
    ]
    const later = [incremental(START + 30_000, 1), incremental(START + 31_000, 3)]
    await store(segment({ projectId, events }))
    await store(segment({ projectId, segmentId: 1, events: later }))
    const { playback } = await found(projectId)
    // Where the page went meanwhile is worth seeing.
    expect(playback.idle).toEqual([[START + 6000, START + 30_000]])
    expect(playback.pages).toEqual([
      { at: START, url: 'https://shop.example/', width: 1440, height: 900 },
      { at: START + 6000, url: 'https://shop.example/cart', width: 1440, height: 900 },
    ])
    expect(
      playback.marks.map(({ kind: one, text, url, value, duration, status, detail }) => ({
        one,
        text,
        url,
        value,
        duration,
        status,
        detail,
      })),
    ).toEqual([
      {
        one: 'request',
        text: 'https://shop.example/api?token=[Filtered]',
        url: '',
        value: 12,
        duration: 500,
        status: 503,
        detail: { method: 'POST', category: 'fetch' },
      },
      {
        one: 'vital',
        text: 'largest-contentful-paint',
        url: '',
        value: 812.5,
        duration: null,
        status: null,
        detail: { rating: 'good', nodeId: '9' },
      },
      { one: 'memory', text: '', url: '', value: 5_000_000, duration: null, status: null, detail: {} },
      {
        one: 'navigation',
        text: '',
        url: 'https://shop.example/cart',
        value: null,
        duration: null,
        status: null,
        detail: { from: 'https://shop.example/' },
      },
    ])
  })

  it('R14 what was kept whole before there were replays is read again by its kind', async () => {
    const projectId = newProject()
    const items = moved(recorded('sdk-10/browser-09-replay_event'), projectId)
    const entries = items.map((item, index) => ({
      item,
      value: null,
      id: () => idOf(index),
      followers: 0,
    }))
    const kept = (await keepItems(entries, { blobs, logger: silentLogger })).map(({ row }) => row)
    const { client } = opened.telemetry
    await createRowWriter({ client }).insertRows(KEPT_ITEMS, kept, { token: 'kept:1', again: false })
    const backfills = await findBackfills({ client, blobs, logger: silentLogger }, groupsOf([kind], AWAITED))
    expect(backfills.map(({ itemTypes }) => itemTypes)).toEqual([['replay_recording', 'replay_event']])
    for (const { reader } of backfills) {
      const { records } = await reader.read({ segment: 0, offset: 0 }, { records: 10, bytes: 1e9 })
      for (const { record } of records) {
        if (record.kind !== 'envelope') throw new Error('it is no envelope')
        const parsed = parseEnvelope(record.body)
        if (!parsed.ok) throw new Error(parsed.error.message)
        const { header, items: again } = parsed.value
        const { receivedAt, sender } = record
        await store(again.map((item) => ({ sender, receivedAt, header, eventId: header.eventId, item })))
      }
    }
    const { replay, segments } = await found(projectId, items[0]?.header.eventId ?? '')
    expect(replay).toMatchObject({ count_segments: 1, count_errors: 3, user: { email: 'ada@example.com' } })
    expect(segments[0]).toMatchObject({ broken: '', hasSnapshot: true })
  })

  it('R11 R14 what a phone recorded before there were replays is played, as its recording or its segment says when', async () => {
    const projectId = newProject()
    const battery = breadcrumb(START + 1000, 'device.battery', { data: { level: 42, charging: true } })
    const request = span(START + 2000, 'resource.http', {
      description: 'https://shop.example/cart',
      data: { method: 'get', statusCode: 200, responseBodySize: 12 },
    })
    const noted = [meta(START, '', 390), videoNote(START + 200, 0), battery, request, incremental(START + 3000, 2)]
    const silent = [meta(START + 5000, '', 390), incremental(START + 9000, 2)]
    const items = [noted, silent].map((events, segmentId) =>
      phoneSegment({ projectId, segmentId, events }, Buffer.from(`....ftypmp42 ${segmentId}`)),
    )
    const entries = items.map((item, index) => ({ item, value: null, id: () => idOf(index), followers: 0 }))
    const kept = (await keepItems(entries, { blobs, logger: silentLogger })).map(({ row }) => row)
    const { client } = opened.telemetry
    await createRowWriter({ client }).insertRows(KEPT_ITEMS, kept, { token: 'kept:2', again: false })
    const backfills = await findBackfills({ client, blobs, logger: silentLogger }, groupsOf([kind], AWAITED))
    for (const { reader } of backfills.filter(({ itemTypes }) => itemTypes.includes('replay_video'))) {
      const { records } = await reader.read({ segment: 0, offset: 0 }, { records: 10, bytes: 1e9 })
      for (const { record } of records) {
        if (record.kind !== 'envelope') throw new Error('it is no envelope')
        const parsed = parseEnvelope(record.body)
        if (!parsed.ok) throw new Error(parsed.error.message)
        const { header, items: again } = parsed.value
        const { receivedAt, sender } = record
        await store(again.map((item) => ({ sender, receivedAt, header, eventId: header.eventId, item })))
      }
    }
    const { playback, segments } = await found(projectId)
    const screen = { bytes: 14, width: 390, height: 900, shift: 0 }
    expect(playback).toMatchObject({
      hasPicture: false,
      marks: [
        { kind: 'note', text: 'device.battery', detail: { level: '42', charging: 'true' } },
        { kind: 'request', text: 'https://shop.example/cart', status: 200, value: 12, detail: { method: 'GET' } },
      ],
      videos: [
        { segmentId: 0, from: START + 200, to: START + 5200, ...screen },
        { segmentId: 1, from: START + 5000, to: START + 9000, ...screen },
      ],
    })
    expect(Buffer.from((await blobs.get(segments[1]?.videoKey ?? '')) ?? []).toString()).toBe('....ftypmp42 1')
  })

  it('a batch that is written again after its process died doubles nothing and completes what is missing', async () => {
    const projectId = newProject()
    const node = { id: 1, tagName: 'a', textContent: 'x', attributes: {} }
    const events = [meta(START), ...[1, 2].map((at) => breadcrumb(START + at, 'ui.click', { data: { node } }))]
    const entries = [0, 1].flatMap((segmentId) => {
      const items = segment({ projectId, segmentId, events })
      return items.flatMap((item) => {
        const expanded = kind.expand(item, contextOf(items))
        return expanded.ok ? [{ item, value: expanded.value, id: () => '', followers: 0 }] : []
      })
    })
    const ready = (await kind.prepare?.(entries)) ?? []
    const stored = entries.map((entry, index) => ({ entry, ready: ready[index] ?? NO_BLOBS, stored: null }))
    await kind.write?.(stored.slice(0, 2), { token: `part:${projectId}`, again: false })
    for (let time = 0; time < 2; time += 1) await kind.write?.(stored, { token: `part:${projectId}`, again: true })
    const count = await opened.telemetry.client.query({
      query: `SELECT (SELECT count() FROM replay_segments WHERE project_id = {project:UInt64}) AS segments,
        (SELECT countIf(kind = 'click') FROM replay_marks WHERE project_id = {project:UInt64}) AS clicks`,
      query_params: { project: projectId },
      format: 'JSONEachRow',
    })
    expect(await count.json()).toEqual([{ segments: 2, clicks: 4 }])
  })

  it('nobody sees the replays of another project or organisation', async () => {
    const projectId = newProject()
    await store(segment({ projectId }))
    expect(await view.find({ organizationId: 2, projectIds: [projectId] }, REPLAY_ID)).toBeNull()
    expect(await view.find(scopeOf(newProject()), REPLAY_ID)).toBeNull()
    expect(await view.find(scopeOf(projectId), REPLAY_ID)).not.toBeNull()
  })
})
