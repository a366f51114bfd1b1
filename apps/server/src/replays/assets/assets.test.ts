import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  getReplayAsset,
  getReplayAssetSettings,
  listReplayAssets,
  updateReplayAssetSettings,
} from '@firsthand/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS, livingProjects } from '../../accounts/index.ts'
import { callRoute } from '../../explore/test/call.ts'
import type { Route } from '../../http/index.ts'
import { createOutgoing, type Outgoing } from '../../lib/outgoing.ts'
import { err } from '../../lib/result.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { createFileBlobs } from '../../storage/blobs/file-blobs.ts'
import { createBlobFreeing, type BlobFreeing } from '../../storage/blobs/freeing.ts'
import {
  LEDGER_ENGINES,
  seedOrganization,
  silentLogger,
  temporaryFolder,
  testClock,
  type OpenedLedger,
} from '../../storage/conformance/engines.ts'
import { ringsOfSheets } from '../ledger/migrations/0031-rings-of-sheets.ts'
import { createReplayDeletions } from '../ledger/replay-deletions.ts'
import { readAssetSettings } from '../ledger/asset-settings.ts'
import { createReplayAssets, type ReplayAssets } from '../ledger/replay-assets.ts'
import { LIMITS } from '../limits.ts'
import { createReplayItems } from '../replay-items.ts'
import { meta, segment, snapshot, START } from '../replay.fixture.ts'
import { recordOf } from '../replay-record.fixture.ts'
import { createAssetRules, type AssetRules } from './asset-rules.ts'
import { summaryOf } from './asset-summary.ts'
import { createAssetRoutes } from './assets.routes.ts'
import { createAssetFetching, type FetchingParts } from './fetch-assets.ts'
import { createSheetReading } from './sheet-reading.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const WOFF2 = Buffer.from('wOF2 and the rest of a font')
const BROKEN = PNG.subarray(0, 20)
const NO_BLOBS = { recording: null, video: null }

let lastId = 0xdef000
const newId = (): string => (lastId++).toString(16).padStart(32, '0')

/** A site that is asked for what its pages name. */
const openSite = async () => {
  const asked: string[] = []
  let flaky = 0
  const listener: RequestListener = (request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const send = (type: string, body: string | Buffer): void => void response.setHeader('content-type', type).end(body)
    const [name = ''] = path.split('?')
    if (/^\/image\d*\.png$/.test(name)) send('image/png', PNG)
    else if (name === '/huge.png')
      response.writeHead(200, { 'content-length': LIMITS.REPLAY_ASSET_BYTES + 1 }).flushHeaders()
    else if (name === '/broken.png') {
      response.writeHead(200, { 'content-length': PNG.byteLength })
      response.write(BROKEN, () => setTimeout(() => response.destroy(), 50))
    } else if (name === '/font.woff2') send('application/octet-stream', WOFF2)
    else if (name === '/modest.svg')
      send('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>run()</script></svg>')
    else if (name === '/growing.svg') send('image/svg+xml', `<svg>${'<use href="#a"/>'.repeat(100)}</svg>`)
    else if (name === '/page') send('text/html', '<h1>A page</h1>')
    else if (name === '/lies.png') send('image/png', '<h1>A page</h1>')
    else if (name === '/script.css') send('text/javascript', 'run()')
    else if (name === '/error.css') send('text/css', '<!doctype html>')
    else if (name === '/site.css') {
      send(
        'text/css',
        '@import "inner.css" print; @import "http://elsewhere.example/x.css"; p { src: url(font.woff2) }',
      )
    } else if (name === '/many.css') {
      const missing = Array.from({ length: LIMITS.REPLAY_ASSETS_PER_SHEET + 2 }, (_, index) => `url(${index}.png)`)
      send('text/css', `p { background: ${missing.join(',')}, url(http://elsewhere.example/x.png) }`)
    } else if (name === '/deep.css') send('text/css', '@import "middle.css";')
    else if (name === '/middle.css') send('text/css', '@import "leaf.css";')
    else if (name === '/leaf.css') send('text/css', 'p { color: red }')
    else if (/^\/ring\d+\.css$/.test(name ?? '')) {
      send('text/css', Array.from({ length: RING }, (_, index) => `@import "ring${index}.css";`).join(''))
    } else if (name === '/inner.css') send('text/css', '@import "site.css"; q { background: url("image7.png") }')
    else if (name === '/endless.png') {
      response.setHeader('content-type', 'image/png')
      const more = (): void => {
        if (!response.destroyed) response.write(Buffer.alloc(256 * 1024, 1), more)
      }
      more()
    } else if (name === '/to-image') response.writeHead(302, { location: '/image9.png' }).end()
    else if (name === '/to-private') response.writeHead(302, { location: 'http://inside.example/secret.png' }).end()
    else if (name === '/to-stranger') response.writeHead(302, { location: 'http://stranger.example/x.png' }).end()
    else if (name === '/round') response.writeHead(302, { location: '/round' }).end()
    else if (name === '/flaky.png' && ++flaky < 3) response.writeHead(503).end()
    else if (name === '/flaky.png') send('image/png', PNG)
    else if (name === '/down.png') response.writeHead(500).end()
    else response.writeHead(404).end()
  }
  const server: Server = createServer(listener)
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  return {
    asked,
    host: `cdn.example:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Sheets that import each other. */
const RING = 8

type Site = Awaited<ReturnType<typeof openSite>>

describe.each(LEDGER_ENGINES)('what pages of replays name, kept in $name', (engine) => {
  const folder = temporaryFolder()
  const blobs = createFileBlobs(join(folder.path, 'blobs'))
  const sheets = createSheetReading()
  const clock = testClock(START)
  let site: Site
  let opened: OpenedLedger
  let assets: ReplayAssets
  let rules: AssetRules
  let freeing: BlobFreeing
  let fetchingParts: FetchingParts
  let fetching: () => Promise<void>
  let kind: ReturnType<typeof createReplayItems>
  let routes: Route[]
  /** Addresses of names; one that is asked for again has the next. */
  let names: Record<string, string[]>

  beforeAll(async () => {
    opened = await engine.open()
    const { ledger } = opened
    await seedOrganization(ledger)
    const own = { ledger, clock }
    assets = createReplayAssets(own)
    freeing = createBlobFreeing({ ledger, client: {} as never, blobs, columns: [] })
    const resolve = async (host: string): Promise<readonly string[]> => {
      const known = names[host] ?? []
      const next = known.length > 1 ? known.shift() : known[0]
      return next === undefined ? [] : [next]
    }
    fetchingParts = {
      assets,
      settings: (projectIds) => readAssetSettings(ledger.db, projectIds),
      blobs,
      outgoing: createOutgoing({ allowedRanges: ['127.0.0.1'], resolve }),
      sheets,
      logger: silentLogger,
      ending: new AbortController().signal,
    }
    fetching = createAssetFetching(fetchingParts)
    routes = createAssetRoutes({
      assets,
      blobs,
      ledger,
      projects: livingProjects(ledger),
      deletions: createReplayDeletions(own),
      replays: { find: async (_, replayId) => recordOf({ replayId }) },
    })
  }, 60_000)
  afterAll(async () => {
    sheets.close()
    await opened.close()
    folder.remove()
  })
  beforeEach(async () => {
    clock.set(START)
    site = await openSite()
    names = {
      'cdn.example': ['127.0.0.1'],
      'inside.example': ['10.0.0.1'],
      'rebound.example': ['127.0.0.1', '10.0.0.1'],
    }
    rules = createAssetRules({ ledger: opened.ledger, clock })
    kind = createReplayItems({ blobs, writer: {} as never, assets: rules })
    const tables = [
      'replay_asset_uses',
      'replay_assets_left_out',
      'replay_assets',
      'replay_asset_days',
      'replay_asset_settings',
      'replay_deletions',
      'blob_holders',
    ] as const
    for (const table of tables) await opened.ledger.db.deleteFrom(table).execute()
    await save({ enabled: true, hosts: [site.host] })
  })
  afterEach(() => site.close())

  const params = { project: 'shop' }
  const save = async (body: object) => (await callRoute(routes, updateReplayAssetSettings, { params, body })).body

  /** A segment with an image for each address, as the digest takes it. */
  const receive = async (replayId: string, urls: readonly string[], more: object = {}): Promise<void> => {
    const node = (id: number, tagName: string, attributes: object, childNodes: readonly object[] = []) => ({
      type: 2,
      id,
      tagName,
      attributes,
      childNodes,
    })
    const body = urls.map((url, index) =>
      url.endsWith('.css')
        ? node(index + 3, 'link', { rel: 'stylesheet', href: url })
        : node(index + 3, 'img', { src: url }),
    )
    const html = { type: 0, id: 1, childNodes: [node(2, 'html', {}, body)] }
    const page = { ...snapshot(START + 1), data: { node: html, initialOffset: { top: 0, left: 0 } } }
    const items = segment({ projectId: 1, replayId, events: [meta(START, `http://${site.host}/`), page], ...more })
    await rules.recall([1])
    const context = { settings: DEFAULT_PROJECT_SETTINGS, siblings: items.map(({ item }) => item) }
    const entries = items.flatMap((item) => {
      const expanded = kind.expand(item, context)
      return expanded.ok ? [{ item, value: expanded.value, id: () => '', followers: 0 }] : []
    })
    const ready = entries.map(() => NO_BLOBS)
    await opened.ledger.transaction((transaction) => {
      const work = { transaction, dialect: opened.ledger.dialect, batch: 1, isRepeated: false, now: clock.now() }
      return kind.apply?.(work, entries, ready) ?? Promise.resolve([])
    })
  }
  const at = (path: string, host = site.host): string => `http://${host}${path}`
  const of = (replayId: string) => assets.of({ projectId: 1, replayId })
  /** Of the requests of the first day. */
  const spendAllBut = async (left: number): Promise<void> => {
    const requests = LIMITS.REPLAY_ASSET_REQUESTS_PER_DAY - left
    const row = { project_id: 1, day: Math.floor(START / DAY_MS), requests, bytes: 0 }
    await opened.ledger.db.insertInto('replay_asset_days').values(row).execute()
  }
  const leftOut = (replayId: string) => assets.leftOut({ projectId: 1, replayId })
  const endsOf = async (replayId: string): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await of(replayId)).map(({ reason, state, type, url }) => [
        url.replace(`http://${site.host}`, ''),
        state === 'failed' ? reason : state === 'kept' ? type : state,
      ]),
    )
  const isThere = (key: string | null): boolean =>
    key !== null && existsSync(join(folder.path, 'blobs', '1', key.slice(2, 4), key.slice(2)))

  it('R69 nothing is noted and nothing asked for while it is off, from hosts that are not named, and without one', async () => {
    const replayId = newId()
    await save({ enabled: false, hosts: [site.host] })
    await receive(replayId, [at('/image.png')])
    clock.set(START + LIMITS.REPLAY_ASSET_RULES_MS)
    await save({ enabled: true, hosts: ['other.example', '*.cdn.example', 'cdn.example', `https://${site.host}`] })
    await receive(replayId, [at('/image.png')])
    await fetching()
    expect(await of(replayId)).toEqual([])
    expect(site.asked).toEqual([])
    await expect(save({ enabled: true, hosts: [] })).rejects.toThrow('at least one host')
    await expect(save({ enabled: true, hosts: ['shop.example/path'] })).rejects.toThrow('is no host')
  })

  it('R69 each address is asked for once, is kept, and is used by later replays while it is fresh', async () => {
    const [one, other, late] = [newId(), newId(), newId()]
    await receive(one, [at('/image1.png'), at('/image1.png#again')])
    await receive(one, [at('/image1.png')], { segmentId: 1 })
    await fetching()
    expect(await endsOf(one)).toEqual({ '/image1.png': 'image/png' })
    clock.set(START + LIMITS.REPLAY_ASSET_FRESH_MS - 1)
    await receive(other, [at('/image1.png')])
    await fetching()
    expect(await of(other)).toEqual(await of(one))
    expect(site.asked).toEqual(['/image1.png'])
    clock.set(START + LIMITS.REPLAY_ASSET_FRESH_MS + DAY_MS)
    await receive(late, [at('/image1.png')])
    await fetching()
    expect(site.asked).toHaveLength(2)
    // What another replay has stays what it was.
    expect((await of(late))[0]?.id).not.toBe((await of(one))[0]?.id)
    expect((await of(one))[0]?.state).toBe('kept')
  })

  it('R69 each address ends in one outcome with its reason: private ones, redirects to them, wrong types, endless bodies', async () => {
    const replayId = newId()
    await save({ enabled: true, hosts: [site.host, 'inside.example'] })
    const paths = [
      '/image2.png',
      '/page',
      '/lies.png',
      '/growing.svg',
      '/modest.svg',
      '/error.css',
      '/endless.png',
      '/missing.png',
    ]
    const redirects = ['/to-image', '/to-private', '/to-stranger', '/round']
    await receive(replayId, [
      ...[...paths, ...redirects].map((path) => at(path)),
      'http://inside.example/secret.png',
      'http://stranger.example/x.png',
    ])
    await fetching()
    expect(await endsOf(replayId)).toEqual({
      '/image2.png': 'image/png',
      '/page': 'wrong_type',
      '/lies.png': 'wrong_type',
      '/growing.svg': 'wrong_type',
      '/modest.svg': 'image/svg+xml',
      '/error.css': 'wrong_type',
      '/endless.png': 'too_large',
      '/missing.png': 'http_404',
      '/to-image': 'image/png',
      '/to-private': 'private_address',
      '/to-stranger': 'not_allowed',
      '/round': 'too_many_redirects',
      'http://inside.example/secret.png': 'private_address',
    })
    const summary = summaryOf(await of(replayId), await leftOut(replayId))
    expect(summary).toMatchObject({
      kept: 3,
      waiting: 0,
      failed: [{ reason: 'wrong_type', assets: 4 }, {}, {}, {}, {}, {}],
      leftOut: 0,
    })
  })

  it('R69 a name whose address changes to a private one is refused from then on', async () => {
    const replayId = newId()
    const host = `rebound.example:${site.host.split(':')[1]}`
    await save({ enabled: true, hosts: [host] })
    await receive(replayId, [at('/image3.png', host)])
    await fetching()
    await receive(replayId, [at('/image4.png', host)], { segmentId: 1 })
    await fetching()
    expect((await of(replayId)).map(({ reason, state }) => [state, reason])).toEqual([
      ['kept', ''],
      ['failed', 'private_address'],
    ])
    expect(site.asked).toEqual(['/image3.png'])
  })

  it('R69 what may come another time is asked for again, later each time, and given up after so many times', async () => {
    const replayId = newId()
    await receive(replayId, [at('/flaky.png'), at('/down.png')])
    for (let time = 0; time < 2 * LIMITS.REPLAY_ASSET_ATTEMPTS; time++) {
      await fetching()
      await fetching()
      clock.set(clock.now() + LIMITS.REPLAY_ASSET_RETRY_MS * 4 ** time)
    }
    expect(await endsOf(replayId)).toEqual({ '/flaky.png': 'image/png', '/down.png': 'http_500' })
    expect(site.asked.filter((path) => path === '/flaky.png')).toHaveLength(3)
    expect(site.asked.filter((path) => path === '/down.png')).toHaveLength(LIMITS.REPLAY_ASSET_ATTEMPTS)
  })

  it('R69 an attempt counts before it is made: what ends the server each time is given up and not asked for', async () => {
    const replayId = newId()
    await receive(replayId, [at('/image1.png')])
    const attempts = async (): Promise<unknown> =>
      (await opened.ledger.db.selectFrom('replay_assets').select('attempts').executeTakeFirst())?.attempts
    const counted: unknown[] = []
    const ending = new AbortController()
    const fetchWith = (get: Outgoing['get']) =>
      createAssetFetching({ ...fetchingParts, outgoing: { get }, ending: ending.signal })()
    await fetchWith(async () => {
      counted.push(await attempts())
      return err('failed')
    })
    expect(counted).toEqual([1])
    // An orderly end takes its attempt back.
    clock.set(clock.now() + LIMITS.REPLAY_ASSET_RETRY_MS)
    await fetchWith(async () => {
      ending.abort()
      return err('too_slow')
    })
    expect(await attempts()).toBe(1)
    // Servers that died in the others.
    for (let died = 1; died < LIMITS.REPLAY_ASSET_ATTEMPTS; died++) {
      const [waiting] = await assets.due()
      if (waiting === undefined) throw new Error('nothing waits')
      await assets.attempt(waiting)
      expect(await assets.due()).toEqual([])
      clock.set(clock.now() + LIMITS.REPLAY_ASSET_RETRY_MS * 4 ** died)
    }
    await fetching()
    expect(await endsOf(replayId)).toEqual({ '/image1.png': 'failed' })
    expect(site.asked).toEqual([])
  })

  it('R69 requests that never end hold up neither the others nor the end of the server', async () => {
    const replayId = newId()
    const hanging = Array.from({ length: LIMITS.REPLAY_ASSETS_AT_ONCE }, (_, index) => at(`/image${index}.png?hangs`))
    await receive(
      replayId, // Pages are read from their end: it comes after all slots are taken.
      [at('/image9.png'), ...hanging],
    )
    const ending = new AbortController()
    let begun = 0
    const everyone = Promise.withResolvers<void>()
    const outgoing: Pick<Outgoing, 'get'> = {
      get: (url, asked) => {
        if (!url.endsWith('hangs')) return fetchingParts.outgoing.get(url, asked)
        if (++begun === hanging.length) everyone.resolve()
        return new Promise(() => undefined)
      },
    }
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const time = new AbortController()
      // The time of those that hang is over when all slots are taken.
      if (begun < hanging.length) void everyone.promise.then(() => time.abort())
      return time.signal
    })
    await createAssetFetching({ ...fetchingParts, outgoing, ending: ending.signal })()
    timeout.mockRestore()
    const waiting = Object.fromEntries(hanging.map((url) => [url.replace(`http://${site.host}`, ''), 'waiting']))
    expect(await endsOf(replayId)).toEqual({ ...waiting, '/image9.png': 'image/png' })

    clock.set(clock.now() + LIMITS.REPLAY_ASSET_RETRY_MS)
    await createAssetFetching({
      ...fetchingParts,
      outgoing: {
        get: () => {
          ending.abort()
          return new Promise(() => undefined)
        },
      },
      ending: ending.signal,
    })()
    expect(await endsOf(replayId)).toEqual({ ...waiting, '/image9.png': 'image/png' })
  })

  it('R69 style sheets bring what they name along, as deep as is bounded, also in a ring; hosts that are not named do not count', async () => {
    const replayId = newId()
    await receive(replayId, [at('/site.css')])
    await fetching()
    expect(await endsOf(replayId)).toEqual({
      '/site.css': 'text/css',
      '/inner.css': 'text/css',
      '/font.woff2': 'font/woff2',
      '/image7.png': 'image/png',
    })
    const [sheet] = await of(replayId)
    expect(sheet?.imports).toEqual([{ url: at('/inner.css'), condition: 'print' }])
    expect(Buffer.from((await blobs.get(sheet?.blobKey ?? '')) ?? []).toString()).toContain(
      `url("${at('/font.woff2')}")`,
    )
    expect(site.asked.toSorted()).toEqual(['/font.woff2', '/image7.png', '/inner.css', '/site.css'])
  })

  it('R69 style sheets that all import each other are parts of those alone that lie less deep, asked for twice at most, and go with their replay', async () => {
    const replayId = newId()
    await receive(
      replayId,
      Array.from({ length: RING }, (_, index) => at(`/ring${index}.css`)),
    )
    await fetching()
    await fetching()
    expect(Object.values(await endsOf(replayId))).toEqual(Array.from({ length: RING }, () => 'text/css'))
    const { db } = opened.ledger
    const edges = await db
      .selectFrom('replay_asset_parts')
      .innerJoin('replay_assets as sheet', 'sheet.id', 'replay_asset_parts.asset_id')
      .innerJoin('replay_assets as part', 'part.id', 'replay_asset_parts.part_id')
      .select(['sheet.depth as from', 'part.depth as to'])
      .execute()
    expect(edges.length).toBeGreaterThan(RING)
    expect(edges.filter(({ from, to }) => to <= from)).toEqual([])
    expect(site.asked.length).toBeLessThanOrEqual(2 * RING)
    await freeing.after(() => assets.forget({ projectId: 1, replayIds: [replayId] }))
    for (const table of ['replay_assets', 'replay_asset_parts', 'blob_holders'] as const) {
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
    }
  })

  it('R69 a sheet that lies less deep in another replay is counted as left out, not dropped in silence', async () => {
    const [direct, nested] = [newId(), newId()]
    await receive(direct, [at('/leaf.css')])
    await fetching()
    await receive(nested, [at('/deep.css')])
    await fetching()
    expect(await endsOf(nested)).toEqual({ '/deep.css': 'text/css', '/middle.css': 'text/css' })
    expect(await leftOut(nested)).toBe(1)
  })

  it('R69 addresses beyond those of a segment, of a replay and of a style sheet are counted, each once, and not fetched', async () => {
    const replayId = newId()
    const images = (from: number, count: number): string[] =>
      Array.from({ length: count }, (_, index) => at(`/image${from + index}.png`))
    const some = LIMITS.REPLAY_ASSETS_PER_SEGMENT
    // Pages are read from their end.
    await receive(replayId, images(0, some + 7))
    await receive(replayId, images(0, some + 7), { segmentId: 1 })
    expect(await leftOut(replayId)).toBe(7)
    await receive(replayId, images(0, 3), { segmentId: 2 })
    expect(await leftOut(replayId)).toBe(4)
    for (let segmentId = 3; segmentId < 8; segmentId++) {
      await receive(replayId, images(segmentId * 1000, some), { segmentId })
    }
    // 303 and 5 times 300 were named.
    expect(await of(replayId)).toHaveLength(LIMITS.REPLAY_ASSETS)
    expect(await leftOut(replayId)).toBe(4 + some + 3 + 5 * some - LIMITS.REPLAY_ASSETS)
    const rows = await opened.ledger.db.selectFrom('replay_assets').select('id').execute()
    expect(rows).toHaveLength(LIMITS.REPLAY_ASSETS)
    await assets.forget({ projectId: 1, replayIds: [replayId] })
    expect(await leftOut(replayId)).toBe(0)

    const styled = newId()
    await receive(styled, [at('/many.css')])
    await spendAllBut(1)
    await fetching()
    expect(await leftOut(styled)).toBe(2)
    expect(await of(styled)).toHaveLength(1 + LIMITS.REPLAY_ASSETS_PER_SHEET)
  })

  it('R69 no project has more fetched in a day than its share, and nobody else waits for it', async () => {
    const replayId = newId()
    await spendAllBut(1)
    await receive(replayId, [at('/image1.png'), at('/image2.png')])
    await fetching()
    expect(Object.values(await endsOf(replayId)).toSorted()).toEqual(['day_full', 'image/png'])
    expect(site.asked).toHaveLength(1)
    clock.set(START + DAY_MS)
    const next = newId()
    await receive(next, [at('/image3.png')])
    await fetching()
    expect(await endsOf(next)).toEqual({ '/image3.png': 'image/png' })
  })

  it('R69 what came of an answer counts, however it ended, and what did not come does not', async () => {
    await receive(newId(), [at('/image1.png'), at('/huge.png'), at('/broken.png')])
    await fetching()
    const { bytes } = await opened.ledger.db.selectFrom('replay_asset_days').select('bytes').executeTakeFirstOrThrow()
    expect(bytes).toBe(PNG.byteLength + BROKEN.byteLength)
  })

  it('R69 what all projects of an organisation ask for in a day is bounded, too, and what waits of them', async () => {
    const day = Math.floor(START / DAY_MS)
    const other = { project_id: 2, day, requests: LIMITS.REPLAY_ASSET_REQUESTS_PER_DAY_PER_ORGANIZATION, bytes: 0 }
    const spend = () => assets.spend({ organizationId: 1, projectId: 1 })
    await opened.ledger.db.insertInto('replay_asset_days').values(other).execute()
    expect(await spend()).toBe(false)
    const bytes = LIMITS.REPLAY_ASSET_BYTES_PER_DAY_PER_ORGANIZATION
    await opened.ledger.db.updateTable('replay_asset_days').set({ requests: 0, bytes }).execute()
    expect(await spend()).toBe(false)
    await opened.ledger.db
      .updateTable('replay_asset_days')
      .set({ bytes: bytes - 1 })
      .execute()
    expect(await spend()).toBe(true)
  })

  it('R69 sheets that kept one another before they could not are let go, with what nobody else has', async () => {
    const { db } = opened.ledger
    const replayId = newId()
    await receive(replayId, [at('/used.css')])
    const [used] = await of(replayId)
    const id = used?.id ?? 0
    await db.updateTable('replay_assets').set({ type: 'text/css', state: 'kept' }).where('id', '=', id).execute()
    const row = await db.selectFrom('replay_assets').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const add = async (depth: number, type = 'text/css'): Promise<number> => {
      const { id: _, ...values } = { ...row, depth, type, url_hash: `${depth}${type}` }
      return (await db.insertInto('replay_assets').values(values).returning('id').executeTakeFirstOrThrow()).id
    }
    const [below, ring, other, image] = [await add(1), await add(2), await add(2), await add(3, 'image/png')]
    // It was deep in one replay; another names it by itself.
    const leaf = await add(0)
    // Taken up from nearer: not in a ring, and not known not to be.
    const nearer = await add(1, 'text/css; nearer').then(async (one) => {
      await db.updateTable('replay_assets').set({ type: 'text/css' }).where('id', '=', one).execute()
      return one
    })
    const edges = [
      [id, below],
      [below, id],
      [ring, other],
      [other, ring],
      [other, image],
      [below, image],
      [below, leaf],
      [leaf, image],
      [below, nearer],
      [nearer, leaf],
    ] as const
    await db
      .insertInto('replay_asset_uses')
      .values([leaf, nearer].map((asset_id) => ({ project_id: 1, replay_id: 'another', asset_id, noted_at: START })))
      .execute()
    await db
      .insertInto('replay_asset_parts')
      .values(edges.map(([asset_id, part_id]) => ({ asset_id, part_id })))
      .execute()
    await db
      .insertInto('blob_holders')
      .values({ holder: `replay asset ${ring}`, key: '1/ring' })
      .execute()
    for (const statement of ringsOfSheets()) await sql.raw(statement).execute(db)
    const left = await db
      .selectFrom('replay_asset_parts')
      .select(['asset_id', 'part_id'])
      .orderBy('asset_id')
      .orderBy('part_id')
      .execute()
    expect(left.map(({ asset_id: asset, part_id: part }) => [asset, part])).toEqual([
      [id, below],
      [below, image],
      [below, leaf],
      [leaf, image],
      [nearer, leaf],
    ])
    const kept = await db.selectFrom('replay_assets').select(['id', 'left_out']).orderBy('id').execute()
    expect(kept.map((one) => [one.id, one.left_out])).toEqual([
      [id, 0],
      [below, 1],
      [image, 0],
      [leaf, 0],
      [nearer, 0],
    ])
    expect(await db.selectFrom('blob_holders').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('blob_releases').select('key').where('key', '=', '1/ring').execute()).toHaveLength(1)
  })

  it('R69 when it is switched off, what waits is not asked for any more', async () => {
    const replayId = newId()
    await receive(replayId, [at('/image1.png')])
    await save({ enabled: false, hosts: [site.host] })
    await fetching()
    expect(await endsOf(replayId)).toEqual({ '/image1.png': 'switched_off' })
    expect(site.asked).toEqual([])
    expect((await callRoute(routes, getReplayAssetSettings, { params })).body).toMatchObject({
      enabled: false,
      hosts: [site.host],
      failed: 1,
    })
  })

  it('R70 what was fetched is handed out to be saved, in a sandbox, and never as a document; only with its replay', async () => {
    const [replayId, stranger] = [newId(), newId()]
    await receive(replayId, [at('/modest.svg')])
    await receive(stranger, [at('/image1.png')])
    await fetching()
    const { body } = await callRoute(routes, listReplayAssets, { params: { replay: replayId } })
    expect(body.assets).toMatchObject([{ url: at('/modest.svg'), type: 'image/svg+xml' }])
    const route = routes.find(({ endpoint }) => endpoint === getReplayAsset)
    const ask = (replay: string, asset: string) =>
      route?.handle({
        params: { org: 'acme', replay, asset },
        query: {},
        body: null,
        request: { organization: { id: 1 } } as never,
      })
    const id = body.assets[0]?.id ?? ''
    const answer = await ask(replayId, id)
    if (answer === undefined || !('bytes' in answer)) throw new Error('no file')
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="asset-${id}"`,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(answer.headers['cache-control']).toContain('immutable')
    expect(Buffer.from(answer.bytes as Uint8Array).toString()).toContain('<svg')
    await expect(ask(stranger, id)).rejects.toThrow('does not exist')
    await expect(ask(replayId, '1 OR 1')).rejects.toThrow('does not exist')
    const deleteIn = (projectId: number) =>
      opened.ledger.db
        .insertInto('replay_deletions')
        .values({ project_id: projectId, replay_id: replayId, deleted_at: START, done_at: null })
        .execute()
    // Two projects may have the same id: the deletion of the other one takes nothing from this one.
    await deleteIn(2)
    expect(await ask(replayId, id)).toMatchObject({ headers: answer.headers })
    await deleteIn(1)
    await expect(ask(replayId, id)).rejects.toThrow('does not exist')
  })

  it('R69 R70 what stands in a sheet of a sheet is handed out with each replay that has the sheet, and with no other', async () => {
    const [one, other, stranger] = [newId(), newId(), newId()]
    await receive(one, [at('/site.css')])
    await receive(other, [at('/site.css')])
    await receive(stranger, [at('/image1.png')])
    await fetching()
    const all = await assets.of({ projectId: 1, replayId: one })
    expect(all.map(({ url }) => url)).toContain(at('/image7.png'))
    for (const { blobKey, id } of all) {
      const found = [one, other, stranger].map(async (replayId) => (await assets.find([1], replayId, id))?.key ?? null)
      expect(await Promise.all(found)).toEqual([blobKey, blobKey, null])
      expect(await assets.find([2], one, id)).toBeNull()
    }
  })

  it('R69 bytes are freed with the last replay that has them, those of style sheets with them', async () => {
    const [one, other] = [newId(), newId()]
    await receive(one, [at('/site.css'), at('/image1.png')])
    await receive(other, [at('/modest.svg'), at('/image1.png')])
    await fetching()
    const keys = (await of(one)).map(({ blobKey }) => blobKey)
    expect(keys.map(isThere)).toEqual([true, true, true, true, true])
    await freeing.after(() => assets.forget({ projectId: 1, replayIds: [one] }))
    const sheetsOnly = (await of(other)).map(({ blobKey }) => blobKey)
    expect(keys.filter(isThere)).toEqual(keys.filter((key) => sheetsOnly.includes(key)))
    expect(await of(one)).toEqual([])
    expect(await endsOf(other)).toEqual({ '/modest.svg': 'image/svg+xml', '/image1.png': 'image/png' })
    await freeing.after(() => assets.forget({ projectId: 1, replayIds: [other] }))
    expect(sheetsOnly.filter(isThere)).toEqual([])
    for (const table of ['replay_assets', 'replay_asset_uses', 'replay_asset_parts', 'blob_holders'] as const) {
      expect(await opened.ledger.db.selectFrom(table).selectAll().execute()).toEqual([])
    }
  })

  it('R69 they go with replays that are older than their organisation keeps data; what is fetched for a deleted one is not kept', async () => {
    const [old, young, deleted] = [newId(), newId(), newId()]
    await receive(old, [at('/image1.png')])
    await fetching()
    clock.set(START + 10 * DAY_MS)
    await receive(young, [at('/image2.png')])
    const [waiting] = await assets.due()
    if (waiting === undefined) throw new Error('nothing waits')
    await fetching()
    await assets.expire({ before: START + DAY_MS, projectIds: [1], signal: new AbortController().signal } as never)
    expect(await of(old)).toEqual([])
    expect(await endsOf(young)).toEqual({ '/image2.png': 'image/png' })

    await receive(deleted, [at('/modest.svg')])
    const [late] = await assets.due()
    await assets.forget({ projectId: 1, replayIds: [deleted] })
    const [key = ''] = await blobs.put([{ organizationId: 1, bytes: Buffer.from('it came too late') }])
    await assets.noteUnderWay({ key, organizationId: 1, bytes: 16 })
    await freeing.after(() =>
      assets.keep(late ?? waiting, {
        key,
        type: 'image/png',
        bytes: 16,
        imports: [],
        parts: [at('/image5.png')],
        leftOut: 0,
      }),
    )
    expect(isThere(key)).toBe(false)
    expect(await assets.due()).toEqual([])
  })
})
