import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import {
  createReplayLink,
  deleteReplayLink,
  getReplayFile,
  getSharedReplay,
  getSharedReplayAsset,
  getSharedReplayChunk,
  getSharedReplayTouches,
  listSharedReplayChunks,
  getSharedReplayVideo,
  listReplayLinks,
  sharedReplay,
} from '@firsthand/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callRoute } from '../../explore/test/call.ts'
import type { Route } from '../../http/index.ts'
import type { IssueRecord } from '../../issues/index.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { StatementRefusal } from '../../lib/statement-refusal.ts'
import { DamagedBlob } from '../../lib/store-fault.ts'
import {
  LEDGER_ENGINES,
  seedOrganization,
  silentLogger,
  testClock,
  type OpenedLedger,
} from '../../storage/conformance/engines.ts'
import { ThreadEnded } from '../asked-thread.ts'
import { noteAssets } from '../ledger/assets/note-assets.ts'
import { createReplayAssets } from '../ledger/replay-assets.ts'
import { createReplayDeletions } from '../ledger/replay-deletions.ts'
import { createReplayLinks, type ReplayLinks } from '../ledger/replay-links.ts'
import { createReplayPacks } from '../ledger/replay-packs.ts'
import { LIMITS } from '../limits.ts'
import { createCutting } from '../playback/cutting.ts'
import { createPacks } from '../playback/packs.ts'
import { createRecordings, page, says } from '../playback/playback.fixture.ts'
import { recordOf, SHOP } from '../replay-record.fixture.ts'
import { START } from '../replay.fixture.ts'
import type { MarkRecord, ReplayRecord, SegmentRecord } from '../replay.ts'
import { MANY_OPEN } from './as-stranger.ts'
import { createFileRoutes } from './file.routes.ts'
import { createLinkRoutes } from './links.routes.ts'
import { createSharedPage } from './shared-page.ts'
import { NOTHING_OPENS } from './open-link.ts'
import { createSharedAssets } from './shared-assets.ts'
import { createSharedRoutes } from './shared.routes.ts'
import { createSlicing, type Slicing } from './slicing.ts'

const REPLAY = 'a'.repeat(32)
const PLAYER = { script: 'play("it")', style: 'p { color: red }', film: 'film("it")' }

/** All that is known of who was recorded, and of the organisation around it. */
const SECRETS = [
  'ada@acme.example',
  '203.0.113.9',
  'ada-lovelace',
  'gold-customer',
  'shop-web@1.2.3',
  'SELECT password',
  'SHOP-31',
  'e'.repeat(32),
  'f'.repeat(32),
]

const record = (more: Partial<ReplayRecord> = {}): ReplayRecord =>
  recordOf({
    replayId: REPLAY,
    finishedAt: START + 10_000,
    environment: 'production',
    releases: ['shop-web@1.2.3'],
    urls: ['https://shop.example/'],
    errorIds: ['e'.repeat(32)],
    traceIds: ['f'.repeat(32)],
    os: { name: 'macOS', version: '15' },
    browser: { name: 'Firefox', version: '140' },
    user: { id: 'ada-lovelace', name: 'Ada', email: 'ada@acme.example', ip: '203.0.113.9' },
    tags: [['plan', 'gold-customer']],
    ...more,
  })

const mark = (ms: number, kind: string, more: Partial<MarkRecord> = {}): MarkRecord => ({
  id: `8000000000000000${ms}`,
  at: START + ms,
  kind,
  text: '',
  url: '',
  nodeId: -1,
  selector: '',
  value: null,
  duration: null,
  status: 0,
  detail: {},
  element: { tag: '', id: '', classes: [], role: '', alt: '', testid: '', ariaLabel: '', title: '', component: '' },
  ...more,
})

const [ledgerEngine] = LEDGER_ENGINES

describe('replays for people without an account', () => {
  const cutting = createCutting()
  const slicing = createSlicing()
  const clock = testClock(START)
  let opened: OpenedLedger
  let links: ReplayLinks
  let deletions: ReturnType<typeof createReplayDeletions>
  let recordings: ReturnType<typeof createRecordings>
  let assets: ReturnType<typeof createReplayAssets>
  let segments: SegmentRecord[]
  /** Whose turn it was to have a chunk cut. */
  let turns: string[]
  let isBeyond: boolean
  let find: () => Promise<ReplayRecord | null>
  let routes: readonly Route[]
  let shownPage: ReturnType<typeof createSharedPage>

  beforeAll(async () => {
    if (ledgerEngine === undefined) throw new Error('no engine')
    opened = await ledgerEngine.open()
    await seedOrganization(opened.ledger)
    await opened.ledger.db
      .insertInto('users')
      .values({ id: 7, email: 'bob@acme.example', name: 'Bob', password_hash: '', preferences: '{}', created_at: 0 })
      .execute()
  })
  afterAll(async () => {
    cutting.close()
    slicing.close()
    await opened.close()
  })
  beforeEach(async () => {
    clock.set(START)
    turns = []
    isBeyond = false
    await opened.ledger.db.deleteFrom('replay_links').execute()
    await opened.ledger.db.deleteFrom('replay_packs').execute()
    await opened.ledger.db.deleteFrom('replay_deletions').execute()
    await opened.ledger.db.deleteFrom('replay_asset_uses').execute()
    await opened.ledger.db.deleteFrom('replay_assets').execute()
    recordings = createRecordings()
    segments = [
      recordings.segment('a', [
        ...page(START, 'Before the stretch'),
        says(START + 3000, 'Within the stretch'),
        says(START + 8000, 'After the stretch'),
      ]),
    ]
    links = createReplayLinks({ ledger: opened.ledger, clock })
    deletions = createReplayDeletions({ ledger: opened.ledger, clock })
    const store = createReplayPacks({ ledger: opened.ledger, clock })
    find = () => Promise.resolve(record())
    assets = createReplayAssets({ ledger: opened.ledger, clock })
    const services = {
      replays: {
        find: (_: unknown, replayId: string) => (replayId === REPLAY ? find() : Promise.resolve(null)),
        segments: () => Promise.resolve(segments),
        marks: () =>
          Promise.resolve([
            mark(0, 'page', { url: 'https://shop.example/cart', detail: { width: '800', height: '600' } }),
            mark(1000, 'console', { text: 'early' }),
            mark(4000, 'request', { text: '/api/pay', detail: { method: 'POST', traceId: 'f'.repeat(32) } }),
          ]),
        events: () =>
          Promise.resolve([
            {
              at: START + 4500,
              eventId: 'e'.repeat(32),
              issueId: '31',
              level: 'error',
              title: 'SELECT password FROM users',
              projectId: 1,
              replayId: REPLAY,
            },
          ]),
      },
      projects: () => Promise.resolve([SHOP]),
      issues: {
        merges: () => Promise.resolve(new Map()),
        records: () => Promise.resolve([{ id: 31, shortId: 'SHOP-31' } as IssueRecord]),
      },
      deletions,
      clock,
      links,
      packs: createPacks({ blobs: recordings.blobs, store, cutting, logger: silentLogger }),
      slicing: {
        ...slicing,
        slice: async (...asked: Parameters<Slicing['slice']>) => {
          turns.push(asked[0].caller)
          if (isBeyond) throw new ThreadEnded('cuts', 'it took too long', 'beyond')
          return slicing.slice(...asked)
        },
      },
      sharedAssets: createSharedAssets({ assets, blobs: recordings.blobs, clock, logger: silentLogger }),
      player: () => Promise.resolve(PLAYER),
      logger: silentLogger,
      blobs: {
        ...recordings.blobs,
        get: (key: string) => recordings.blobs.get(key),
        open: async (key: string) => {
          const bytes = await recordings.blobs.get(key)
          return bytes === null ? null : Readable.from([bytes])
        },
      },
    }
    routes = [...createLinkRoutes(services), ...createSharedRoutes(services), ...createFileRoutes(services)]
    shownPage = createSharedPage(services)
  })

  const params = { project: 'shop', replay: REPLAY }
  const make = async (more: object = {}): Promise<{ readonly id: string; readonly token: string }> => {
    const body = { days: 7, from: null, to: null, ...more }
    const { body: made } = await callRoute(routes, createReplayLink, { params, body })
    return { id: made.id, token: made.url.split('/shared/')[1]?.replace('/', '') ?? '' }
  }
  const listed = async () => (await callRoute(routes, listReplayLinks, { params })).body.data
  const open = async (token: string) => (await callRoute(routes, getSharedReplay, { params: { token } })).body
  const bytesOf = async (endpoint: Route['endpoint'], given: Readonly<Record<string, string>>, query = {}) => {
    const route = routes.find((one) => one.endpoint === endpoint)
    const request = { organization: { id: 1 }, caller: { user: { id: 7 } } } as never
    const reply = await route?.handle({ params: given, query, body: null, request })
    if (reply === undefined || !('bytes' in reply)) throw new Error('no file')
    const { bytes, headers } = reply
    const parts: Uint8Array[] = []
    if (bytes instanceof Uint8Array) parts.push(bytes)
    else for await (const piece of bytes.pieces) parts.push(piece)
    return { text: Buffer.concat(parts).toString(), headers }
  }
  const chunk = (token: string, number: number) => bytesOf(getSharedReplayChunk, { token, number: String(number) })
  const rest = async (token: string, after: number) =>
    (await callRoute(routes, listSharedReplayChunks, { params: { token }, query: { after } })).body
  const showPage = (token: string) => shownPage.handle(new Request(`http://localhost/shared/${token}/`))

  it('R99 a link opens its replay, for as many days as it was made for; of its token only a hash is kept', async () => {
    const { token } = await make()
    expect(token).toMatch(/^[\w-]{32}$/)
    expect(JSON.stringify(await opened.ledger.db.selectFrom('replay_links').selectAll().execute())).not.toContain(token)

    const { chunks, expiresAt } = await open(token)
    expect(expiresAt).toBe(new Date(START + 7 * DAY_MS).toISOString())
    const { headers, text } = await chunk(token, chunks[0]?.number ?? -1)
    expect(text).toContain('Before the stretch')
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' })

    clock.set(START + 7 * DAY_MS - 1)
    await open(token)
    clock.set(START + 7 * DAY_MS)
    await expect(open(token)).rejects.toThrow(NOTHING_OPENS)
    await expect(chunk(token, chunks[0]?.number ?? -1)).rejects.toThrow(NOTHING_OPENS)
    await links.sweep(clock.now())
    expect(await opened.ledger.db.selectFrom('replay_links').selectAll().execute()).toEqual([])
  })

  it('R41 R99 a link, also of a stretch, plays while its replay is cut; what follows is told to who has the rest', async () => {
    const large = (ms: number, words: string) => page(START + ms, `${words} ${'x'.repeat(60_000)}`)
    segments = [0, 3000, 6000, 9000].map((ms, index) => recordings.segment(`s${index}`, large(ms, `at ${ms}`)))
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>()
    const get = recordings.blobs.get
    recordings.blobs.get = async (key) => {
      if (key === 's2') await mayGoOn
      return get(key)
    }
    const [all, end] = [await make(), await make({ from: START + 7000, to: START + 8000 })]
    const begun = await open(all.token)
    expect(begun.preparing).toBe(true)
    expect(begun.chunks.map(({ from }) => from - START)).toEqual([0])
    const number = begun.chunks[0]?.number ?? -1
    expect((await chunk(all.token, number)).text).toContain('at 0')
    expect(await rest(all.token, number)).toMatchObject({ chunks: [], preparing: true, first: 1 })
    // Of a stretch nothing is told before it is known what it begins with.
    expect(await open(end.token)).toMatchObject({ chunks: [], preparing: true })
    goOn()
    await expect.poll(() => rest(all.token, number)).toMatchObject({ preparing: false })
    const { chunks, first } = await rest(all.token, number)
    expect(first).toBe(1)
    expect(chunks.map(({ from }) => from - START)).toEqual([3000, 6000, 9000])
    const ofEnd = await rest(end.token, -1)
    expect(ofEnd).toMatchObject({ first: 0, preparing: false, chunks: [{ from: START + 7000, to: START + 7000 }] })
    expect((await chunk(end.token, ofEnd.chunks[0]?.number ?? -1)).text).toContain('at 6000')
  })

  it('R99 links are listed with who made them and how often they were opened, and revoked one by one', async () => {
    const [one, other] = [await make(), await make({ days: 30 })]
    await open(one.token)
    clock.set(START + 1000)
    await open(one.token)
    await showPage(one.token)
    expect(await listed()).toMatchObject([
      { id: other.id, views: 0, lastViewedAt: null, createdBy: { name: 'Bob', email: 'bob@acme.example' } },
      { id: one.id, views: 2, lastViewedAt: new Date(START + 1000).toISOString() },
    ])
    await callRoute(routes, deleteReplayLink, { params: { ...params, link: one.id } })
    await expect(open(one.token)).rejects.toThrow(NOTHING_OPENS)
    await open(other.token)
    expect((await listed()).map(({ id }) => id)).toEqual([other.id])
    await expect(callRoute(routes, deleteReplayLink, { params: { ...params, link: one.id } })).rejects.toThrow(
      'does not exist',
    )
  })

  it('R99 many who open a link at once, or soon after, get one answer; it is counted for each, and ends with the link', async () => {
    let reads = 0
    find = () => {
      reads += 1
      return Promise.resolve(record())
    }
    const { id, token } = await make()
    reads = 0
    const answers = await Promise.all(Array.from({ length: 60 }, () => open(token)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(reads).toBe(1)
    expect(await listed()).toMatchObject([{ id, views: 60 }])
    const read = reads
    await open(token)
    expect(reads).toBe(read)
    clock.set(START + LIMITS.REPLAY_SHARED_ANSWER_MS)
    await open(token)
    expect(reads).toBe(read + 1)
    expect(await listed()).toMatchObject([{ views: 62 }])
    const number = answers[0]?.chunks[0]?.number ?? -1
    await Promise.all(Array.from({ length: 60 }, () => chunk(token, number)))

    await callRoute(routes, deleteReplayLink, { params: { ...params, link: id } })
    await expect(open(token)).rejects.toThrow(NOTHING_OPENS)
  })

  it('R99 whoever has to wait is told so in words that make sense without an account', async () => {
    const { token } = await make()
    const told = async (reason: 'busy' | 'slow') => {
      find = () => Promise.reject(new StatementRefusal(reason))
      return open(token).catch((thrown: unknown) => thrown)
    }
    expect(await told('busy')).toMatchObject({ status: 503, detail: MANY_OPEN, headers: { 'retry-after': '5' } })
    expect(await told('slow')).toMatchObject({ status: 503, detail: expect.stringContaining('could not be read') })
    find = () => Promise.resolve(record())
    await open(token)
  })

  it('R99 the page of a link is told to nobody else; one that opens nothing says so, whatever the reason', async () => {
    const [{ token }, revoked] = [await make(), await make()]
    const answer = await showPage(token)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self';")
    expect(await answer.text()).toContain('<meta name="robots" content="noindex, nofollow">')

    await callRoute(routes, deleteReplayLink, { params: { ...params, link: revoked.id } })
    const answers = () =>
      Promise.all(
        [token, revoked.token, 'x'.repeat(32), 'x'].map(async (one) => {
          const shown = await showPage(one)
          return [shown.status, await shown.text()] as const
        }),
      )
    const [, second, third, fourth] = await answers()
    expect(second?.[0]).toBe(404)
    expect(second?.[1]).toContain(NOTHING_OPENS)
    expect([third, fourth]).toEqual([second, second])
    clock.set(START + 8 * DAY_MS)
    expect((await answers())[0]).toEqual(second)
  })

  it('R99, R101 a link of a deleted replay opens nothing, at once', async () => {
    const { token } = await make()
    await deletions.note({ organizationId: 1, projectId: 1, replayIds: [REPLAY] })
    expect((await showPage(token)).status).toBe(404)
    await expect(open(token)).rejects.toThrow(NOTHING_OPENS)
    await links.forget({ organizationId: 1, projectId: 1, replayIds: [REPLAY] })
    expect(await opened.ledger.db.selectFrom('replay_links').selectAll().execute()).toEqual([])
  })

  it('R99 links of a project that was deleted, and of a member who left, open nothing', async () => {
    const { token } = await make()
    await opened.ledger.db.updateTable('projects').set({ deleted_at: START }).where('id', '=', 1).execute()
    await expect(open(token)).rejects.toThrow(NOTHING_OPENS)
    await opened.ledger.db.updateTable('projects').set({ deleted_at: null }).where('id', '=', 1).execute()
    await open(token)
    await links.forgetMember(2, 7)
    await open(token)
    await links.forgetMember(1, 7)
    await expect(open(token)).rejects.toThrow(NOTHING_OPENS)
  })

  it('R99 strangers are told nothing of the visitor and the organisation, by link and in the file', async () => {
    const { token } = await make()
    const shared = await open(token)
    const file = await bytesOf(getReplayFile, { org: 'acme', ...params })
    for (const secret of SECRETS) {
      expect(JSON.stringify(shared)).not.toContain(secret)
      expect(file.text).not.toContain(secret)
    }
    expect(shared.playback.replay.browser).toEqual({ name: 'Firefox', version: '140' })
    expect(shared.playback.marks.map(({ kind, text }) => [kind, text])).toEqual([
      ['console', 'early'],
      ['request', '/api/pay'],
      ['error', ''],
    ])
  })

  it('R99 a link of a stretch has nothing of what was before and comes after', async () => {
    const { token } = await make({ from: START + 2000, to: START + 6000 })
    const { chunks, playback } = await open(token)
    expect(playback).toMatchObject({ startedAt: START + 2000, finishedAt: START + 6000 })
    expect(playback.marks.map(({ kind }) => kind)).toEqual(['request', 'error'])
    expect(playback.pages).toMatchObject([{ at: START + 2000, url: 'https://shop.example/cart' }])
    expect(chunks.map(({ from, to }) => [from - START, to - START])).toEqual([[2000, 6000]])
    const { text } = await chunk(token, chunks[0]?.number ?? -1)
    expect(
      ['Before the stretch', 'Within the stretch', 'After the stretch'].map((words) => text.includes(words)),
    ).toEqual([true, true, false])
    const later = await make({ from: START + 4000 })
    const [only] = (await open(later.token)).chunks
    const shown = (await chunk(later.token, only?.number ?? -1)).text
    expect(
      ['Before the stretch', 'Within the stretch', 'After the stretch'].map((words) => shown.includes(words)),
    ).toEqual([false, true, true])
    await expect(make({ from: START + 9500, to: START + 9600 })).rejects.toThrow('less than a second')
  })

  describe('with what was kept of its pages', () => {
    const CDN = 'https://cdn.example'
    const PNG = 'the bytes of a picture'
    /** Notes addresses, and keeps what came of each. */
    const keep = async (all: Readonly<Record<string, { type: string; content: string; bytes?: number }>>) => {
      const noted = { organizationId: 1, projectId: 1, replayId: REPLAY, addresses: Object.keys(all), leftOut: [] }
      await opened.ledger.transaction((transaction) => noteAssets(transaction, [noted], clock.now()))
      for (const asset of await assets.due()) {
        const { bytes, content, type } = all[asset.url] ?? { type: '', content: '' }
        const [key = ''] = await recordings.blobs.put([{ organizationId: 1, bytes: Buffer.from(content) }])
        const size = bytes ?? content.length
        await assets.keep(asset, { key, type, bytes: size, imports: [], parts: [], leftOut: 0 })
      }
    }
    const picture = (id: number, name: string) => ({
      type: 2,
      id,
      tagName: 'img',
      attributes: { src: `${CDN}/${name}` },
      childNodes: [],
    })
    const adds = (at: number, ...nodes: object[]) => ({
      type: 3,
      timestamp: at,
      data: {
        source: 0,
        removes: [],
        texts: [],
        attributes: [],
        adds: nodes.map((node) => ({ parentId: 3, nextId: null, node })),
      },
    })
    const link = {
      type: 2,
      id: 11,
      tagName: 'link',
      attributes: { rel: 'stylesheet', href: `${CDN}/site.css` },
      childNodes: [],
    }
    const asset = (token: string, name: string) => bytesOf(getSharedReplayAsset, { token, asset: name })
    const keysIn = (text: string) => [...text.matchAll(/;kept=([\w-]+);/g)].map(([, key = '']) => key)

    beforeEach(async () => {
      segments = [
        recordings.segment('k', [
          ...page(START),
          adds(START + 1000, picture(10, 'early.png'), link),
          adds(START + 7000, picture(20, 'late.png')),
          says(START + 8000, 'end'),
        ]),
      ]
      await keep({
        [`${CDN}/early.png`]: { type: 'image/png', content: PNG },
        [`${CDN}/late.png`]: { type: 'image/webp', content: 'another picture' },
        [`${CDN}/site.css`]: { type: 'text/css', content: `p{color:red}q{background:url("${CDN}/early.png")}` },
      })
    })

    it('R69, R99 a link shows it under its own path, with no address of where it came from', async () => {
      const { token } = await make()
      const { chunks, playback } = await open(token)
      expect(playback.assets).toMatchObject({ kept: 3, waiting: 0, failed: [], leftOut: 0 })
      const { text } = await chunk(token, chunks[0]?.number ?? -1)
      expect(text).toContain('p{color:red}')
      expect(`${text}${JSON.stringify(playback)}`).not.toContain('cdn.example')
      const [early = '', late = ''] = new Set(keysIn(text))
      const { headers, text: bytes } = await asset(token, early)
      expect(bytes).toBe(`data:image/png;base64,${Buffer.from(PNG).toString('base64')}`)
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'content-type': 'application/octet-stream',
        'content-security-policy': expect.stringContaining('sandbox'),
      })
      expect((await asset(token, late)).text).toMatch(/^data:image\/webp;base64,/)
      await callRoute(routes, deleteReplayLink, { params: { ...params, link: (await listed())[0]?.id ?? '' } })
      await expect(asset(token, early)).rejects.toThrow(NOTHING_OPENS)
    })

    it('R69, R99 a link of a stretch names nothing that stood on other pages, and numbers cannot be tried', async () => {
      const { token } = await make({ from: START + 2000, to: START + 5000 })
      const { text } = await chunk(token, (await open(token)).chunks[0]?.number ?? -1)
      const keys = [...new Set(keysIn(text))]
      expect(keys).toHaveLength(1)
      const [id = 0] = keys.map(Number.parseInt)
      for (const other of [
        String(id),
        String(id + 1),
        `${id + 1}-`,
        `${id + 1}-${keys[0]?.split('-')[1]}`,
        '../1',
        '',
      ]) {
        await expect(asset(token, other)).rejects.toMatchObject({ status: 404 })
      }
    })

    it('R69, R100 a file has each of it once, whatever shows it, in an element that nothing runs', async () => {
      const changes = Array.from({ length: 600 }, (_, index) => says(START + 2000 + index, `change ${index}`))
      segments = [recordings.segment('l', [...page(START), adds(START + 1000, picture(10, 'early.png')), ...changes])]
      const { text } = await bytesOf(getReplayFile, { org: 'acme', ...params })
      expect(text.match(/id="chunk-/g)?.length).toBeGreaterThan(1)
      const [first = '', ...others] = [
        ...text.matchAll(/text\/plain" id="asset-[\w-]+">data:image\/png;base64,(.*)<\/script>/g),
      ].map(([, base64 = '']) => base64)
      expect([Buffer.from(first, 'base64').toString(), others]).toEqual([PNG, []])
      const drawn = [...text.matchAll(/id="chunk-\d+">(.*)<\/script>/g)].map(([, packed = '']) =>
        gunzipSync(Buffer.from(packed, 'base64')).toString(),
      )
      expect(drawn.join('')).not.toContain('cdn.example')
      expect(drawn.filter((json) => keysIn(json).length > 0)).toHaveLength(drawn.length)
      const stretch = await bytesOf(getReplayFile, { org: 'acme', ...params }, { from: START + 2000, to: START + 5000 })
      expect(stretch.text).not.toContain('data:image/webp')
    })

    it('R69, R99 a chunk is made once for all who look, by whatever link, and anew when more was kept; links take turns as one', async () => {
      const [one, other] = [await make(), await make({ days: 30 })]
      const number = (await open(one.token)).chunks[0]?.number ?? -1
      const texts = await Promise.all([one, other, one].map(async ({ token }) => (await chunk(token, number)).text))
      texts.push((await chunk(other.token, number)).text)
      expect(new Set(texts).size).toBe(1)
      expect(turns).toEqual(['links'])
      // Another stretch is another chunk.
      const stretch = await make({ from: START + 2000, to: START + 5000 })
      const [placed] = (await open(stretch.token)).chunks
      expect((await chunk(stretch.token, placed?.number ?? -1)).text).not.toContain('"end"')
      expect(turns).toEqual(['links', 'links'])
      await keep({ [`${CDN}/more.css`]: { type: 'text/css', content: 'q{color:blue}' } })
      clock.set(START + LIMITS.REPLAY_SHARED_ANSWER_MS)
      await chunk(one.token, number)
      expect(turns).toHaveLength(3)
    })

    it('R69, R99 a chunk that takes too long to write is shown as it was recorded, unless a part of it is not to be seen', async () => {
      isBeyond = true
      const [whole, stretch] = [await make(), await make({ from: START + 2000, to: START + 5000 })]
      const number = (await open(whole.token)).chunks[0]?.number ?? -1
      expect((await chunk(whole.token, number)).text).toContain(`${CDN}/early.png`)
      await chunk(whole.token, number)
      expect(turns).toHaveLength(1)
      await expect(chunk(stretch.token, number)).rejects.toMatchObject({ status: 409 })
    })

    it('R69, R99, R100 what of it is damaged is left out of links and files, and takes nothing else away', async () => {
      const get = recordings.blobs.get
      const damaged = new Set(
        [...recordings.payloads]
          .filter(([, bytes]) => ['p{color', PNG].some((start) => Buffer.from(bytes).toString().startsWith(start)))
          .map(([key]) => key),
      )
      expect(damaged.size).toBe(2)
      recordings.blobs.get = (key) =>
        damaged.has(key) ? Promise.reject(new DamagedBlob('cut off', { cause: new Error('cut off') })) : get(key)
      const { token } = await make()
      const { text } = await chunk(token, (await open(token)).chunks[0]?.number ?? -1)
      expect(text).not.toContain('p{color:red}')
      const [early = '', late = ''] = new Set(keysIn(text))
      await expect(asset(token, early)).rejects.toMatchObject({ status: 404 })
      expect((await asset(token, late)).text).toMatch(/^data:image\/webp/)
      const file = await bytesOf(getReplayFile, { org: 'acme', ...params })
      expect(file.text).toContain('data:image/webp')
      expect(file.text).not.toContain('data:image/png')
    })

    it('R69, R100 style sheets that find no room in a file any more are left out, and it says so', async () => {
      const changes = Array.from({ length: 600 }, (_, index) => says(START + 2000 + index, `change ${index}`))
      segments = [recordings.segment('m', [...page(START), adds(START + 1000, link), ...changes])]
      const read = async () => {
        const { text } = await bytesOf(getReplayFile, { org: 'acme', ...params })
        const json = /id="shared-replay">(.*)<\/script>/.exec(text)?.[1] ?? ''
        return {
          leftOut: sharedReplay.parse(JSON.parse(json)).playback.assets.leftOut,
          drawn: [...text.matchAll(/id="chunk-\d+">(.*)<\/script>/g)].map(([, packed = '']) =>
            gunzipSync(Buffer.from(packed, 'base64')).toString(),
          ),
        }
      }
      const all = await read()
      const hasSheet = (json: string) => json.includes('p{color:red}')
      expect(all.drawn.length).toBeGreaterThan(1)
      expect([all.leftOut, all.drawn.every(hasSheet)]).toEqual([0, true])

      // So much that there is room for the sheet in the first chunk, and no more.
      const row = await opened.ledger.db.selectFrom('replay_packs').selectAll().executeTakeFirstOrThrow()
      const chunks = JSON.parse(row.chunks) as number[][]
      const recorded = chunks.reduce((sum, [, , bytes = 0]) => sum + bytes, 0)
      const grown = Buffer.byteLength(all.drawn[0] ?? '') - (chunks[0]?.[2] ?? 0)
      expect(grown).toBeGreaterThan(0)
      const last = chunks.at(-1) ?? []
      last[2] = (last[2] ?? 0) + LIMITS.REPLAY_FILE_BYTES - recorded - grown
      await opened.ledger.db
        .updateTable('replay_packs')
        .set({ chunks: JSON.stringify(chunks) })
        .execute()
      const some = await read()
      expect(some.drawn.map(hasSheet)).toEqual(some.drawn.map((_, index) => index === 0))
      expect(some.leftOut).toBe(1)
    })

    it('R69, R99 so much of it is shown and no more; of the rest it is told how much there is', async () => {
      const half = LIMITS.REPLAY_SHARED_ASSET_BYTES / 2
      await keep({
        [`${CDN}/one.png`]: { type: 'image/png', content: '1', bytes: half },
        [`${CDN}/two.png`]: { type: 'image/png', content: '2', bytes: half },
        [`${CDN}/large.css`]: { type: 'text/css', content: '3', bytes: LIMITS.REPLAY_SHARED_SHEET_BYTES },
      })
      clock.set(START + LIMITS.REPLAY_SHARED_ANSWER_MS)
      const { playback } = await open((await make()).token)
      expect(playback.assets).toMatchObject({ kept: 4, leftOut: 2 })
      expect(playback.assets.bytes).toBeLessThanOrEqual(LIMITS.REPLAY_SHARED_ASSET_BYTES)
    })
  })

  describe('what a phone filmed', () => {
    const FILMS = join(import.meta.dirname, '..', '..', '..', '..', '..', 'fixtures', 'videos')
    const finger = (at: number) => ({
      type: 3,
      timestamp: at,
      data: { source: 2, type: 7, id: 0, x: 50, y: 60, pointerId: 1 },
    })
    const secret = { type: 5, timestamp: START, data: { tag: 'breadcrumb', payload: { message: 'of the visitor' } } }
    const film = (number: number, name: string): SegmentRecord => {
      const bytes = readFileSync(join(FILMS, name))
      recordings.payloads.set(`film-${number}`, bytes)
      const from = START + number * 5000
      const filmed = { segmentId: number, videoKey: `film-${number}`, videoBytes: bytes.byteLength, hasSnapshot: false }
      return recordings.segment(`s${number}`, [secret, finger(from + 1000)], { ...filmed, from, to: from + 5000 })
    }
    beforeEach(() => {
      segments = [film(0, 'phone-0.webm'), film(1, 'phone-0.mp4')]
    })
    const video = (token: string, segment: string) => bytesOf(getSharedReplayVideo, { token, segment })
    const touches = async (token: string, segment: string): Promise<unknown> =>
      JSON.parse((await bytesOf(getSharedReplayTouches, { token, segment })).text)

    it('R99 R11 is shown by a link with its touches, of which nothing else of the recording is told', async () => {
      const { token } = await make()
      const { playback } = await open(token)
      expect(playback.videos.map(({ segmentId }) => segmentId)).toEqual([0, 1])
      const { headers } = await video(token, '1')
      expect(headers).toMatchObject({
        'content-type': 'video/mp4',
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining('sandbox'),
      })
      const at = START + 6000
      expect(await touches(token, '1')).toEqual([{ from: at, to: at, points: [{ at, x: 50, y: 60 }] }])
      await expect(video(token, '2')).rejects.toMatchObject({ status: 404 })
      await callRoute(routes, deleteReplayLink, { params: { ...params, link: (await listed())[0]?.id ?? '' } })
      await expect(video(token, '1')).rejects.toThrow(NOTHING_OPENS)
      await expect(touches(token, '1')).rejects.toThrow(NOTHING_OPENS)
    })

    it('R99 R11 it is shown without the touches of a damaged recording', async () => {
      const { get } = recordings.blobs
      recordings.blobs.get = (key) =>
        key === 's1' ? Promise.reject(new DamagedBlob('cut off', { cause: new Error('cut off') })) : get(key)
      const { token } = await make()
      expect(await touches(token, '1')).toEqual([])
      expect(await touches(token, '0')).toHaveLength(1)
    })

    it('R99 a link of a stretch shows the videos that lie wholly within it', async () => {
      const { token } = await make({ from: START + 2000 })
      expect((await open(token)).playback.videos.map(({ segmentId }) => segmentId)).toEqual([1])
      await video(token, '1')
      await expect(video(token, '0')).rejects.toMatchObject({ status: 404 })
      await expect(touches(token, '0')).rejects.toMatchObject({ status: 404 })
    })

    it('R100 stands in the file, with what plays it; too much of it is refused with what to do', async () => {
      const { text } = await bytesOf(getReplayFile, { org: 'acme', ...params })
      const hash = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`
      expect(text).toContain(`script-src ${hash(PLAYER.film)} ${hash(PLAYER.script)};`)
      expect(text).toContain('media-src blob:')
      expect(text).toContain(`<script>${PLAYER.film}</script>\n<script>${PLAYER.script}</script>`)
      const written = /id="video-0" data-type="video\/webm">(.*)<\/script>/.exec(text)?.[1] ?? ''
      expect(Buffer.from(written, 'base64').equals(readFileSync(join(FILMS, 'phone-0.webm')))).toBe(true)
      expect(text).toMatch(/id="touches-1">\[\{"from":\d+,/)
      expect(text).not.toContain('of the visitor')

      segments = segments.map((one) => ({ ...one, videoBytes: LIMITS.REPLAY_FILE_BYTES }))
      await expect(bytesOf(getReplayFile, { org: 'acme', ...params })).rejects.toThrow('Choose a shorter stretch')
    })
  })

  it('R99 a replay has so many links and no more; one that is revoked makes room', async () => {
    const [first] = await Promise.all(Array.from({ length: LIMITS.REPLAY_LINKS }, () => make()))
    await expect(make()).rejects.toThrow(`has ${LIMITS.REPLAY_LINKS} links`)
    await callRoute(routes, deleteReplayLink, { params: { ...params, link: first?.id ?? '' } })
    await make()
  })

  it('R100, R63 a file has its policy first, the player, and rewritten chunks in elements that nothing runs', async () => {
    const hostile = [
      ...page(START, '</script><script>run()</script><!-- '),
      {
        type: 3,
        timestamp: START + 500,
        data: {
          source: 0,
          texts: [],
          removes: [],
          attributes: [
            { id: 3, attributes: { onclick: 'run()', style: 'background: url(https://stranger.example/)' } },
          ],
          adds: [],
        },
      },
      says(START + 9000, 'last'),
    ]
    segments = [recordings.segment('h', hostile)]
    const { headers, text } = await bytesOf(getReplayFile, { org: 'acme', ...params })
    expect(headers['content-disposition']).toBe(`attachment; filename="replay-${REPLAY.slice(0, 8)}.html"`)
    expect(text).toMatch(
      /<head>\n<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; script-src 'sha256-/,
    )
    expect(text.match(/<script/g)).toHaveLength(3)
    expect(text.match(/<\/script/g)).toHaveLength(3)

    const json = /<script type="application\/json" id="shared-replay">(.*)<\/script>/.exec(text)?.[1] ?? ''
    const { chunks, expiresAt, playback } = sharedReplay.parse(JSON.parse(json))
    expect([expiresAt, playback.finishedAt]).toEqual([null, START + 10_000])
    const [placed] = chunks
    const packed = new RegExp(
      `<script type="application/octet-stream" id="chunk-${placed?.number}">(.*)</script>`,
    ).exec(text)
    const drawn = gunzipSync(Buffer.from(packed?.[1] ?? '', 'base64')).toString()
    expect(drawn).toContain('last')
    expect(drawn).not.toContain('stranger.example')
    expect(drawn).not.toContain('onclick')
  })

  it('R100 a file of a stretch has nothing else; one that is too large is refused with what to do', async () => {
    const query = { from: START + 4000, to: START + 7000 }
    const { text } = await bytesOf(getReplayFile, { org: 'acme', ...params }, query)
    const packed = /octet-stream" id="chunk-\d+">(.*)<\/script>/.exec(text)?.[1] ?? ''
    const drawn = gunzipSync(Buffer.from(packed, 'base64')).toString()
    expect(drawn).toContain('Within the stretch')
    expect(drawn).not.toContain('Before the stretch')
    expect(drawn).not.toContain('After the stretch')

    const row = await opened.ledger.db.selectFrom('replay_packs').selectAll().executeTakeFirstOrThrow()
    const chunks = (JSON.parse(row.chunks) as unknown[][]).map(([from, to, , ...rest]) => [
      from,
      to,
      LIMITS.REPLAY_FILE_BYTES + 1,
      ...rest,
    ])
    await opened.ledger.db
      .updateTable('replay_packs')
      .set({ chunks: JSON.stringify(chunks) })
      .execute()
    await expect(bytesOf(getReplayFile, { org: 'acme', ...params })).rejects.toThrow('Choose a shorter stretch')
  })
})
