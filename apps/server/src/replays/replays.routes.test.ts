import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  countReplays,
  createReplayDeletion,
  deleteReplay,
  getProjectReplay,
  getReplay,
  getReplayJourney,
  getReplayPlayback,
  getReplayRequest,
  getReplaySegment,
  getReplayVideo,
  listReplayClicks,
  listReplays,
  listReplaySegments,
  listReplaySelectors,
  listReplayViewers,
  noteReplayViewed,
} from '@firsthand/contract'
import { formatFilter } from '@firsthand/search-syntax'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS, livingProjects } from '../accounts/index.ts'
import { RECEIVED_AT } from '../event/normalise/digest-item.fixture.ts'
import { callRoute } from '../explore/test/call.ts'
import type { Route } from '../http/index.ts'
import { DAY_MS, HOUR_MS } from '../lib/durations.ts'
import { createIssueReads } from '../issues/index.ts'
import type { DigestItem } from '../ingest/index.ts'
import { createFileBlobs } from '../storage/blobs/file-blobs.ts'
import {
  LEDGER_ENGINES,
  seedOrganization,
  silentLogger,
  TELEMETRY_ENGINES,
  temporaryFolder,
  testClock,
  type OpenedLedger,
  type OpenedTelemetry,
} from '../storage/conformance/engines.ts'
import { createRetention as createRetentionOf } from '../storage/index.ts'
import { createRowWriter } from '../storage/telemetry/row-writer.ts'
import { replays } from './capability.ts'
import { createCountRoutes } from './counts/counts.routes.ts'
import { createReplayCounts } from './counts/counts.view.ts'
import { CAPABILITIES } from '../capabilities.ts'
import { createBlobFreeing } from '../storage/blobs/freeing.ts'
import { createReplayDeleting, type ReplayDeleting } from './deletion/delete-replays.ts'
import { createDeletionRoutes } from './deletion/deletion.routes.ts'
import { createJobRunner } from './deletion/run-jobs.ts'
import { createDeletionJobs } from './ledger/deletion-jobs.ts'
import { createReplayStars } from './ledger/replay-stars.ts'
import { createVisitorReplays } from './telemetry/visitor-replays.ts'
import { createJourneyRoutes } from './journeys/journey.routes.ts'
import { createReplayDeletions, type ReplayDeletions } from './ledger/replay-deletions.ts'
import { createReplayLinks } from './ledger/replay-links.ts'
import { createReplayPacks, type ReplayPacks } from './ledger/replay-packs.ts'
import { createReplayRetention } from './ledger/replay-retention.ts'
import { createReplayViewers, type ReplayViewers } from './ledger/replay-viewers.ts'
import { LIMITS } from './limits.ts'
import { VALUES } from './list/columns.ts'
import { compileReplaySearch } from './list/replay-search.ts'
import { createRecordingRoutes } from './recording.routes.ts'
import { createReplayItems } from './replay-items.ts'
import { createOverviewRoutes } from './overview/overview.routes.ts'
import {
  breadcrumb,
  incremental,
  meta,
  pageOf,
  segment,
  phoneSegment,
  snapshot,
  span,
  START,
  type SegmentSpec,
} from './replay.fixture.ts'
import { createReplayRoutes } from './replays.routes.ts'
import { createRequestReading } from './requests/requests.ts'
import { createRequestRoutes } from './requests/requests.routes.ts'
import { createReplayView } from './replays.view.ts'
import { createVideoRoutes } from './videos/video.routes.ts'

/** What the API says of replays, on real stores. */

const FILMS = join(import.meta.dirname, '..', '..', '..', '..', 'fixtures', 'videos')

const NO_BLOBS = { recording: null, video: null }

const idOf = (number: number): string => number.toString(16).padStart(32, '0')

const BLOB_COLUMNS = CAPABILITIES.flatMap(({ blobColumns = [] }) => blobColumns)

const [ledgerEngine] = LEDGER_ENGINES
const [telemetryEngine] = TELEMETRY_ENGINES

describe('the API of replays', () => {
  const folder = temporaryFolder()
  const blobs = createFileBlobs(join(folder.path, 'blobs'))
  const clock = testClock(RECEIVED_AT)
  let ledger: OpenedLedger
  let telemetry: OpenedTelemetry
  let kind: ReturnType<typeof createReplayItems>
  let routes: readonly Route[]
  let deleting: ReplayDeleting
  let viewers: ReplayViewers
  let packs: ReplayPacks
  let deletions: ReplayDeletions
  let batches = 0
  const reading = createRequestReading()

  beforeAll(async () => {
    if (ledgerEngine === undefined || telemetryEngine === undefined) throw new Error('no engine')
    ledger = await ledgerEngine.open()
    telemetry = await telemetryEngine.open()
    await seedOrganization(ledger.ledger)
    const { client } = telemetry.telemetry
    kind = createReplayItems({ blobs, writer: createRowWriter({ client, logger: silentLogger }) })
    deletions = createReplayDeletions({ ledger: ledger.ledger, clock })
    viewers = createReplayViewers({ ledger: ledger.ledger, clock })
    packs = createReplayPacks({ ledger: ledger.ledger, clock })
    const freeing = createBlobFreeing({ ledger: ledger.ledger, client, blobs, columns: BLOB_COLUMNS })
    deleting = createReplayDeleting({
      client,
      clock,
      deletions,
      freeing,
      ledger: ledger.ledger,
      kept: [packs, viewers],
    })
    const stars = createReplayStars({ ledger: ledger.ledger, clock })
    const projects = livingProjects(ledger.ledger)
    const { issues } = createIssueReads({ blobs, client, ledger: ledger.ledger })
    const services = { replays: createReplayView({ client }), projects, deletions, viewers, stars, issues, clock }
    const jobs = createDeletionJobs({ ledger: ledger.ledger, clock })
    const visitors = createVisitorReplays({ client })
    const ending = new AbortController().signal
    const runner = createJobRunner({ ...services, jobs, deleting, visitors, logger: silentLogger, ending })
    routes = [
      ...createReplayRoutes(services),
      ...createOverviewRoutes({ ...services, assets: { of: async () => [], leftOut: async () => 0 } }),
      ...createRequestRoutes({ ...services, blobs, logger: silentLogger, reading }),
      ...createJourneyRoutes(services),
      ...createRecordingRoutes({ ...services, blobs, logger: silentLogger }),
      ...createDeletionRoutes({ ...services, deleting, jobs, runner, visitors, logger: silentLogger }),
      ...createVideoRoutes({ ...services, blobs }),
      ...createCountRoutes({ ...services, counts: createReplayCounts({ client }) }),
    ]
    for (const [id, email] of [
      [7, 'ada@acme.example'],
      [8, 'bob@acme.example'],
    ] as const) {
      await ledger.ledger.db
        .insertInto('users')
        .values({ id, email, name: email.slice(0, 3), password_hash: '', preferences: '{}', created_at: 0 })
        .execute()
    }
  }, 60_000)
  afterAll(async () => {
    reading.close()
    await telemetry.close()
    await ledger.close()
    folder.remove()
  })

  const addIssue = async (id: number, number: number, mergedInto: number | null = null): Promise<void> => {
    const words = {
      type: 'error',
      category: 'error',
      title: `Issue ${id}`,
      culprit: '',
      metadata: '{}',
      level: 'error',
    }
    const state = { status: 'unresolved' as const, substatus: null, status_details: '{}', priority: 'high' as const }
    const times = { first_seen: 0, last_seen: 0, times_seen: 1, created_at: 0, changed_at: 0 }
    await ledger.ledger.db
      .insertInto('issues')
      .values({
        id,
        number,
        organization_id: 1,
        project_id: 1,
        ...words,
        ...state,
        ...times,
        level_rank: 40,
        platform: 'javascript',
        logger: '',
        is_unhandled: 0,
        merged_into_id: mergedInto,
      })
      .execute()
  }

  /** As the digest does it. @returns how each item ended */
  const receive = async (items: readonly DigestItem[]): Promise<string[]> => {
    batches += 1
    const context = { settings: DEFAULT_PROJECT_SETTINGS, siblings: items.map(({ item }) => item) }
    const entries = items.flatMap((item) => {
      const expanded = kind.expand(item, context)
      return expanded.ok ? [{ item, value: expanded.value, id: () => '', followers: 0 }] : []
    })
    const ready = (await kind.prepare?.(entries)) ?? []
    const verdicts = await ledger.ledger.transaction((transaction) => {
      const work = { transaction, dialect: ledger.ledger.dialect, batch: batches, isRepeated: false, now: clock.now() }
      return kind.apply?.(work, entries, ready) ?? Promise.resolve([])
    })
    const stored = entries.flatMap((entry, index) =>
      verdicts[index]?.isStored === true ? [{ entry, ready: ready[index] ?? NO_BLOBS, stored: null }] : [],
    )
    expect(await kind.write?.(stored, { token: `t:${batches}`, again: false })).toEqual(new Map())
    return verdicts.map((verdict) => (verdict.isStored ? 'stored' : verdict.outcome.reason))
  }
  const receiveSegment = (spec: SegmentSpec): Promise<string[]> => receive(segment({ projectId: 1, ...spec }))
  const listed = async (query: Readonly<Record<string, unknown>> = {}): Promise<string[]> => {
    const { body } = await callRoute(routes, listReplays, { query: { project: ['shop'], ...query } })
    return body.data.map(({ id }) => String(Number.parseInt(id ?? '', 16)))
  }
  /** Text of a file, with its headers. */
  const download = async (
    endpoint: typeof listReplaySegments | typeof getReplaySegment,
    params: object,
    query: object,
  ) => {
    const route = routes.find((one) => one.endpoint === endpoint)
    const request = { organization: { id: 1 }, caller: { user: { id: 7 } }, url: new URL('http://localhost/x') }
    const reply = await route?.handle({
      params: { org: 'acme', project: 'shop', ...params },
      query: endpoint.query.parse(query),
      body: null,
      request: request as never,
    })
    if (reply === undefined || !('bytes' in reply)) throw new Error('it is no file')
    const { bytes, headers } = reply
    const pieces: Uint8Array[] = []
    if (bytes instanceof Uint8Array) pieces.push(bytes)
    else for await (const piece of bytes.pieces) pieces.push(piece)
    const text = Buffer.concat(pieces).toString()
    expect(Buffer.byteLength(text)).toBe(bytes.byteLength)
    return { json: JSON.parse(text) as unknown[], headers }
  }

  it('R34 R112 a list is sorted by what is asked, in pages that do not overlap, and has the fields that are asked', async () => {
    for (const number of [1, 2, 3, 4, 5]) {
      const at = START + number * 1000
      const urls = Array.from({ length: 6 - number }, (_, index) => `https://shop.example/${index}`)
      const event = { replay_start_timestamp: at / 1000, urls, environment: number === 3 ? 'staging' : 'production' }
      await receiveSegment({ replayId: idOf(number), event, events: [meta(at), snapshot(at + 1)] })
    }
    expect(await listed()).toEqual(['5', '4', '3', '2', '1'])
    expect(await listed({ sort: 'started_at' })).toEqual(['1', '2', '3', '4', '5'])
    expect(await listed({ orderBy: '-count_urls' })).toEqual(['1', '2', '3', '4', '5'])
    expect(await listed({ sortBy: 'count_urls', per_page: '2', cursor: '0:2:0' })).toEqual(['3', '2'])
    expect(await listed({ environment: ['staging'] })).toEqual(['3'])
    expect(await listed({ project: ['api'] })).toEqual([])
    expect(
      await listed({
        start: new Date(START + DAY_MS * 2).toISOString(),
        end: new Date(START + DAY_MS * 3).toISOString(),
      }),
    ).toEqual([])
    const { body, next } = await callRoute(routes, listReplays, {
      query: { per_page: '2', field: ['id', 'browser.name', 'count_urls'] },
    })
    expect(next).toBe('0:2:0')
    expect(body.data.map((one) => Object.keys(one).toSorted())).toEqual(
      Array.from({ length: 2 }, () => ['browser', 'count_urls', 'id']),
    )
    const asked = (query: Readonly<Record<string, unknown>>) => callRoute(routes, listReplays, { query })
    await expect(asked({ field: ['nonsense'] })).rejects.toThrow('"nonsense" is no field of a replay.')
    await expect(asked({ sort: '-nonsense' })).rejects.toThrow('Replays cannot be sorted by "nonsense".')
  })

  describe('a search by what few replays have', () => {
    const begun = START - 9 * DAY_MS
    const period = { start: new Date(begun - HOUR_MS).toISOString(), end: new Date(begun + HOUR_MS).toISOString() }
    const found = async (query: string): Promise<number[]> => {
      const { body } = await callRoute(routes, listReplays, {
        query: { project: ['shop'], ...period, query, sort: 'started_at', field: ['id'] },
      })
      return body.data.map(({ id = '' }) => Number.parseInt(id, 16))
    }
    const received = { receivedAt: begun + 1_800_000 }

    beforeAll(async () => {
      const tap = (at: number, message: string, id: string, type: string) =>
        breadcrumb(at, 'ui.tap', { message, data: { 'view.id': id, 'view.class': type, path: [] } })
      const phone = {
        replay_start_timestamp: begun / 1000,
        urls: ['CartActivity', 'PayActivity'],
        trace_ids: ['a'.repeat(32), 'b'.repeat(32)],
        platform: 'java',
        user: { id: '1', geo: { city: 'Vienna', country_code: 'AT', region: 'Austria', subdivision: '9' } },
        contexts: { device: { name: 'Pixel', model_id: 'BP1A' }, ota_updates: { channel: 'Beta', update_id: 'u-1' } },
      }
      const taps = [meta(begun, ''), tap(begun + 1, 'Pay_now', 'pay', 'PayButton'), tap(begun + 2, 'Back', '', 'View')]
      await receiveSegment({ ...received, replayId: idOf(601), event: phone, events: taps })
      const node = { id: 9, tagName: 'button', textContent: 'Pay_now', attributes: { id: 'pay', class: 'a b' } }
      const page = {
        replay_start_timestamp: (begun + 5) / 1000,
        urls: ['https://Shop.example/Cart', '/Pay'],
        request: { url: 'https://Shop.example/Pay' },
        user: { email: 'Ada@Shop.example', username: 'Ada' },
        tags: { plan: 'Team' },
      }
      const click = breadcrumb(begun + 9, 'ui.click', { data: { nodeId: 9, node } })
      const asked = span(begun + 10, 'resource.fetch', { description: '/api/pay', data: { method: 'POST' } })
      const events = [meta(begun + 5, 'https://Shop.example/Cart'), snapshot(begun + 6), click, asked]
      await receiveSegment({ ...received, replayId: idOf(602), event: page, events })
    })

    it.each([
      ['tap.message:Pay_now', [601]],
      ['tap.message:pay*', [601]],
      ['tap.view_id:pay', [601]],
      ['tap.view_class:[PayButton,Nothing]', [601]],
      ['!has:tap.view_id', [602]],
      ['screen:CartActivity', [601]],
      ['screens:*activity', [601]],
      ['count_screens:2 count_traces:>1', [601]],
      ['user.geo.city:Vienna', [601]],
      ['user.geo.country_code:AT user.geo.region:austria*', [601]],
      ['!has:user.geo.subdivision', [602]],
      ['device.model_id:BP1A', [601]],
      ['ota_updates.channel:Beta ota_updates.update_id:u-1', [601]],
      ['is_archived:false', [601, 602]],
      ['is_archived:true', []],
      // Addresses are the same in either case; other values are so where they have wildcards, as with Sentry.
      ['url:https://shop.example/cart', [602]],
      ['url:*/PAY', [602]],
      ['url:https://shop.example/pay', [602]],
      ['user.email:ada@shop.example', [602]],
      ['user.username:ada', []],
      ['user.username:ad*', [602]],
      ['plan:team', []],
      ['plan:te*', [602]],
      ['click.textContent:PAY*', [601, 602]],
      ['click.id:PAY', []],
    ])('R26 finds replays: %s', async (query, replayNumbers) => {
      expect(await found(query)).toEqual(replayNumbers)
    })

    it.each(['click.nosuch:1', '!has:dead.click', 'rage.selectors:a', 'tap.text:Pay', 'url:a OR click.name:b'])(
      'R26 refuses what only looks like a key of clicks: %s',
      async (query) => {
        await expect(found(query)).rejects.toThrow(/^Replays are not searched by "[^"]+". .*click\.alt.*tap\.message/)
        await expect(found('tags[click.nosuch]:1')).resolves.toEqual([])
      },
    )

    it('R112 tells of clicks, places and updates in Sentry’s shape, and of addresses that are whole', async () => {
      const { body } = await callRoute(routes, listReplays, {
        query: { project: ['shop'], ...period, sort: 'started_at', field: ['clicks', 'ota_updates', 'urls', 'user'] },
      })
      const none = { city: null, country_code: null, region: null, subdivision: null }
      expect(body.data).toMatchObject([
        {
          clicks: [],
          ota_updates: { channel: 'Beta', runtime_version: null, update_id: 'u-1' },
          urls: ['CartActivity', 'PayActivity'],
          user: { geo: { city: 'Vienna', country_code: 'AT', region: 'Austria', subdivision: '9' } },
        },
        { urls: ['https://Shop.example/Cart', 'https://shop.example/Pay'], user: { geo: none } },
      ])
      const clicked = {
        'click.alt': null,
        'click.classes': ['a', 'b'],
        'click.component_name': null,
        'click.id': 'pay',
        'click.label': null,
        'click.role': null,
        'click.tag': 'button',
        'click.testid': null,
        'click.text': 'Pay_now',
        'click.title': null,
      }
      expect(body.data[1]?.clicks).toEqual([clicked])
      const { body: one } = await callRoute(routes, getReplay, { params: { replay: idOf(602) } })
      expect(one.data.clicks).toEqual([clicked])
      const { body: played } = await callRoute(routes, getReplayPlayback, { params: { replay: idOf(602) } })
      expect(played.marks.find(({ kind: what }) => what === 'request')?.text).toBe('https://shop.example/api/pay')
    })
  })

  describe('a search for what stood on pages', () => {
    const begun = START - 5 * DAY_MS
    const period = { start: new Date(begun - HOUR_MS).toISOString(), end: new Date(begun + HOUR_MS).toISOString() }
    const asked = async (query: string, more: Readonly<Record<string, unknown>> = {}) => {
      const { body } = await callRoute(routes, listReplays, {
        query: { project: ['shop'], ...period, query, sort: 'started_at', ...more },
      })
      const shown = body.data.map(({ id = '', shown_at }) => [
        Number.parseInt(id, 16),
        typeof shown_at === 'string' ? (Date.parse(shown_at) - begun) / 1000 : shown_at,
      ])
      return { shown, words: body.data[0]?.shown_words, text: body.text, fields: Object.keys(body.data[0] ?? {}) }
    }
    const add = (parentId: number, node: object) => ({ parentId, nextId: null, node })
    const received = { receivedAt: begun + 1_800_000 }
    const event = { replay_start_timestamp: begun / 1000 }
    const failed = incremental(begun + 7000, 0, {
      adds: [
        add(12, { type: 2, id: 13, tagName: 'b', childNodes: [], attributes: {} }),
        add(13, { type: 3, id: 14, textContent: 'failed' }),
        { parentId: 12, nextId: 13, node: { type: 3, id: 15, textContent: 'Payment ' } },
      ],
    })

    beforeAll(async () => {
      const whole = { ...received, event, replayId: idOf(301) }
      await receiveSegment({ ...whole, events: [meta(begun), pageOf(begun + 1000, 'Your cart', 'Ünlü 50% off_now')] })
      await receiveSegment({ ...whole, segmentId: 1, events: [failed] })
      // It is sent again.
      await receiveSegment({ ...whole, segmentId: 1, events: [failed] })
      const masked = [meta(begun + 60_000), pageOf(begun + 60_001, '**** ****')]
      await receiveSegment({ ...received, event, replayId: idOf(302), events: masked })
      const style = {
        type: 2,
        id: 5,
        tagName: 'style',
        attributes: {},
        childNodes: [{ type: 3, id: 6, textContent: '.payment-failed{}' }],
      }
      const other = [meta(begun), pageOf(begun + 2000, 'Payment due', [style])]
      await receiveSegment({ ...received, event, replayId: idOf(303), events: other })
      const ofOther = [meta(begun), pageOf(begun + 3000, 'Payment failed')]
      await receiveSegment({ ...received, event, projectId: 2, replayId: idOf(304), events: ofOther })
    })

    it('R30 finds the replays that showed it, also when it was split, with the moment at which it first stood there', async () => {
      const paid = { shown: [[301, 7]], words: { before: '', match: 'Payment failed', after: '' } }
      expect(await asked('text:"Payment failed"')).toMatchObject(paid)
      expect(await asked('text:50%')).toMatchObject({ words: { before: 'Ünlü ', match: '50%', after: ' off_now' } })
      expect(await asked('text:"  your   CART"')).toMatchObject({ shown: [[301, 1]] })
      expect(await asked('text:pay*')).toMatchObject({
        shown: [
          [301, 7],
          [303, 2],
        ],
      })
      expect(await asked('text:[cart,due]')).toMatchObject({
        shown: [
          [301, 1],
          [303, 2],
        ],
      })
      expect(await asked('text:"cart" text:"payment failed"')).toMatchObject({ shown: [[301, 1]] })
      expect(await asked('text:"ünlü 50% off_now"')).toMatchObject({ shown: [[301, 1]] })
      expect(await asked('text:"50_"')).toMatchObject({ shown: [] })
      expect(await asked('!text:"payment failed"')).toMatchObject({
        shown: [
          [302, null],
          [303, null],
        ],
      })
      expect(await asked('has:text')).toMatchObject({
        shown: [
          [301, null],
          [303, null],
        ],
      })
      expect(await asked('tags[text]:cart')).toEqual({ shown: [], words: undefined, text: undefined, fields: [] })
      expect((await asked('text:cart', { field: ['id'] })).fields).toEqual(['id', 'shown_at', 'shown_words'])
      for (const query of ['text:""', 'text:*', 'text:>5']) {
        await expect(asked(query)).rejects.toThrow('"text" takes words that stood on the page')
      }
    })

    it('R30 R26 finds free words on pages as well, each anywhere and a phrase as it stands', async () => {
      const numbers = async (query: string) => (await asked(query)).shown.map(([number]) => number)
      expect(await numbers('Payment failed')).toEqual([301])
      expect(await numbers('"payment   FAILED"')).toEqual([301])
      expect(await numbers('"failed payment"')).toEqual([])
      expect(await numbers('payment')).toEqual([301, 303])
      expect(await numbers('pay*due')).toEqual([303])
      expect(await numbers('payment !text:due')).toEqual([301])
      expect(await numbers('"50% off_now"')).toEqual([301])
      // Too short for the index of texts: addresses and visitors only.
      expect(await numbers('du')).toEqual([])
      expect(await asked('payment')).toMatchObject({ text: undefined })
    })

    it('R31 finds nothing that was only in a style', async () => {
      expect(await asked('text:"payment-failed"')).toMatchObject({ shown: [] })
    })

    it('R32 says of how many replays the text is known', async () => {
      expect((await asked('text:cart')).text).toEqual({ replays: 3, readable: 2 })
      expect((await asked('!text:nowhere', { environment: ['nowhere'] })).text).toEqual({ replays: 0, readable: 0 })
      expect((await asked('')).text).toBeUndefined()
    })

    it('answers for the projects and the organisation that ask', async () => {
      expect((await asked('text:"payment failed"', { project: ['api'] })).shown).toEqual([[304, 3]])
      const filter = compileReplaySearch('text:"payment failed"', {
        projects: [{ id: 1, slug: 'shop' }],
        known: { issues: new Map(), visitors: new Map(), seen: new Map(), starred: [] },
        now: begun,
      })
      if (!filter.ok) throw new Error(filter.error.message)
      const view = createReplayView({ client: telemetry.telemetry.client })
      const choice = {
        filter: filter.value,
        environments: [],
        period: { from: begun - 1, to: begun + 1 },
        sort: { field: 'started_at', descending: true },
      } as const
      for (const [organizationId, at] of [
        [1, begun + 7000],
        [2, null],
      ] as const) {
        const scope = { organizationId, projectIds: [1] }
        expect(await view.list(scope, choice, { limit: 5, offset: 0 })).toHaveLength(at === null ? 0 : 1)
        const record = await view.find({ organizationId: 1, projectIds: [1] }, idOf(301))
        if (record === null) throw new Error('it is not there')
        const shown = (await view.shown(scope, [record], choice))(record)
        expect(shown === null ? null : [shown.at, shown.words]).toEqual(at === null ? null : [at, 'Payment failed'])
      }
    })
  })

  it('R24 R38 tabs of one visitor are one journey in the order of time, whichever of them is asked for', async () => {
    const begun = START - 7 * DAY_MS
    const minute = 60_000
    const add = (number: number, at: number, user: object, projectId = 1) => {
      const from = begun + at * minute
      const event = {
        replay_start_timestamp: from / 1000,
        user,
        contexts: { browser: { name: 'Firefox', version: '140' } },
      }
      return receiveSegment({
        replayId: idOf(number),
        projectId,
        event,
        events: [meta(from), snapshot(from + 1), incremental(from + minute, 2)],
        receivedAt: begun + HOUR_MS * 3,
      })
    }
    const ada = { id: '5', email: 'ada@example.com' }
    await add(402, 10, ada)
    await add(401, 0, { id: '5' })
    // Somebody with another id and the same e-mail address is the same.
    await add(403, 41, { id: 'other', email: 'ada@example.com' })
    await add(404, 80, ada)
    await add(405, 5, { id: '6' })
    await add(406, 5, ada, 2)
    await add(407, 5, { ip_address: '10.0.0.7' })
    await add(408, 6, { ip_address: '10.0.0.7' })
    await add(409, 7, { ip_address: '10.0.0.7', id: '7' })
    await add(410, 8, { email: 'solo@example.com' })
    await add(411, 9, { username: 'guest' })
    await add(412, 9, {})
    const period = { start: new Date(begun - minute).toISOString(), end: new Date(begun + 120 * minute).toISOString() }
    const ofVisitor = (query: string, project: string) =>
      listed({ ...period, query, sort: 'started_at', project: [project] })
    for (const name of ['5', 'other', 'ada@example.com']) {
      expect(await ofVisitor(`visitor:${name}`, 'shop')).toEqual(['401', '402', '403', '404'])
    }
    expect(await ofVisitor('visitor:[6,solo@example.com]', 'shop')).toEqual(['405', '410'])
    expect(await ofVisitor('visitor:5', 'api')).toEqual(['406'])
    expect(await ofVisitor('!visitor:5 has:user.id', 'shop')).toEqual(['405', '409'])
    expect(await ofVisitor('visitor:nobody', 'shop')).toEqual([])
    const journey = async (number: number) => {
      const { body } = await callRoute(routes, getReplayJourney, { params: { replay: idOf(number) } })
      return [body.by, body.replays.map(({ id }) => Number.parseInt(id, 16))]
    }
    for (const one of [401, 402, 403]) expect(await journey(one)).toEqual(['user', [401, 402, 403]])
    expect(await journey(404)).toEqual(['user', [404]])
    expect(await journey(406)).toEqual(['user', [406]])
    expect(await journey(407)).toEqual(['address', [407, 408]])
    expect(await journey(410)).toEqual(['user', [410]])
    expect(await journey(411)).toEqual(['user', [411]])
    // Its address is that of the sender.
    expect(await journey(412)).toEqual(['address', [412]])
    expect(
      await listed({
        start: new Date(begun).toISOString(),
        end: new Date(begun + HOUR_MS).toISOString(),
        query: 'user.id:5 OR user.email:ada@example.com',
        sort: 'started_at',
      }),
    ).toEqual(['401', '402', '403'])
    await expect(callRoute(routes, getReplayJourney, { params: { replay: idOf(499) } })).rejects.toMatchObject({
      status: 404,
    })
  })

  describe('a search', () => {
    const [far, near] = [START - 3 * DAY_MS, START - 2 * DAY_MS]
    const period = { start: new Date(far - HOUR_MS).toISOString(), end: new Date(near).toISOString() }
    const found = (query: string): Promise<string[]> => listed({ ...period, query, sort: 'started_at' })
    const refusal = (query: string): Promise<string> =>
      found(query).then(
        () => 'it is answered',
        (error: unknown) => (error as Error).message,
      )
    const click = (tagName: string, attributes: object, textContent = '') => ({
      message: tagName,
      data: { nodeId: 3, node: { id: 3, tagName, textContent, attributes } },
    })

    beforeAll(async () => {
      const at = (number: number): number => far + number * 60_000
      const about = (number: number, more: object): object => ({
        replay_start_timestamp: at(number) / 1000,
        environment: 'production',
        release: 'shop@1.0.0',
        ...more,
      })
      const received = { receivedAt: far + HOUR_MS }
      const dead = { url: '', endReason: 'timeout', timeAfterClickMs: 7000, clickCount: 6 }
      await receiveSegment({
        ...received,
        replayId: idOf(61),
        event: about(1, {
          urls: ['https://shop.example/checkout'],
          user: { id: '1', email: 'ada@example.com', username: 'ada', ip_address: '10.0.0.1' },
          tags: { plan: 'team', seats: '12', error: 'As-It-Is', user: 'tagged', browser: 'own', 'a b': 'blank' },
          error_ids: [idOf(901)],
          trace_ids: [idOf(801)],
          contexts: { browser: { name: 'Firefox' }, os: { name: 'Linux' }, device: { name: 'Pixel 9' } },
          sdk: { name: 'sentry.javascript.browser', version: '10.0.0' },
        }),
        events: [
          meta(at(1)),
          breadcrumb(at(1) + 5, 'ui.click', click('button', { id: 'buy', class: 'large red' }, 'Buy now')),
          breadcrumb(at(1) + 9000, 'ui.slowClickDetected', {
            ...click('a', { role: 'tab', 'aria-label': 'Offers' }),
            data: { ...click('a', { role: 'tab', 'aria-label': 'Offers' }).data, ...dead },
          }),
        ],
      })
      await receiveSegment({
        ...received,
        replayId: idOf(61),
        segmentId: 1,
        event: about(1, { urls: ['https://shop.example/thanks'], release: 'shop@1.1.0', tags: { plan: 'free' } }),
        events: [meta(at(1) + 20_000)],
      })
      await receiveSegment({
        ...received,
        replayId: idOf(62),
        event: about(2, {
          urls: ['https://shop.example/'],
          replay_type: 'buffer',
          user: { id: '2', email: 'bob@example.com' },
          environment: 'staging',
        }),
        events: [meta(at(2)), breadcrumb(at(2) + 5, 'ui.click', click('a', { title: 'Home' }, 'Home'))],
      })
    })

    it.each([
      ['', '61 62'],
      ['url:https://shop.example/checkout', '61'],
      ['url:*thanks*', '61'],
      ['url:[https://shop.example/,nowhere]', '62'],
      ['urls:*shop*', '61 62'],
      ['environment:staging', '62'],
      ['!environment:staging', '61'],
      ['release:shop@1.1.0', '61'],
      ['releases:shop@1.0.0', '61 62'],
      ['replay_type:buffer', '62'],
      ['replay_type:error', '62'],
      ['!replay_type:[error]', '61'],
      ['platform:javascript', '61 62'],
      ['user.email:ada@example.com', '61'],
      ['user.id:2', '62'],
      ['user.username:ada', '61'],
      ['user.ip:10.0.0.1', '61'],
      ['user:ada', '61'],
      ['user:bob@example.com', '62'],
      ['user:[1,2]', '61 62'],
      ['!user:ada', '62'],
      ['user:bob*', '62'],
      ['has:user', '61 62'],
      ['tags[user]:ada', ''],
      ['tags[user]:tagged', '61'],
      ['tags[browser]:own', '61'],
      ['a-b:blank', '61'],
      ['browser:Firefox', '61'],
      ['!browser:Firefox', '62'],
      ['os:Linux', '61'],
      ['device:Pixel*', '61'],
      ['sdk:sentry.javascript.browser', '61'],
      ['!sdk:sentry.javascript.browser', '62'],
      ['user.ip_address:10.0.0.1', '61'],
      [`id:${idOf(62)}`, '62'],
      [`error_id:${idOf(901)}`, '61'],
      [
        `error_ids:${idOf(901)
          .replace(/^(.{8})/, '$1-')
          .toUpperCase()}`,
        '61',
      ],
      [`trace:${idOf(801)}`, '61'],
      [`trace_ids:${idOf(801)}`, '61'],
      ['trace:*0321', '61'],
      ['error:As-It-Is', '61'],
      ['count_errors:>0', '61'],
      ['count_warnings:0', '61 62'],
      ['count_infos:<1', '61 62'],
      ['count_segments:2', '61'],
      ['count_urls:>=2', '61'],
      ['count_dead_clicks:1', '61'],
      ['count_rage_clicks:>0', '61'],
      ['duration:>10', '61'],
      ['duration:>10s', '61'],
      ['duration:<0.5m', '61 62'],
      ['duration:<=0.005m', '62'],
      ['duration:>0.005H', '61'],
      ['duration:<1h', '61 62'],
      ['duration:>1m', ''],
      ['activity:>2', '61'],
      ['activity:1', '62'],
      ['plan:team', '61'],
      ['plan:free', '61'],
      ['!plan:free', '62'],
      ['has:plan', '61'],
      ['tags[seats,number]:>10', '61'],
      ['project:shop', '61 62'],
      ['project:api', ''],
      ['thanks', '61'],
      ['BOB@example', '62'],
      ['click.tag:button', '61'],
      ['click.id:buy', '61'],
      ['click.class:red', '61'],
      ['click.role:tab', '61'],
      ['click.label:Offers', '61'],
      ['click.title:Home', '62'],
      ['click.textContent:*now', '61'],
      ['!click.tag:button', '62'],
      ['click.selector:a', '61 62'],
      ['click.selector:button#buy.large', '61'],
      ['click.selector:"button.large[id=nothing]"', ''],
      ['dead.selector:"a[role=tab]"', '61'],
      ['rage.selector:"*[aria-label=Offers]"', '61'],
      ['dead.selector:button', ''],
      ['!dead.selector:a', '62'],
      ['user.id:1 OR user.id:2', '61 62'],
      ['(user.id:1 OR user.id:2) environment:staging', '62'],
    ])('R26 R29 %s finds %s', async (query, expected) => {
      expect((await found(query)).map((number) => Number(number)).join(' ')).toBe(expected)
    })

    it('R27 two conditions that are met in different segments find the replay', async () => {
      expect(await found('url:*checkout url:*thanks release:shop@1.0.0 release:shop@1.1.0')).toEqual(['61'])
    })

    it('R28 what is excluded must be met in no segment', async () => {
      expect(await found('!url:*checkout*')).toEqual(['62'])
      expect(await found('!url:*thanks*')).toEqual(['62'])
    })

    it('R26 R29 what cannot be asked is said by its name', async () => {
      expect(await refusal('count_errors:many')).toBe('"count_errors" takes a number, not "many".')
      for (const written of ['5x', '5k', '5ms', 'long', '*']) {
        expect(await refusal(`duration:>${written}`)).toBe(
          `"duration" takes seconds, or a number with s, m or h, e.g. duration:>90 or duration:>1.5m, not "${written}".`,
        )
      }
      const selectors = 'takes one simple CSS selector'
      expect(await refusal('click.selector:"a > b"')).toContain(`"click.selector" ${selectors}`)
      expect(await refusal('dead.selector:"a:hover"')).toContain(`"dead.selector" ${selectors}`)
      expect(await refusal('rage.selector:"a[href=x]"')).toContain(`"rage.selector" ${selectors}`)
      expect(await refusal('id:banana')).toContain('is no id of a replay')
      const sentence = (text: string, of: string) => `"${text}" is no id of ${of}. It has 32 hexadecimal characters.`
      expect(await refusal('trace:xyz')).toBe(sentence('xyz', 'a trace'))
      expect(await refusal(`trace_ids:[${idOf(801)},NotHex]`)).toBe(sentence('NotHex', 'a trace'))
      expect(await refusal('error_ids:nothex')).toBe(sentence('nothex', 'an error'))
      expect(await refusal('!warning_id:abc')).toBe(sentence('abc', 'a warning'))
      expect(await refusal('info_ids:x*')).toBe(sentence('x*', 'a message'))
      expect(await refusal('trace:""')).toBe('it is answered')
      for (const key of ['level', 'issue.id', 'transaction', 'release.stage', 'release.version']) {
        expect(await refusal(`!${key}:1`)).toContain(`"${key}" is asked of errors and issues`)
        expect(await refusal(`!tags[${key}]:1`)).toBe('it is answered')
      }
      expect(await refusal('!release:latest')).toContain('Which release is the latest is not known')
      expect(await refusal('releases:[shop@1.0.0,latest]')).toContain('name it, e.g. releases:shop@1.2.0.')
    })

    it('R104 a job of deletions refuses what the list refuses, with the same sentence', async () => {
      const job = (query: string): Promise<string> => {
        const data = { rangeStart: period.start, rangeEnd: period.end, environments: [], query: `(${query}) no:match` }
        const asked = callRoute(routes, createReplayDeletion, { params: { project: 'shop' }, body: { data } })
        return asked.then(
          () => 'it is answered',
          (error: unknown) => (error as Error).message,
        )
      }
      const refused = [
        'nosuch:',
        'nosuch: (',
        'nosuch:"a',
        'id:banana',
        'duration:>5k',
        'trace:xyz',
        'is:kept',
        'text:*',
        '!release:latest',
        '!level:error',
      ]
      for (const query of refused) {
        const said = await refusal(`(${query}) no:match`)
        expect(said).not.toBe('it is answered')
        expect([query, await job(query)]).toEqual([query, said])
      }
      // A parenthesis in a value is a part of it.
      expect(await refusal('nosuch:(')).toBe('it is answered')
    })

    it('R26 R34 words, a field and the order by it are asked for together', async () => {
      const fields = Object.keys(VALUES).filter((field) => /\.|^platform$|^dist$/.test(field))
      expect(fields.length).toBeGreaterThan(10)
      for (const field of fields) {
        expect(await listed({ ...period, query: `words ${field}:something`, sort: field })).toEqual([])
      }
      expect(await listed({ ...period, query: 'url:*nowhere* count_urls:>0', sort: 'activity' })).toEqual([])
    })

    it('R34 every field that lists are sorted by sorts both ways', async () => {
      for (const field of Object.keys(VALUES)) {
        const up = await listed({ ...period, sort: field })
        expect([field, up.toSorted()]).toEqual([field, ['61', '62']])
        const isSame = ['platform', 'dist', 'project_id', 'count_warnings', 'count_infos', 'sdk.name'].includes(field)
        const down = await listed({ ...period, sort: `-${field}` })
        if (!isSame && !/^(browser|os|device)/.test(field)) expect([field, down]).toEqual([field, up.toReversed()])
      }
    })

    it('R20 an error that names a replay counts for it, whichever comes first', async () => {
      const { client } = telemetry.telemetry
      const replay = idOf(61)
      const insert = (level: string, id: string) =>
        client.insert({
          table: 'events',
          values: [
            {
              organization_id: 1,
              project_id: 1,
              issue_id: 5,
              event_id: id,
              timestamp: far + 61_000,
              received: far,
              level,
              title: `${level} of it`,
              replay_id: replay,
            },
          ],
          format: 'JSONEachRow',
        })
      // Merged since: its events stay where they were stored.
      await addIssue(4, 1)
      await addIssue(5, 5, 4)
      await insert('error', '0000000a-0000-4000-8000-000000000001')
      await insert('warning', '0000000b-0000-4000-8000-000000000001')
      expect(await found('count_errors:2 count_warnings:1')).toEqual(['61'])
      expect(await found('issue:shop-1')).toEqual(['61'])
      expect(await found('!issue:[SHOP-1,SHOP-9]')).toEqual(['62'])
      expect(await found('issue:SHOP-9')).toEqual([])
      expect(await refusal('issue:>SHOP-1')).toContain('"issue" takes a short id')
      const wanted = { ...period, query: 'id:[' + idOf(61) + ',' + idOf(62) + ']', sort: 'started_at' }
      const named = await callRoute(routes, listReplays, {
        query: { ...wanted, project: ['shop'], field: ['first_error', 'has_picture'] },
      })
      expect(named.body.data).toEqual([
        {
          first_error: {
            event_id: '0000000a000040008000000000000001',
            title: 'error of it',
            at: new Date(far + 61_000).toISOString(),
            issue: { id: '4', short_id: 'SHOP-1' },
          },
          has_picture: false,
        },
        { first_error: null, has_picture: false },
      ])
      const { body } = await callRoute(routes, getReplay, { params: { replay } })
      expect(body.data).toMatchObject({
        error_ids: [idOf(901), '0000000a000040008000000000000001'],
        warning_ids: ['0000000b000040008000000000000001'],
        count_errors: 2,
      })
      const playback = await callRoute(routes, getReplayPlayback, { params: { replay } })
      expect(playback.body.marks.filter(({ kind: one }) => one === 'error')).toMatchObject([
        { at: far + 61_000, text: 'error of it', detail: { level: 'error', issueId: '4', shortId: 'SHOP-1' } },
        { at: far + 61_000, text: 'warning of it', detail: { level: 'warning' } },
      ])
    })
  })

  it('R54 what was sent and answered is read out of the recording, with the reason where it is not there', async () => {
    const replay = idOf(540)
    const at = START + 2000
    const request = (description: string, data: object) =>
      span(at, 'resource.fetch', { description, endTimestamp: at / 1000 + 0.1, data: { method: 'POST', ...data } })
    const skipped = { headers: {}, size: 12, _meta: { warnings: ['URL_SKIPPED'] } }
    const long = 'x'.repeat(LIMITS.REPLAY_REQUEST_BODY_CHARS + 7)
    const many = Object.fromEntries(
      Array.from({ length: LIMITS.REPLAY_REQUEST_HEADERS + 2 }, (_, index) => [`x-${index}`, 'y']),
    )
    const first = [
      request('https://shop.example/api/cart', {
        statusCode: 200,
        request: { headers: { accept: 'application/json', cookie: 'hush' }, size: 9, body: '{"a":1' },
        response: { headers: many, body: { total: 4, password: 'hush' } },
      }),
      request('https://other.example/', { statusCode: 503, request: skipped, response: skipped }),
    ]
    const second = [request('/long', { response: { body: long, _meta: { warnings: ['TEXT_TRUNCATED', 7] } } })]
    // Another clock was two days ahead.
    const ahead = 2 * DAY_MS
    await receiveSegment({ replayId: replay, events: [meta(START), snapshot(START + 1), ...first] })
    await receiveSegment({
      replayId: replay,
      segmentId: 1,
      sentAt: RECEIVED_AT + ahead,
      events: [meta(at + ahead), ...second.map((one) => ({ ...one, timestamp: (at + ahead) / 1000 }))],
    })
    const marks = (await callRoute(routes, getReplayPlayback, { params: { replay } })).body.marks
    expect(marks.filter(({ kind: one }) => one === 'request').map((mark) => [mark.at, mark.text])).toEqual(
      expect.arrayContaining([
        [at, 'https://shop.example/api/cart'],
        [at, 'https://other.example/'],
        [at, 'https://shop.example/long'],
      ]),
    )
    const read = async (mark: string, of = replay) =>
      (await callRoute(routes, getReplayRequest, { params: { replay: of, mark } })).body.request
    const requests = marks.filter(({ kind: one }) => one === 'request')
    const readAll = () => Promise.all(requests.map(({ id }) => read(id)))
    const found = await readAll()
    expect(found.map((one) => one?.url)).toEqual(requests.map(({ text }) => text))
    const byUrl = new Map(found.map((one) => [one?.url, one]))
    const cart = byUrl.get('https://shop.example/api/cart')
    expect(cart).toMatchObject({ method: 'POST', status: 200 })
    expect(cart?.request).toEqual({
      headers: [
        { name: 'accept', value: 'application/json' },
        { name: 'cookie', value: '[Filtered]' },
      ],
      headersLeftOut: 0,
      size: 9,
      body: '{"a":1',
      isJson: false,
      bodyLeftOut: 0,
      warnings: [],
    })
    expect(cart?.response).toMatchObject({
      headersLeftOut: 2,
      size: null,
      isJson: true,
      body: JSON.stringify({ total: 4, password: '[Filtered]' }, null, 2),
    })
    expect(byUrl.get('https://other.example/')?.response).toMatchObject({
      body: null,
      size: 12,
      warnings: ['URL_SKIPPED'],
    })
    expect(byUrl.get('https://shop.example/long')).toMatchObject({
      status: null,
      request: null,
      response: { bodyLeftOut: 7, warnings: ['TEXT_TRUNCATED'] },
    })
    const [known] = requests
    for (const none of ['1', 'x', '9'.repeat(20), String(2n ** 64n - 1n), String(BigInt(known?.id ?? 0) + 50n)])
      await expect(read(none)).rejects.toMatchObject({ status: 404 })
    await expect(read(known?.id ?? '', idOf(541))).rejects.toMatchObject({ status: 404 })

    const [segmentOfIt] = await createReplayView({ client: telemetry.telemetry.client }).segments(
      { organizationId: 1, projectIds: [1] },
      { projectId: 1, replayId: replay },
    )
    await blobs.remove([segmentOfIt?.blobKey ?? ''])
    expect((await readAll()).filter((one) => one === null)).toHaveLength(2)
  })

  it('R40 clicks of a replay are those that a search asks for', async () => {
    const replay = idOf(542)
    const click = (at: number, id: number, tagName: string, attributes: object) =>
      breadcrumb(at, 'ui.click', { message: tagName, data: { nodeId: id, node: { id, tagName, attributes } } })
    const vain = { endReason: 'timeout', timeAfterClickMs: 7000, clickCount: 5, url: '' }
    await receiveSegment({
      replayId: replay,
      events: [
        meta(START),
        snapshot(START + 1),
        click(START + 100, 5, 'button', { id: 'back' }),
        click(START + 200, 6, 'a', { class: 'go large' }),
        click(START + 300, 7, 'button', { id: 'go', 'aria-label': 'Go' }),
        breadcrumb(START + 300, 'ui.slowClickDetected', {
          message: 'button',
          data: { ...vain, nodeId: 7, node: { id: 7, tagName: 'button', attributes: { id: 'go' } } },
        }),
      ],
    })
    const nodes = async (query: string): Promise<number[]> => {
      const params = { project: 'shop', replay }
      const { body } = await callRoute(routes, listReplayClicks, { params, query: { query } })
      return body.data.map((one) => one.node_id)
    }
    expect(await nodes('')).toEqual([5, 6, 7, 7])
    expect(await nodes('url:nowhere plan:free !click.tag:a')).toEqual([5, 6, 7, 7])
    expect(await nodes('click.tag:button')).toEqual([5, 7, 7])
    // Of one click both are asked, and what is not about clicks is left out.
    expect(await nodes('click.tag:button click.id:go count_rage_clicks:>9')).toEqual([7, 7])
    expect(await nodes('click.class:large OR click.label:Go')).toEqual([6, 7])
    expect(await nodes('rage.selector:button')).toEqual([7])
    expect(await nodes('click.selector:"button#back"')).toEqual([5])
    expect(await nodes('dead.selector:a')).toEqual([])
    await expect(nodes('rage.selector:"a > b"')).rejects.toThrow('takes one simple CSS selector')
    // A tag of the replay beside what is asked of clicks is left out; alone, and misspelt, it would be every click.
    expect(await nodes('click.tag:a plan:free')).toEqual([6])
    expect(await nodes('tags[plan]:free project:shop')).toEqual([5, 6, 7, 7])
    await expect(nodes('nosuch:1')).rejects.toThrow('Clicks are not searched by "nosuch". Use one of: click.alt, ')
    await expect(nodes('has:nosuch')).rejects.toThrow('Clicks are not searched by "nosuch".')
    await expect(nodes('click.tag:a click.tga:b')).rejects.toThrow('Clicks are not searched by "click.tga".')
  })

  it('R8 R37 a segment that comes an hour late is there at once; who opened a replay is known for each', async () => {
    const replay = idOf(20)
    const params = { project: 'shop', replay }
    await receiveSegment({ replayId: replay })
    const before = await callRoute(routes, getProjectReplay, { params })
    expect(before.body.data).toMatchObject({ count_segments: 1, has_viewed: false, is_archived: false })
    const late = { receivedAt: RECEIVED_AT + HOUR_MS, events: [meta(START + 5000), snapshot(START + 9000)] }
    await receiveSegment({ replayId: replay, segmentId: 1, ...late })
    await callRoute(routes, noteReplayViewed, { params, userId: 7 })
    await callRoute(routes, noteReplayViewed, { params, userId: 7 })
    const seen = await callRoute(routes, getReplay, { params: { replay } })
    expect(seen.body.data).toMatchObject({ count_segments: 2, duration: 9, has_viewed: true })
    const others = await callRoute(routes, getReplay, { params: { replay }, userId: 8 })
    expect(others.body.data.has_viewed).toBe(false)
    const { body } = await callRoute(routes, listReplayViewers, { params })
    expect(body.data.viewed_by).toMatchObject([
      {
        id: '7',
        type: 'user',
        name: 'ada',
        email: 'ada@acme.example',
        username: 'ada@acme.example',
        avatar: { avatarType: 'letter_avatar', avatarUuid: null, avatarUrl: null },
        emails: [{ email: 'ada@acme.example', is_verified: false }],
        isActive: true,
        isSuperuser: false,
        lastLogin: null,
        experiments: {},
      },
    ])
    const isSeen = async (query: string, userId: number): Promise<boolean> => {
      const asked = { project: ['shop'], query: `id:${replay} ${query}`, field: ['id'] }
      return (await callRoute(routes, listReplays, { query: asked, userId })).body.data.length === 1
    }
    for (const [query, byAda, byBob] of [
      ['seen_by_me:true', true, false],
      ['viewed_by_me:true', true, false],
      ['seen_by_me:false', false, true],
      ['!viewed_by_me:true', false, true],
      ['viewed_by_id:7', true, true],
      ['seen_by_id:[8,9]', false, false],
    ] as const) {
      expect([query, await isSeen(query, 7), await isSeen(query, 8)]).toEqual([query, byAda, byBob])
    }
    await expect(isSeen('seen_by_me:maybe', 7)).rejects.toThrow('"seen_by_me" takes true or false.')
    await expect(isSeen('viewed_by_id:ada', 7)).rejects.toThrow('"viewed_by_id" takes the id of a user.')
    await viewers.forgetMember(1, 7)
    expect((await callRoute(routes, listReplayViewers, { params })).body.data.viewed_by).toEqual([])
  })

  it('R112 recordings are read as they were sent, in the order of their numbers, page by page', async () => {
    const replay = idOf(30)
    const node = { id: 9, tagName: 'a', textContent: 'Buy', attributes: {} }
    const first = [meta(START), snapshot(START + 1), breadcrumb(START + 2, 'ui.click', { data: { nodeId: 9, node } })]
    const third = [meta(START + 9000)]
    await receiveSegment({ replayId: replay, segmentId: 2, events: third, isPlain: true })
    await receiveSegment({ replayId: replay, segmentId: 0, events: first })
    await receiveSegment({ replayId: replay, segmentId: 1, body: Buffer.from('broken') })
    const all = await download(listReplaySegments, { replay }, { download: 'true' })
    expect(all.json).toEqual([first, [], third])
    expect(all.headers['content-type']).toBe('application/json')
    const page = await download(listReplaySegments, { replay }, { download: '', per_page: '1', cursor: '0:2:0' })
    expect(page.json).toEqual([third])
    expect(page.headers['link']).toContain('rel="previous"; results="true"')
    expect((await download(getReplaySegment, { replay, segment: '2' }, { download: '1' })).json).toEqual(third)
    const params = { project: 'shop', replay }
    // As the documentation of Sentry's API has it, and its new client asks: events without `download` as well.
    const paged = await download(listReplaySegments, { replay }, { per_page: '2' })
    expect(paged.json).toEqual([first, []])
    expect(paged.headers['link']).toContain('rel="next"; results="true"')
    expect((await download(listReplaySegments, { replay }, {})).json).toEqual([first, [], third])
    const { body } = await callRoute(routes, getReplaySegment, { params: { ...params, segment: '2' } })
    expect(body.data).toMatchObject({ projectId: '1', replayId: replay, segmentId: 2 })
    await expect(callRoute(routes, getReplaySegment, { params: { ...params, segment: '3' } })).rejects.toMatchObject({
      status: 404,
    })
    const clicks = await callRoute(routes, listReplayClicks, { params })
    expect(clicks.body.data).toEqual([{ node_id: 9, timestamp: new Date(START + 2).toISOString() }])
  })

  it('R11 videos are sent as what their bytes say that they are, and nothing that a browser runs', async () => {
    const replay = idOf(31)
    const film = (name: string): Uint8Array => readFileSync(join(FILMS, name))
    const page = Buffer.from('<script>alert(1)</script>')
    const films = [film('phone-0.mp4'), film('phone-0.webm'), page, Buffer.alloc(0)]
    for (const [segmentId, bytes] of films.entries()) {
      const events = [meta(START + segmentId * 5000, '', 390), incremental(START + segmentId * 5000 + 4000, 2)]
      await receive([phoneSegment({ projectId: 1, replayId: replay, segmentId, events }, bytes)])
    }
    const route = routes.find(({ endpoint }) => endpoint === getReplayVideo)
    const ask = (segment: string) =>
      route?.handle({
        params: { org: 'acme', project: 'shop', replay, segment },
        query: {},
        body: null,
        request: { organization: { id: 1 }, caller: { user: { id: 7 } } } as never,
      })
    const types: (string | undefined)[] = []
    for (const [segmentId, film] of films.entries()) {
      const reply = await ask(String(segmentId))
      if (reply === undefined || !('bytes' in reply) || reply.bytes instanceof Uint8Array) throw new Error('no file')
      const pieces: Uint8Array[] = []
      for await (const piece of reply.bytes.pieces) pieces.push(piece)
      expect(Buffer.concat(pieces).equals(film)).toBe(true)
      expect(reply).toMatchObject({ inParts: true, bytes: { byteLength: film.byteLength } })
      expect(reply.headers['content-security-policy']).toContain('sandbox')
      types.push(reply.headers['content-type'])
    }
    expect(types).toEqual(['video/mp4', 'video/webm', 'application/octet-stream', 'application/octet-stream'])
    const headers = { 'content-disposition': expect.stringMatching(/^attachment/) as string }
    expect(await ask('2')).toMatchObject({ headers })
    for (const segment of ['4', '-1', 'x']) await expect(ask(segment)).rejects.toMatchObject({ status: 404 })
  })

  describe('sums', () => {
    const far = START - 20 * DAY_MS
    const period = {
      start: new Date(far - HOUR_MS).toISOString(),
      end: new Date(far + HOUR_MS).toISOString(),
      project: ['shop'],
    }
    const vain = (at: number, attributes: object, clickCount: number, tagName = 'button', textContent = 'x') =>
      breadcrumb(at, 'ui.slowClickDetected', {
        message: 'button',
        data: {
          nodeId: 4,
          node: { id: 4, tagName, textContent, attributes },
          url: '',
          endReason: 'timeout',
          timeAfterClickMs: 7000,
          clickCount,
        },
      })

    beforeAll(async () => {
      const buy = { id: 'buy:now', class: 'md:large', role: 'tab', 'aria-label': 'Say "buy"' }
      const about = { receivedAt: far + 60_000, event: { replay_start_timestamp: far / 1000, environment: 'shop' } }
      await receiveSegment({
        ...about,
        replayId: idOf(71),
        events: [meta(far), vain(far + 1, buy, 5), vain(far + 2, buy, 1), vain(far + 3, {}, 1, 'a')],
      })
      await receiveSegment({ ...about, replayId: idOf(72), events: [meta(far), vain(far + 1, buy, 9)] })
    })

    it('R36 elements that were clicked in vain, with their counts, sorted and searched', async () => {
      const asked = async (query: Readonly<Record<string, unknown>>) =>
        (await callRoute(routes, listReplaySelectors, { query: { ...period, ...query } })).body.data
      const all = await asked({})
      expect(all).toEqual([
        {
          dom_element: 'button#buy\\:now.md\\:large[role="tab"][aria-label="Say \\"buy\\""]',
          element: {
            alt: '',
            aria_label: 'Say "buy"',
            class: ['md:large'],
            component_name: '',
            id: 'buy:now',
            role: 'tab',
            tag: 'button',
            testid: '',
            title: '',
            project_id: 1,
          },
          named: { role: 'tab', name: 'Say "buy"', handle: '#buy:now' },
          component_name: '',
          project_id: 1,
          count_dead_clicks: 3,
          count_rage_clicks: 2,
        },
        expect.objectContaining({ dom_element: 'a', count_dead_clicks: 1, count_rage_clicks: 0 }),
      ])
      expect((await asked({ sort: 'count_rage_clicks' })).map(({ element }) => element.tag)).toEqual(['a', 'button'])
      expect((await asked({ query: 'count_rage_clicks:>1' })).map(({ element }) => element.tag)).toEqual(['button'])
      expect(await asked({ environment: ['other'] })).toEqual([])
      expect(await asked({ environment: ['shop'], per_page: '1', cursor: '0:1:0' })).toHaveLength(1)
      const only = 'Elements are searched by count_dead_clicks and count_rage_clicks only.'
      await expect(asked({ query: 'tag:a' })).rejects.toThrow(only)
      await expect(asked({ query: 'words' })).rejects.toThrow(only)
    })

    it('R36 replays that mask the words of an element do not hide how the others name it', async () => {
      const at = START - 40 * DAY_MS
      const about = { receivedAt: at + 60_000, event: { replay_start_timestamp: at / 1000 } }
      const clicks = [
        ['go', 'Go to checkout'],
        ['go', '** ** ********'],
        ['go', ''],
        ['add', 'Add one'],
        ['add', 'Add two'],
      ].map(([id, text], index) => vain(at + index, { id }, 1, 'button', text))
      await receiveSegment({ ...about, replayId: idOf(73), events: [meta(at), ...clicks] })
      const query = {
        start: new Date(at - 60_000).toISOString(),
        end: new Date(at + 60_000).toISOString(),
        project: ['shop'],
      }
      const { body } = await callRoute(routes, listReplaySelectors, { query })
      expect(body.data.map(({ named, count_dead_clicks: clicked }) => [named, clicked])).toEqual([
        [{ role: 'button', name: 'Go to checkout', handle: '#go' }, 3],
        [{ role: 'button', name: '', handle: '#add' }, 2],
      ])
    })

    it('R29 R36 what the list calls an element finds the replays in which it was clicked', async () => {
      const { body } = await callRoute(routes, listReplaySelectors, { query: period })
      const replaysOf = async (key: string) =>
        Promise.all(
          body.data.map(async ({ dom_element: selector }) => {
            const query = { ...period, query: formatFilter(key, selector), sort: 'duration' }
            const found = await callRoute(routes, listReplays, { query })
            return found.body.data.map(({ id = '' }) => id).toSorted()
          }),
        )
      expect(await replaysOf('dead.selector')).toEqual([[idOf(71), idOf(72)], [idOf(71)]])
      expect(await replaysOf('rage.selector')).toEqual([[idOf(71), idOf(72)], []])
    })

    it('R19 only replays that came are counted, for one of issues, transactions and ids', async () => {
      const { client } = telemetry.telemetry
      const values = [
        [31, idOf(71)],
        [31, idOf(72)],
        [31, idOf(999)],
        [32, idOf(72)],
        [33, ''],
        [31, idOf(73)],
      ].map(([issue, replay], index) => ({
        organization_id: 1,
        project_id: 1,
        issue_id: issue,
        event_id: `0000000c-0000-4000-8000-00000000000${index}`,
        timestamp: far,
        received: far,
        level: 'error',
        transaction: `GET /${issue}`,
        environment: replay === idOf(72) ? 'staging' : 'shop',
        replay_id: replay,
      }))
      await client.insert({ table: 'events', values, format: 'JSONEachRow' })
      const counted = async (query: string, more: Readonly<Record<string, unknown>> = {}) =>
        (await callRoute(routes, countReplays, { query: { ...period, query, ...more } })).body
      await addIssue(31, 31)
      await addIssue(33, 33)
      await addIssue(32, 32, 33)
      expect(await counted('issue.id:[31,33,34]')).toEqual({ 31: 2, 33: 1 })
      await ledger.ledger.db.updateTable('issues').set({ merged_into_id: null }).where('id', '=', 32).execute()
      expect(await counted('issue.id:32', { returnIds: 'true' })).toEqual({ 32: [idOf(72)] })
      // As the program `sentry` asks.
      expect(await counted('issue.id:32', { returnIds: 'true', data_source: 'errors' })).toEqual({ 32: [idOf(72)] })
      expect(await counted('transaction:["GET /31","GET /33"]')).toEqual({ 'GET /31': 2 })
      expect(await counted(`replay_id:[${idOf(71)},${idOf(999)},nonsense]`)).toEqual({ [idOf(71)]: 1 })
      // As Sentry does, by the environment of what names a replay; an id has none.
      const staging = { environment: ['staging'] }
      expect(await counted('issue.id:31', staging)).toEqual({ 31: 1 })
      expect(await counted('issue.id:31', { environment: ['staging', 'shop'] })).toEqual({ 31: 2 })
      expect(await counted('issue.id:31', { environment: ['elsewhere'] })).toEqual({})
      expect(await counted('transaction:["GET /31"]', { ...staging, returnIds: 'true' })).toEqual({
        'GET /31': [idOf(72)],
      })
      expect(await counted(`replay_id:${idOf(71)}`, staging)).toEqual({ [idOf(71)]: 1 })
      // Replay 73 was named in this period, and came twenty days earlier.
      expect(await counted(`replay_id:${idOf(73)}`)).toEqual({})
      expect(await counted(`replay_id:${idOf(73)}`, { start: new Date(far - 21 * DAY_MS).toISOString() })).toEqual({
        [idOf(73)]: 1,
      })
      const one = 'Replays are counted by exactly one of issue.id, transaction and replay_id.'
      for (const query of ['', 'words', 'issue.id:1 transaction:x', '!issue.id:1', 'issue.id:1 OR issue.id:2']) {
        await expect(counted(query)).rejects.toThrow(one)
      }
      const many = Array.from({ length: 26 }, (_, index) => index + 1).join(',')
      await expect(counted(`issue.id:[${many}]`)).rejects.toThrow('At most 25 values of issue.id')
    })
  })

  it('R41 large replays are cut into chunks before anybody looks, as soon as nothing of them comes', async () => {
    const [large, small, later] = [idOf(90), idOf(91), idOf(92)]
    const received = RECEIVED_AT - HOUR_MS
    const long = snapshot(received - 9000)
    const words = { ...long, data: { ...long.data, words: 'x'.repeat(LIMITS.REPLAY_CUT_AHEAD_BYTES) } }
    const spec = { receivedAt: received, event: { replay_start_timestamp: (received - 9001) / 1000 } }
    await receiveSegment({ ...spec, replayId: large, events: [meta(received - 9001), words] })
    await receiveSegment({ ...spec, replayId: small, events: [meta(received - 9001), long] })
    await receiveSegment({ ...spec, replayId: later, events: [meta(received - 9001), words], receivedAt: RECEIVED_AT })
    const view = createReplayView({ client: telemetry.telemetry.client })
    const found = await view.quiet({ after: received - 1, until: received })
    expect(found).toEqual([{ organizationId: 1, projectId: 1, replayId: large, lastAt: received }])
    expect(await view.quiet({ after: received, until: received + 1 })).toEqual([])
  })

  it('R41 of large replays that were cut only those are summed up again of which something came, with all of it', async () => {
    const { client } = telemetry.telemetry
    const received = RECEIVED_AT - 1_800_000
    const half = (at: number) => {
      const one = snapshot(at)
      return { ...one, data: { ...one.data, words: 'x'.repeat(LIMITS.REPLAY_CUT_AHEAD_BYTES / 2) } }
    }
    const receive = (replayId: string, segmentId: number, receivedAt: number) => {
      const at = received - 9000 + segmentId
      const event = { replay_start_timestamp: (received - 9001) / 1000 }
      return receiveSegment({ replayId, segmentId, receivedAt, event, events: [meta(at), half(at)] })
    }
    for (const [replayId, last] of [
      [idOf(93), received],
      [idOf(94), received + 60_000],
    ] as const) {
      await receive(replayId, 0, received - 1000)
      await receive(replayId, 1, last)
    }
    /** Sums up one replay, or fails. On one thread: each has a table of groups of its own, and the bound is one table's. */
    const counting = new Proxy(client, {
      get: (target, name) =>
        name === 'query'
          ? (asked: Parameters<typeof client.query>[0]) =>
              target.query({
                ...asked,
                clickhouse_settings: {
                  ...asked.clickhouse_settings,
                  max_rows_to_group_by: '1',
                  group_by_overflow_mode: 'throw',
                  max_threads: 1,
                },
              })
          : (Reflect.get(target, name, target) as unknown),
    })
    const quiet = (after: number, until: number) => createReplayView({ client: counting }).quiet({ after, until })
    expect(await quiet(received, received + 60_000)).toEqual([
      { organizationId: 1, projectId: 1, replayId: idOf(94), lastAt: received + 60_000 },
    ])
    // Both are of this time: then two are.
    await expect(quiet(received - 1001, received)).rejects.toThrow(/max_rows_to_group_by|rows to GROUP BY/i)
  })

  it('R101 R104 a deleted replay leaves nothing behind, late segments of it are refused, and who dies meanwhile goes on', async () => {
    const [replay, other] = [idOf(40), idOf(41)]
    const params = { project: 'shop', replay }
    const shared = [meta(START), pageOf(START + 1, 'A page of two replays')]
    await receiveSegment({ replayId: replay, segmentId: 0, events: shared })
    await receiveSegment({ replayId: replay, segmentId: 1, events: [meta(START + 5000)] })
    await receiveSegment({ replayId: other, segmentId: 0, events: shared })
    const { client } = telemetry.telemetry
    const keysOf = async (id: string): Promise<string[]> => {
      const found = await createReplayView({ client }).find({ organizationId: 1, projectIds: [1] }, id)
      if (found === null) return []
      const segments = await createReplayView({ client }).segments({ organizationId: 1, projectIds: [1] }, found)
      return segments.map(({ blobKey }) => blobKey)
    }
    const keys = await keysOf(replay)
    const [kept = ''] = await keysOf(other)
    expect(keys).toContain(kept)
    const own = keys.filter((key) => key !== kept)
    expect(own).toHaveLength(1)
    const [chunk = ''] = await blobs.put([{ organizationId: 1, bytes: Buffer.from('[]') }])
    const chunks = [{ from: START, to: START, bytes: 2, nodes: 1, key: chunk }]
    await packs.save(
      { organizationId: 1, projectId: 1, replayId: replay },
      { version: 1, segments: 2, lastAt: START, chunks },
    )
    own.push(chunk)
    keys.push(chunk)

    await callRoute(routes, deleteReplay, { params })
    expect(await Promise.all(own.map((key) => blobs.get(key)))).toEqual([null, null])
    expect(await packs.find([1], replay)).toBeNull()
    expect(await blobs.get(kept)).not.toBeNull()
    const left = await ledger.ledger.db.selectFrom('blobs').select('key').where('key', 'in', keys).execute()
    expect(left.map(({ key }) => key)).toEqual([kept])
    const rows = await client.query({
      query: `SELECT (SELECT count() FROM replay_segments WHERE replay_id = {id:UUID})
        + (SELECT count() FROM replay_marks WHERE replay_id = {id:UUID})
        + (SELECT count() FROM replay_texts WHERE replay_id = {id:UUID}) AS count`,
      query_params: { id: replay.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') },
      format: 'JSONEachRow',
    })
    expect(await rows.json()).toEqual([{ count: 0 }])
    const { body: others } = await callRoute(routes, listReplays, {
      query: { project: ['shop'], query: 'text:"of two replays"' },
    })
    expect(others.data.map(({ id }) => id)).toEqual([other])
    const { body } = await callRoute(routes, getReplay, { params: { replay } })
    // As Sentry writes a row of one that was deleted.
    const archived = {
      id: replay,
      is_archived: true,
      duration: null,
      urls: null,
      releases: null,
      clicks: null,
      tags: [],
    }
    expect(body.data).toMatchObject({ ...archived, user: { display_name: 'Archived Replay' }, replay_type: null })
    await expect(callRoute(routes, getReplayPlayback, { params: { replay } })).rejects.toThrow(
      'This replay was deleted.',
    )
    await expect(callRoute(routes, deleteReplay, { params })).rejects.toMatchObject({ status: 404 })

    // What was on its way to the tables comes after all; what is sent later is refused.
    const late = segment({ projectId: 1, replayId: replay, segmentId: 2, events: [meta(START + 10_000)] })
    expect(await receive(late)).toEqual(['stored', 'deleted_replay'])
    const context = { settings: DEFAULT_PROJECT_SETTINGS, siblings: late.map(({ item }) => item) }
    const expanded = kind.expand(late[1], context)
    if (!expanded.ok) throw new Error('it is not read')
    const entry = { item: late[1], value: expanded.value, id: () => '', followers: 0 }
    const [ready = NO_BLOBS] = (await kind.prepare?.([entry])) ?? []
    await kind.write?.([{ entry, ready, stored: null }], { token: 'on its way', again: false })
    expect(await keysOf(replay)).toHaveLength(1)
    await deleting.finish()
    expect(await keysOf(replay)).toEqual([])
    const key = ready.recording?.key ?? ''
    const path = join(folder.path, 'blobs', '1', key.slice(2, 4), key.slice(2))
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined()
    expect(await deletions.toDo(null)).toHaveLength(1)
    clock.set(RECEIVED_AT + LIMITS.REPLAY_DELETION_SETTLES_MS)
    await deleting.finish()
    expect(await deletions.toDo(null)).toEqual([])
    expect(await keysOf(other)).toHaveLength(1)
  })

  it('of two projects that gave the same id to replays the one that is left is found when the other was deleted', async () => {
    const replay = idOf(990)
    for (const [projectId, url] of [
      [1, 'https://one.example/'],
      [2, 'https://two.example/'],
    ] as const) {
      await receiveSegment({ projectId, replayId: replay, segmentId: 0, event: { urls: [url] }, events: [meta(START)] })
    }
    await callRoute(routes, deleteReplay, { params: { project: 'shop', replay } })
    const { body } = await callRoute(routes, getReplay, { params: { replay } })
    expect(body.data).toMatchObject({ id: replay, is_archived: false, project_id: '2' })
    await callRoute(routes, deleteReplay, { params: { project: '2', replay } })
    const { body: gone } = await callRoute(routes, getReplay, { params: { replay } })
    expect(gone.data).toMatchObject({ is_archived: true })
  })

  it('R103 a replay that is older than its organisation keeps data goes with its blobs, views and tombstones', async () => {
    const [old, young] = [idOf(80), idOf(81)]
    const received = RECEIVED_AT - 100 * DAY_MS
    const before = { receivedAt: received, event: { replay_start_timestamp: received / 1000 } }
    await receiveSegment({ replayId: old, ...before, events: [meta(received), snapshot(received + 1)] })
    await receiveSegment({ replayId: young, events: [meta(START), snapshot(START + 3)] })
    const { client } = telemetry.telemetry
    const view = createReplayView({ client })
    const scope = { organizationId: 1, projectIds: [1] }
    const keyOf = async (replayId: string): Promise<string> => {
      const [one] = await view.segments(scope, { projectId: 1, replayId })
      return one?.blobKey ?? ''
    }
    const keys = [await keyOf(old), await keyOf(young)]
    clock.set(received)
    await viewers.note({ projectId: 1, replayId: old }, 8)
    const gone = { organizationId: 1, projectId: 1, replayIds: [idOf(82)] }
    await deletions.note(gone)
    await deletions.done(gone)
    const [chunk = ''] = await blobs.put([{ organizationId: 1, bytes: Buffer.from('[1]') }])
    await packs.save(
      { organizationId: 1, projectId: 1, replayId: old },
      { version: 1, segments: 1, lastAt: received, chunks: [{ from: 1, to: 2, bytes: 3, nodes: 4, key: chunk }] },
    )
    clock.set(RECEIVED_AT)
    const { ledger: own } = ledger
    const parts = { ledger: own, client, blobs, clock, logger: silentLogger }
    const retention = createRetentionOf({
      ...parts,
      tables: replays.agingTables ?? [],
      parts: [
        createReplayRetention({ aging: [viewers, deletions], links: createReplayLinks(parts), holders: [packs] }),
      ],
    })
    await retention.run()
    await retention.close()
    expect(await view.find(scope, old)).toBeNull()
    expect(await view.find(scope, young)).not.toBeNull()
    expect(await Promise.all(keys.map(async (key) => (await blobs.get(key)) === null))).toEqual([true, false])
    expect(await viewers.of({ projectId: 1, replayId: old })).toEqual([])
    expect(await packs.find([1], old)).toBeNull()
    expect(await blobs.get(chunk)).toBeNull()
    expect(await deletions.find([1], idOf(82))).toBeNull()
  })
})
