import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  countReplayDeletion,
  createReplayDeletion,
  deleteReplay,
  getReplay,
  getReplayDeletion,
  getReplayKeeping,
  getReplayVisitor,
  listReplayDeletions,
  listReplays,
  starReplay,
  unstarReplay,
  updateReplayKeeping,
} from '@firsthand/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS, livingProjects } from '../../accounts/index.ts'
import { CAPABILITIES } from '../../capabilities.ts'
import { RECEIVED_AT } from '../../event/normalise/digest-item.fixture.ts'
import { callRoute } from '../../explore/test/call.ts'
import type { Route } from '../../http/index.ts'
import type { DigestItem } from '../../ingest/index.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { createIssueReads } from '../../issues/index.ts'
import { createFileBlobs } from '../../storage/blobs/file-blobs.ts'
import { createBlobFreeing } from '../../storage/blobs/freeing.ts'
import {
  LEDGER_ENGINES,
  TELEMETRY_ENGINES,
  seedOrganization,
  silentLogger,
  temporaryFolder,
  testClock,
  type OpenedLedger,
  type OpenedTelemetry,
} from '../../storage/conformance/engines.ts'
import { createRowWriter } from '../../storage/telemetry/row-writer.ts'
import { createReplayDeleting, type DeletingParts, type ReplayDeleting } from '../deletion/delete-replays.ts'
import { createDeletionRoutes } from '../deletion/deletion.routes.ts'
import { createJobRunner, type JobParts } from '../deletion/run-jobs.ts'
import { createDeletionJobs } from '../ledger/deletion-jobs.ts'
import { createReplayDeletions } from '../ledger/replay-deletions.ts'
import { noteAssets } from '../ledger/assets/note-assets.ts'
import { createReplayAssets, type ReplayAssets } from '../ledger/replay-assets.ts'
import { createReplayKeeping } from '../ledger/replay-keeping.ts'
import { createReplayPacks, type ReplayPacks } from '../ledger/replay-packs.ts'
import { createReplayStars } from '../ledger/replay-stars.ts'
import { createReplayViewers } from '../ledger/replay-viewers.ts'
import { LIMITS } from '../limits.ts'
import { createReplayItems } from '../replay-items.ts'
import { meta, segment, snapshot, type SegmentSpec } from '../replay.fixture.ts'
import { createReplayRoutes } from '../replays.routes.ts'
import { createReplayView } from '../replays.view.ts'
import type { ReplayServices } from '../services.ts'
import { createKeptReplays } from '../telemetry/kept-replays.ts'
import { createVisitorReplays } from '../telemetry/visitor-replays.ts'
import { createKeepWithin } from './keep-within.ts'
import { createKeepingRoutes } from './keeping.routes.ts'

const NO_BLOBS = { recording: null, video: null }

const [ledgerEngine] = LEDGER_ENGINES
const [telemetryEngine] = TELEMETRY_ENGINES

let lastId = 0xabc000
const newId = (): string => (lastId++).toString(16).padStart(32, '0')

const noise = (bytes: number): string =>
  Array.from({ length: Math.ceil(bytes / 8) }, () => Math.random().toString(36).slice(2, 10))
    .join('')
    .slice(0, bytes)

/** What it watches does as it is told, but for the n-th thing of all that it is asked: then the server is killed. */
const dyingAt = (step: number) => {
  let asked = 0
  return <Of extends object>(whole: Of): Of =>
    new Proxy(whole, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return async (...given: unknown[]) => {
          asked += 1
          if (asked === step) throw new Error('the server was killed')
          return (await Reflect.apply(value, target, given)) as unknown
        }
      },
    })
}

describe('keeping and deleting replays', () => {
  const folder = temporaryFolder()
  const blobs = createFileBlobs(join(folder.path, 'blobs'))
  const clock = testClock(RECEIVED_AT)
  let ledger: OpenedLedger
  let telemetry: OpenedTelemetry
  let kind: ReturnType<typeof createReplayItems>
  let packs: ReplayPacks
  let assets: ReplayAssets
  let parts: DeletingParts
  let deleting: ReplayDeleting
  let services: ReplayServices
  let jobParts: JobParts & Omit<Parameters<typeof createDeletionRoutes>[0], 'runner'>
  let keepWithin: () => Promise<void>
  let routes: readonly Route[]
  let batches = 0
  /** Replays of open issues. */
  let linked: ReadonlySet<string> = new Set()

  beforeAll(async () => {
    if (ledgerEngine === undefined || telemetryEngine === undefined) throw new Error('no engine')
    ledger = await ledgerEngine.open()
    telemetry = await telemetryEngine.open()
    await seedOrganization(ledger.ledger)
    const { client } = telemetry.telemetry
    const own = { ledger: ledger.ledger, clock }
    kind = createReplayItems({ blobs, writer: createRowWriter({ client, logger: silentLogger }) })
    packs = createReplayPacks(own)
    const [deletions, viewers, stars, jobs, keeping] = [
      createReplayDeletions(own),
      createReplayViewers(own),
      createReplayStars(own),
      createDeletionJobs(own),
      createReplayKeeping(own),
    ]
    const columns = CAPABILITIES.flatMap(({ blobColumns = [] }) => blobColumns)
    const freeing = createBlobFreeing({ ledger: ledger.ledger, client, blobs, columns })
    assets = createReplayAssets(own)
    parts = { client, clock, deletions, freeing, ledger: ledger.ledger, kept: [packs, viewers, stars, assets] }
    deleting = createReplayDeleting(parts)
    services = {
      replays: createReplayView({ client }),
      projects: livingProjects(ledger.ledger),
      deletions,
      viewers,
      stars,
      issues: createIssueReads({ blobs, client, ledger: ledger.ledger }).issues,
      clock,
    }
    const [kept, visitors, ending] = [
      createKeptReplays({ client }),
      createVisitorReplays({ client }),
      new AbortController().signal,
    ]
    jobParts = { ...services, jobs, deleting, visitors, logger: silentLogger, ending }
    keepWithin = createKeepWithin({
      assets,
      deleting,
      keeping,
      kept,
      packs,
      stars,
      linkedToOpenIssues: async () => linked,
      clock,
      logger: silentLogger,
      ending,
    })
    routes = [
      ...createReplayRoutes(services),
      ...createKeepingRoutes({ ...services, assets, keeping, kept, packs }),
      ...createDeletionRoutes({
        ...services,
        deleting,
        jobs,
        runner: createJobRunner(jobParts),
        visitors,
        logger: silentLogger,
      }),
    ]
    await ledger.ledger.db
      .insertInto('users')
      .values({ id: 7, email: 'ada@acme.example', name: 'Ada', password_hash: '', preferences: '{}', created_at: 0 })
      .execute()
  }, 60_000)
  afterAll(async () => {
    await telemetry.close()
    await ledger.close()
    folder.remove()
  })
  beforeEach(async () => {
    clock.set(RECEIVED_AT)
    linked = new Set()
    const { client } = telemetry.telemetry
    for (const table of ['replay_segments', 'replay_marks', 'replay_texts', 'kept_items'])
      await client.command({ query: `TRUNCATE TABLE ${table}` })
    for (const table of [
      'replay_deletions',
      'replay_stars',
      'replay_keeping',
      'replay_packs',
      'replay_asset_uses',
    ] as const)
      await ledger.ledger.db.deleteFrom(table).execute()
  })

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
    await kind.write?.(stored, { token: `keeping:${batches}`, again: false })
    return verdicts.map((verdict) => (verdict.isStored ? 'stored' : verdict.outcome.reason))
  }

  /** A replay of one segment that begins then. */
  const record = async (
    at: number,
    { user, words = newId(), bytes = 0, ...spec }: SegmentSpec & { user?: object; words?: string; bytes?: number } = {},
  ): Promise<string> => {
    const replayId = spec.replayId ?? newId()
    const events = [
      meta(at),
      snapshot(at + 1),
      { type: 5, timestamp: at + 2, data: { tag: words, payload: noise(bytes) } },
    ]
    const event = { replay_start_timestamp: at / 1000, ...(user === undefined ? {} : { user }) }
    const items = segment({ projectId: 1, replayId, receivedAt: at + 1000, events, ...spec, event })
    expect(await receive(items)).toContain('stored')
    return replayId
  }

  const keysOf = async (replayId: string): Promise<readonly string[]> => {
    const scope = { organizationId: 1, projectIds: [1] }
    return (await services.replays.segments(scope, { projectId: 1, replayId })).map(({ blobKey }) => blobKey)
  }
  const isThere = (key: string): boolean => existsSync(join(folder.path, 'blobs', '1', key.slice(2, 4), key.slice(2)))
  const rowsOf = async (replayId: string): Promise<number> => {
    const result = await telemetry.telemetry.client.query({
      query: `SELECT (SELECT count() FROM replay_segments WHERE replay_id = {id:UUID})
        + (SELECT count() FROM replay_marks WHERE replay_id = {id:UUID})
        + (SELECT count() FROM replay_texts WHERE replay_id = {id:UUID}) AS count`,
      query_params: { id: replayId.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') },
      format: 'JSONEachRow',
    })
    const [row] = await result.json<{ count: number }>()
    return row?.count ?? 0
  }
  /** With a chunk of its own. @returns the key of the chunk */
  const cut = async (replayId: string, json: string): Promise<string> => {
    const [key = ''] = await blobs.put([{ organizationId: 1, bytes: Buffer.from(json) }])
    const chunks = [{ from: 1, to: 2, bytes: json.length, nodes: 1, key }]
    await packs.save(
      { organizationId: 1, projectId: 1, replayId },
      { version: 1, segments: 1, lastAt: clock.now(), chunks },
    )
    return key
  }
  const project = { project: 'shop' }
  const call = callRoute
  const listed = async (query = ''): Promise<string[]> =>
    (
      await call(routes, listReplays, {
        query: { project: ['shop'], query, statsPeriod: '90d', per_page: 100, sort: 'started_at' },
      })
    ).body.data.map(({ id }) => id ?? '')

  it('R101 bytes that something else has as well stay: an attachment, another replay, another replay’s chunk', async () => {
    const shared = { words: 'the same', bytes: 0 }
    const [one, other] = [await record(RECEIVED_AT - 5000, shared), await record(RECEIVED_AT - 5000, shared)]
    const [key = ''] = await keysOf(one)
    expect(await keysOf(other)).toEqual([key])
    const alone = await record(RECEIVED_AT - 4000)
    const [attached = ''] = await keysOf(alone)
    const [chunk, sameChunk] = [await cut(one, '["chunk"]'), await cut(other, '["chunk"]')]
    expect(sameChunk).toBe(chunk)
    await telemetry.telemetry.client.insert({
      table: 'kept_items',
      format: 'JSONEachRow',
      values: [
        {
          organization_id: 1,
          project_id: 2,
          id: 'f'.repeat(32),
          item_type: 'attachment',
          received: 1,
          blob_key: attached,
        },
      ],
    })
    await call(routes, deleteReplay, { params: { ...project, replay: one } })
    await call(routes, deleteReplay, { params: { ...project, replay: alone } })
    expect([key, attached, chunk].map(isThere)).toEqual([true, true, true])
    expect(await rowsOf(one)).toBe(0)
    // What held it on goes, and nothing holds it any more.
    await call(routes, deleteReplay, { params: { ...project, replay: other } })
    expect([key, attached, chunk].map(isThere)).toEqual([false, true, false])
    const left = await ledger.ledger.db
      .selectFrom('blobs')
      .select('key')
      .where('key', 'in', [key, attached, chunk])
      .execute()
    expect(left.map((row) => row.key)).toEqual([attached])
  })

  it('R101 columns that name blobs are declared, so that none is removed under them', async () => {
    const result = await telemetry.telemetry.client.query({
      query: `SELECT table, name FROM system.columns WHERE database = currentDatabase() AND name LIKE '%\\_key' AND type = 'String'
        AND table IN (SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree')`,
      format: 'JSONEachRow',
    })
    const declared = CAPABILITIES.flatMap(({ blobColumns = [] }) =>
      blobColumns.flatMap(({ columns, table }) => columns.map((name) => `${table}.${name}`)),
    )
    const found = (await result.json<{ table: string; name: string }>()).map(({ name, table }) => `${table}.${name}`)
    // Of users, not of blobs.
    expect(found.toSorted()).toEqual(['events.user_key', ...declared].toSorted())
  })

  it('R101 R104 whoever dies at any step of a deletion, the next one ends it', async () => {
    const columns = CAPABILITIES.flatMap(({ blobColumns = [] }) => blobColumns)
    for (let step = 1, survived = false; !survived; step += 1) {
      const replayId = await record(RECEIVED_AT - 5000)
      const [key = ''] = await keysOf(replayId)
      const chunk = await cut(replayId, JSON.stringify([replayId]))
      const watch = dyingAt(step)
      const client = watch(telemetry.telemetry.client)
      const watched: DeletingParts = {
        ...parts,
        client,
        deletions: watch(parts.deletions),
        kept: parts.kept.map((one) => watch(one)),
        freeing: createBlobFreeing({ ledger: ledger.ledger, client, blobs: watch(blobs), columns }),
      }
      survived = await createReplayDeleting(watched)
        .delete({ organizationId: 1, projectId: 1, replayIds: [replayId] })
        .then(
          () => true,
          () => false,
        )
      // Whoever dies before it is noted has deleted nothing, and says so.
      const isNoted = (await services.deletions.find([1], replayId)) !== null
      expect(isNoted).toBe(step > 1)
      await createReplayDeleting(parts).finish()
      const isLeft = [
        isThere(key),
        isThere(chunk),
        (await packs.find([1], replayId)) !== null,
        (await rowsOf(replayId)) > 0,
      ]
      expect({ step, isLeft }).toEqual({ step, isLeft: isLeft.map(() => !isNoted) })
      expect(step).toBeLessThan(40)
      await ledger.ledger.db.deleteFrom('replay_deletions').execute()
    }
  }, 120_000)

  it('R101 the disk that rows took is free once nothing of a replay can come any more', async () => {
    const { client } = telemetry.telemetry
    const replayId = await record(RECEIVED_AT - 5000)
    const young = await record(RECEIVED_AT - 4000)
    const hidden = async (): Promise<boolean> => {
      const result = await client.query({
        query: `SELECT sum(has_lightweight_delete) AS hidden FROM system.parts
          WHERE database = currentDatabase() AND active AND table LIKE 'replay\\_%'`,
        format: 'JSONEachRow',
      })
      return Number((await result.json<{ hidden: number }>())[0]?.hidden) > 0
    }
    await deleting.delete({ organizationId: 1, projectId: 1, replayIds: [replayId] })
    clock.set(RECEIVED_AT + LIMITS.REPLAY_DELETION_SETTLES_MS)
    await deleting.finish()
    await expect.poll(hidden, { timeout: 20_000 }).toBe(false)
    expect(await rowsOf(replayId)).toBe(0)
    expect(await rowsOf(young)).toBeGreaterThan(0)
  })

  it('R102 all replays of a visitor go, by a replay of theirs, their id or their e-mail; late segments are refused', async () => {
    const at = RECEIVED_AT - 10 * DAY_MS
    const [first, second, third] = [
      await record(at, { user: { id: 'u-1', email: 'Grace@navy.example' } }),
      await record(at + DAY_MS, { user: { id: 'u-1' } }),
      await record(at + 2 * DAY_MS, { user: { email: 'grace@navy.example' } }),
    ]
    const others = [
      await record(at, { user: { id: 'u-1*' } }),
      await record(at, { user: { id: 'u-10', email: 'grace@army.example' } }),
    ]
    const ask = (query: object) => call(routes, getReplayVisitor, { params: project, query: { ...query } })
    expect((await ask({ replay: first })).body.data).toEqual({
      by: 'user',
      userId: 'u-1',
      email: 'Grace@navy.example',
      username: null,
      replays: 3,
    })
    expect((await ask({ userId: 'u-1' })).body.data.replays).toBe(2)
    expect((await ask({ email: 'GRACE@navy.example' })).body.data.replays).toBe(2)
    expect((await ask({ userId: 'u-1*' })).body.data.replays).toBe(1)
    await expect(ask({})).rejects.toMatchObject({ status: 400 })

    const body = { data: { visitor: { replay: first } } }
    const { body: made } = await call(routes, createReplayDeletion, { params: project, body })
    await createJobRunner(jobParts).run()
    const { body: job } = await call(routes, getReplayDeletion, { params: { ...project, job: String(made.data.id) } })
    expect(job.data).toMatchObject({
      status: 'completed',
      countDeleted: 3,
      query: '',
      visitor: { by: 'user', userId: 'u-1' },
      createdBy: { email: 'ada@acme.example' },
    })
    expect(job.data.bytesFreed).toBeGreaterThan(0)
    expect((await listed()).toSorted()).toEqual(others.toSorted())
    for (const replayId of [first, second, third]) {
      const late = segment({ projectId: 1, replayId, segmentId: 1, events: [meta(at)] })
      expect(await receive(late)).toEqual(['stored', 'deleted_replay'])
      const { body: archived } = await call(routes, getReplay, { params: { replay: replayId } })
      expect(archived.data.is_archived).toBe(true)
    }
  })

  it('R102 of a visitor without a user, only the journey of the replay goes', async () => {
    const at = RECEIVED_AT - 2 * DAY_MS
    const user = { ip_address: '203.0.113.7' }
    const [first, tab] = [await record(at, { user }), await record(at + 60_000, { user })]
    const another = await record(at + DAY_MS, { user })
    const query = { replay: first }
    const { body } = await call(routes, getReplayVisitor, { params: project, query })
    expect(body.data).toMatchObject({ by: 'address', replays: 2 })
    await call(routes, createReplayDeletion, { params: project, body: { data: { visitor: { replay: tab } } } })
    await createJobRunner(jobParts).run()
    expect(await listed()).toEqual([another])
  })

  it('R104 R115 a job deletes what its query finds, counts it once however often its server dies, and is listed', async () => {
    const at = RECEIVED_AT - 3 * DAY_MS
    const [staging, live] = [{ event: {} }, { event: {} }]
    const ids: string[] = []
    for (let index = 0; index < 3; index += 1)
      ids.push(await record(at + index * 1000, { user: { id: 'test-bot' }, ...staging }))
    const kept = await record(at, { user: { id: 'somebody' }, ...live })
    const outside = await record(at - 20 * DAY_MS, { user: { id: 'test-bot' } })
    const data = {
      rangeStart: new Date(at - DAY_MS).toISOString(),
      rangeEnd: new Date(at + DAY_MS).toISOString(),
      environments: [],
      query: 'user.id:test-bot',
    }
    const jobs = createDeletionJobs({ ledger: ledger.ledger, clock })
    const wanted = {
      from: at - DAY_MS,
      to: at + DAY_MS,
      environments: [],
      query: data.query,
      visitor: null,
      names: null,
    }
    const job = await jobs.add(1, 7, wanted)
    // It dies once the deletions are noted and counted, before anything is removed.
    const freeing = { after: () => Promise.reject(new Error('the server was killed')) }
    const dying = createJobRunner({ ...jobParts, deleting: createReplayDeleting({ ...parts, freeing }) })
    for (let deaths = 1; deaths < LIMITS.REPLAY_DELETION_ATTEMPTS; deaths += 1)
      await expect(dying.run()).rejects.toThrow('the server was killed')
    expect(await jobs.find(1, job?.id ?? 0)).toMatchObject({ status: 'in-progress', deleted: 3 })
    await createJobRunner(jobParts).run()
    const { body } = await call(routes, listReplayDeletions, { params: project })
    expect(body.data[0]).toMatchObject({
      id: job?.id,
      status: 'completed',
      countDeleted: 3,
      query: data.query,
      visitor: null,
    })
    expect((await listed()).toSorted()).toEqual([kept, outside].toSorted())
    expect(await Promise.all(ids.map(rowsOf))).toEqual([0, 0, 0])

    const count = async (query: object) =>
      (await call(routes, countReplayDeletion, { params: project, query: query as never })).body.data
    const range = { start: data.rangeStart, end: data.rangeEnd }
    expect(await count(range)).toEqual({
      replays: 1,
      rangeStart: data.rangeStart,
      rangeEnd: data.rangeEnd,
      isWhole: true,
    })
    expect(await count({ ...range, query: 'user.id:somebody' })).toMatchObject({ replays: 1 })
    expect(await count({ ...range, query: data.query })).toMatchObject({ replays: 0 })
    expect(await count({ ...range, query: 'count_errors:0' })).toMatchObject({ replays: 1 })
    expect(await count({ ...range, environment: ['nowhere'] })).toMatchObject({ replays: 0 })
    expect(await count({ statsPeriod: '90d', query: data.query })).toEqual({
      replays: 1,
      rangeStart: expect.stringMatching(/^\d{4}-/),
      rangeEnd: new Date(clock.now()).toISOString(),
      isWhole: true,
    })
    await expect(count({ ...range, query: 'duration:long' })).rejects.toMatchObject({ status: 400 })

    const post = (asked: object) =>
      call(routes, createReplayDeletion, { params: project, body: { data: { ...data, ...asked } } })
    await expect(post({ query: 'duration:long' })).rejects.toMatchObject({ status: 400 })
    await expect(post({ rangeEnd: data.rangeStart })).rejects.toMatchObject({ status: 400 })
    const none = await post({ query: 'user.id:nobody' })
    await createJobRunner(jobParts).run()
    const params = { ...project, job: String(none.body.data.id) }
    expect((await call(routes, getReplayDeletion, { params })).body.data).toMatchObject({
      status: 'completed',
      countDeleted: 0,
    })
    await expect(call(routes, getReplayDeletion, { params: { ...project, job: '999999' } })).rejects.toMatchObject({
      status: 404,
    })
  })

  const DELETED_ISSUE = 7
  const addIssue = (): Promise<unknown> =>
    ledger.ledger.db
      .insertInto('issues')
      .values({
        id: DELETED_ISSUE,
        number: DELETED_ISSUE,
        organization_id: 1,
        project_id: 1,
        type: 'error',
        category: 'error',
        title: 'An issue',
        culprit: '',
        metadata: '{}',
        level: 'error',
        level_rank: 40,
        platform: 'javascript',
        logger: '',
        status: 'unresolved',
        substatus: null,
        status_details: '{}',
        priority: 'high',
        is_unhandled: 0,
        first_seen: 0,
        last_seen: 0,
        times_seen: 1,
        created_at: 0,
        changed_at: 0,
      })
      .execute()
  const addMember = (userId: number): Promise<unknown> =>
    ledger.ledger.db
      .insertInto('members')
      .values({ organization_id: 1, user_id: userId, email: `${userId}@acme.example`, role: 'owner', created_at: 0 })
      .execute()

  it('R104 a deletion whose search names an issue or a person that is gone since ends, and says why', async () => {
    const { db } = ledger.ledger
    const at = RECEIVED_AT - 3 * DAY_MS
    const replays = [await record(at), await record(at + 1000)]
    await addIssue()
    await addMember(7)
    const jobs = createDeletionJobs({ ledger: ledger.ledger, clock })
    const range = { rangeStart: new Date(at - DAY_MS).toISOString(), rangeEnd: new Date(at + DAY_MS).toISOString() }
    const searches = [`!issue:shop-${DELETED_ISSUE}`, 'seen_by_me:false', '!seen_by_id:7']
    const post = (query: string) =>
      call(routes, createReplayDeletion, { params: project, body: { data: { ...range, environments: [], query } } })
    const wanted = { from: at - DAY_MS, to: at + DAY_MS, environments: [], visitor: null, names: null }
    const ids: number[] = []
    for (const query of searches) ids.push((await jobs.add(1, 7, { ...wanted, query }))?.id ?? 0)
    await db.updateTable('issues').set({ deleted_at: clock.now() }).where('id', '=', DELETED_ISSUE).execute()
    await services.viewers.forgetMember(1, 7)
    await db.deleteFrom('members').where('user_id', '=', 7).execute()
    await createJobRunner(jobParts).run()
    expect((await listed()).toSorted()).toEqual(replays.toSorted())
    const ended = await Promise.all(ids.map((id) => jobs.find(1, id)))
    expect(ended.map((job) => [job?.status, job?.deleted])).toEqual(ids.map(() => ['failed', 0]))
    expect(ended[0]?.error).toContain(`The search names the issue shop-${DELETED_ISSUE}, which is not there.`)
    for (const job of ended.slice(1)) expect(job?.error).toContain('no member of the organisation')

    // Neither is it counted, nor asked for.
    for (const query of searches) {
      await expect(post(query)).rejects.toThrow('Without it, replays would be deleted')
      const counted = call(routes, countReplayDeletion, {
        params: project,
        query: { start: range.rangeStart, end: range.rangeEnd, query },
      })
      await expect(counted).rejects.toThrow('Without it, replays would be deleted')
    }
    await addMember(7)
    const { body } = await post('seen_by_me:false')
    await createJobRunner(jobParts).run()
    expect(await jobs.find(1, body.data.id)).toMatchObject({ status: 'completed', deleted: 2 })
    expect(await listed()).toEqual([])
    await db.deleteFrom('members').execute()
    await db.deleteFrom('issues').execute()
  })

  it('R104 whom a deletion means is known when it is asked for: what is deleted or comes meanwhile changes nothing of it', async () => {
    const at = RECEIVED_AT - 3 * DAY_MS
    const [linking, named, other] = [
      await record(at, { user: { id: 'u-ada', email: 'ada@acme.example' } }),
      await record(at + 1000, { user: { email: 'ada@acme.example' } }),
      await record(at + 2000, { user: { email: 'grace@acme.example' } }),
    ]
    const range = { rangeStart: new Date(at - DAY_MS).toISOString(), rangeEnd: new Date(at + DAY_MS).toISOString() }
    const unhurried = { ...jobParts, runner: { run: async () => undefined } }
    const { body } = await call(createDeletionRoutes(unhurried), createReplayDeletion, {
      params: project,
      body: { data: { ...range, environments: [], query: 'visitor:u-ada' } },
    })
    // The first part of it is deleted, and with it what said that both are one; then somebody is recorded under both names.
    await deleting.delete({ organizationId: 1, projectId: 1, replayIds: [linking] })
    const joined = await record(at + 3000, { user: { id: 'u-ada', email: 'grace@acme.example' } })
    await createJobRunner(jobParts).run()
    expect(await jobParts.jobs.find(1, body.data.id)).toMatchObject({ status: 'completed' })
    const left = await listed()
    expect(left).toContain(other)
    for (const gone of [linking, named, joined]) expect(left).not.toContain(gone)
  })

  it('R104 what a deletion keeps of an issue holds when the issue goes, unless it is to be excluded; when the deletion is over, it is kept no more', async () => {
    const { db } = ledger.ledger
    const at = RECEIVED_AT - 3 * DAY_MS
    const replays = [await record(at), await record(at + 1000)]
    await addIssue()
    const range = { rangeStart: new Date(at - DAY_MS).toISOString(), rangeEnd: new Date(at + DAY_MS).toISOString() }
    const unhurried = createDeletionRoutes({ ...jobParts, runner: { run: async () => undefined } })
    const post = async (query: string): Promise<number> => {
      const data = { ...range, environments: [], query }
      return (await call(unhurried, createReplayDeletion, { params: project, body: { data } })).body.data.id
    }
    const ids = [await post(`issue:shop-${DELETED_ISSUE}`), await post(`!issue:shop-${DELETED_ISSUE}`)]
    const kept = () => db.selectFrom('replay_deletion_jobs').select(['id', 'names']).where('id', 'in', ids).execute()
    for (const { names } of await kept()) expect(names).toContain(`SHOP-${DELETED_ISSUE}`)
    await db.updateTable('issues').set({ deleted_at: clock.now() }).where('id', '=', DELETED_ISSUE).execute()
    await createJobRunner(jobParts).run()
    const { jobs } = jobParts
    const [finding, excluding] = await Promise.all(ids.map((id) => jobs.find(1, id)))
    expect(finding).toMatchObject({ status: 'completed', deleted: 0 })
    expect(excluding).toMatchObject({ status: 'failed', deleted: 0 })
    expect(excluding?.error).toContain(`The search names the issue shop-${DELETED_ISSUE}, which is not there.`)
    expect((await listed()).toSorted()).toEqual(replays.toSorted())
    expect(await kept()).toEqual(ids.map((id) => ({ id, names: null })))
    await deleting.delete({ organizationId: 1, projectId: 1, replayIds: replays })
    await db.deleteFrom('issues').execute()
  })

  it('R104 a deletion may not exclude a visitor of whom not all ids and addresses can be known', async () => {
    const at = RECEIVED_AT - 3 * DAY_MS
    const names = [
      { id: 'u-1', email: '1@acme.example' },
      { id: 'u-2', email: '1@acme.example' },
      { id: 'u-2', email: '2@acme.example' },
      { id: 'u-3', email: '2@acme.example' },
      { id: 'u-3', email: '3@acme.example' },
    ]
    const replays: string[] = []
    for (const user of names) replays.push(await record(at, { user }))
    const range = { rangeStart: new Date(at - DAY_MS).toISOString(), rangeEnd: new Date(at + DAY_MS).toISOString() }
    const post = (query: string) =>
      call(routes, createReplayDeletion, { params: project, body: { data: { ...range, environments: [], query } } })
    const refused =
      'Not all ids and e-mail addresses of u-1 are known: they are more than 200, or lead on beyond three steps.'
    await expect(post('!visitor:u-1')).rejects.toThrow(refused)
    const query = { start: range.rangeStart, end: range.rangeEnd, query: '!visitor:u-1' }
    await expect(call(routes, countReplayDeletion, { params: project, query })).rejects.toThrow(refused)
    expect((await listed()).toSorted()).toEqual(replays.toSorted())
    // Who asks for what can be found of them is told that there may be more.
    const counted = async (written: string) =>
      (await call(routes, countReplayDeletion, { params: project, query: { ...query, query: written } })).body.data
    expect(await counted('visitor:u-1')).toMatchObject({ isWhole: false })
    expect(await counted('visitor:u-2')).toMatchObject({ replays: 5, isWhole: true })
    expect(await counted('user.id:u-1')).toMatchObject({ replays: 1, isWhole: true })
    // From the middle all of them are found.
    expect((await post('visitor:u-2')).body.data.status).toBe('pending')
    await createJobRunner(jobParts).run()
    expect(await listed()).toEqual([])
  })

  it('R103 a project keeps replays for fewer days than its organisation, starred or not, and none longer', async () => {
    const [old, young] = [await record(RECEIVED_AT - 8 * DAY_MS), await record(RECEIVED_AT - 6 * DAY_MS)]
    await call(routes, starReplay, { params: { ...project, replay: old } })
    const put = (body: object) => call(routes, updateReplayKeeping, { params: project, body })
    await expect(put({ days: 3650, gigabytes: null })).rejects.toMatchObject({ status: 400 })
    expect((await put({ days: 7, gigabytes: null })).body).toMatchObject({
      days: 7,
      replays: 2,
      starred: 1,
      freed: null,
    })
    const [key = ''] = await keysOf(old)
    await keepWithin()
    expect(await listed()).toEqual([young])
    expect(isThere(key)).toBe(false)
    const { body } = await call(routes, getReplayKeeping, { params: project })
    expect(body).toMatchObject({ replays: 1, starred: 0, starredBytes: 0, freed: { replays: 1 } })
    expect(body.freed?.bytes).toBeGreaterThan(0)
  })

  it('R103 R105 beyond its space the oldest replays of a project go, those of open issues last and starred ones not at all', async () => {
    const at = RECEIVED_AT - 9 * DAY_MS
    const ids: string[] = []
    for (let index = 0; index < 6; index += 1) ids.push(await record(at + index * DAY_MS, { bytes: 40_000 }))
    const [starred = '', open = '', third = '', fourth = '', fifth = '', sixth = ''] = ids
    linked = new Set([open])
    await call(routes, starReplay, { params: { ...project, replay: starred } })
    const chunk = await cut(third, JSON.stringify(noise(50_000)))
    await packs.measure((keys) => blobs.sizes(keys))
    const read = async () => (await call(routes, getReplayKeeping, { params: project })).body
    const before = await read()
    const onDisk = await blobs.sizes([chunk, ...(await Promise.all(ids.map(keysOf))).flat()])
    const stored = [...onDisk.values()].reduce((sum, size) => sum + size, 0)
    // What is said to be taken is what lies on disk.
    expect(before.bytes).toBe(stored)
    const keep = async (bytes: number) => {
      await call(routes, updateReplayKeeping, { params: project, body: { days: null, gigabytes: bytes / 1e9 } })
      await keepWithin()
      return listed()
    }
    expect(await keep(before.bytes)).toEqual(ids)
    const one = (await blobs.sizes(await keysOf(sixth))).get((await keysOf(sixth))[0] ?? '') ?? 0
    expect(await keep(before.bytes - 1000)).toEqual([starred, open, fourth, fifth, sixth])
    expect(isThere(chunk)).toBe(false)
    expect((await read()).freed?.bytes).toBe(before.bytes - (await read()).bytes)
    expect(await keep(one * 3.5)).toEqual([starred, open, sixth])
    expect(await keep(one * 1.5)).toEqual([starred])
    expect(await keep(1000)).toEqual([starred])
    // One that is still recorded is not cut off.
    const live = await record(RECEIVED_AT - 5000, { bytes: 40_000 })
    expect(await keep(1000)).toEqual([starred, live])
    await call(routes, unstarReplay, { params: { ...project, replay: starred } })
    expect(await keep(1000)).toEqual([live])
  })

  it('R103 images of pages count once, however many replays have them, and go with the last one', async () => {
    const at = RECEIVED_AT - 9 * DAY_MS
    const ids: string[] = []
    for (let index = 0; index < 3; index += 1) ids.push(await record(at + index * DAY_MS))
    const [, two = '', three = ''] = ids
    const picture = async (url: string, bytes: number, replayIds: readonly string[]): Promise<string> => {
      const content = Buffer.from(noise(bytes))
      const named = replayIds.map((replayId) => ({
        organizationId: 1,
        projectId: 1,
        replayId,
        addresses: [url],
        leftOut: [],
      }))
      await ledger.ledger.transaction((transaction) => noteAssets(transaction, named, clock.now()))
      const [waiting] = await assets.due()
      const [key = ''] = await blobs.put([{ organizationId: 1, bytes: content }])
      if (waiting === undefined) throw new Error('nothing waits')
      await assets.keep(waiting, { key, type: 'image/png', bytes, imports: [], parts: [], leftOut: 0 })
      return key
    }
    const read = async () => (await call(routes, getReplayKeeping, { params: project })).body
    const without = (await read()).bytes
    const shared = await picture('https://cdn.example/all.png', 50_000, ids)
    const own = await picture('https://cdn.example/two.png', 20_000, [two])
    await call(routes, starReplay, { params: { ...project, replay: two } })
    expect(await read()).toMatchObject({ bytes: without + 70_000 })
    expect((await read()).starredBytes).toBeGreaterThan(70_000)
    await call(routes, unstarReplay, { params: { ...project, replay: two } })
    const keep = async (bytes: number) => {
      await call(routes, updateReplayKeeping, { params: project, body: { days: null, gigabytes: bytes / 1e9 } })
      await keepWithin()
      return listed()
    }
    // The first alone frees nothing of what the others have; the second frees its own.
    expect(await keep(without + 60_000)).toEqual([three])
    expect([shared, own].map(isThere)).toEqual([true, false])
    expect((await read()).bytes).toBeGreaterThan(50_000)
    expect(await keep(50_000)).toEqual([])
    expect(isThere(shared)).toBe(false)
    expect(await read()).toMatchObject({ bytes: 0 })
  })

  it('R105 a star is shown and found', async () => {
    const [one, other] = [await record(RECEIVED_AT - 9000), await record(RECEIVED_AT - 8000)]
    await call(routes, starReplay, { params: { ...project, replay: one } })
    await call(routes, starReplay, { params: { ...project, replay: one } })
    expect(await listed('is:starred')).toEqual([one])
    expect(await listed('!is:starred')).toEqual([other])
    await expect(listed('is:kept')).rejects.toThrow('"is" takes starred')
    expect(await listed('is_starred:true')).toEqual([one])
    expect(await listed('!is_starred:TRUE')).toEqual([other])
    expect(await listed('is_starred:false')).toEqual([other])
    expect(await listed('is_starred:[]')).toEqual([])
    await expect(listed('is_starred:maybe')).rejects.toThrow('"is_starred" takes true or false.')
    const shown = async (replay: string) => (await call(routes, getReplay, { params: { replay } })).body.data.is_starred
    expect([await shown(one), await shown(other)]).toEqual([true, false])
    await call(routes, unstarReplay, { params: { ...project, replay: one } })
    expect(await listed('is:starred')).toEqual([])
    await expect(call(routes, starReplay, { params: { ...project, replay: newId() } })).rejects.toMatchObject({
      status: 404,
    })
  })
})
