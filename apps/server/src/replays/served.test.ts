import {
  createReplayDeletion,
  deleteReplay,
  getReplayDeletion,
  getReplayJourney,
  getReplayPlayback,
  getReplayRequest,
  getReplayVisitor,
  listReplays,
  updateReplayKeeping,
} from '@firsthand/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { effectiveScopes } from '../accounts/index.ts'
import { RECEIVED_AT } from '../event/normalise/digest-item.fixture.ts'
import { callRoute } from '../explore/test/call.ts'
import { DAY_MS } from '../lib/durations.ts'
import { LEDGER_ENGINES, silentLogger } from '../storage/conformance/engines.ts'
import { createRetention } from '../storage/index.ts'
import { noteBlobs, noteBlobsUntil } from '../storage/ledger/note-blobs.ts'
import { releaseBlobs } from '../storage/ledger/release-blobs.ts'
import { createDeletionJobs } from './ledger/deletion-jobs.ts'
import { createReplayDeletions, type CountingJob } from './ledger/replay-deletions.ts'
import { createReplayPacks } from './ledger/replay-packs.ts'
import { span } from './replay.fixture.ts'
import { openServedReplays, type ServedReplays } from './served.fixture.ts'

/** Replays as `serve.ts` puts them together: no test of one part sees what is missing from its lists. */

const project = { project: 'shop' }

let lastId = 0xdef000
const newId = (): string => (lastId++).toString(16).padStart(32, '0')

describe.each(LEDGER_ENGINES)('replays as they are served, with a ledger on $name', (engine) => {
  let own: ServedReplays

  beforeAll(async () => {
    own = await openServedReplays(engine)
  }, 60_000)
  afterAll(() => own.close())
  beforeEach(() => own.clock.set(RECEIVED_AT))

  const tablesOfReplays = async () =>
    (await own.ledger.db.introspection.getTables()).filter(
      ({ columns, name: table }) => table.startsWith('replay_') && columns.some(({ name }) => name === 'replay_id'),
    )
  type Table = Awaited<ReturnType<typeof tablesOfReplays>>[number]

  /** Whatever the table is, with something in each column that must have something. */
  const seed = async ({ columns, name }: Table, replayId: string): Promise<void> => {
    const known: Readonly<Record<string, unknown>> = {
      project_id: 1,
      replay_id: replayId,
      user_id: 7,
      created_by: 7,
      chunks: '[]',
    }
    const values = columns
      .filter((column) => !column.isAutoIncrementing && !column.isNullable)
      .map((column) => [column.name, known[column.name] ?? (/int/i.test(column.dataType) ? 1 : replayId)] as const)
    await own.ledger.db
      .insertInto(name as 'replay_views')
      .values(Object.fromEntries(values) as never)
      .execute()
  }
  const rowsIn = async ({ name }: Table, replayId: string): Promise<number> =>
    (
      await own.ledger.db
        .selectFrom(name as 'replay_views')
        .select('replay_id')
        .where('replay_id', '=', replayId)
        .execute()
    ).length

  it('R101 of a deleted replay no table of the ledger has a row but the one that says that it was deleted', async () => {
    const [replay, other] = [newId(), newId()]
    for (const one of [replay, other]) await own.record(one, RECEIVED_AT - 5000)
    const tables = (await tablesOfReplays()).filter(({ name }) => name !== 'replay_deletions')
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['replay_links', 'replay_packs', 'replay_stars', 'replay_views']),
    )
    for (const table of tables) for (const one of [replay, other]) await seed(table, one)
    await callRoute(own.routes, deleteReplay, { params: { ...project, replay } })
    for (const table of tables) {
      const left = { table: table.name, deleted: await rowsIn(table, replay), other: await rowsIn(table, other) }
      expect(left).toEqual({ table: table.name, deleted: 0, other: 1 })
    }
  })

  const addIssue = async (id: number, mergedInto: number | null): Promise<void> => {
    const words = {
      type: 'error',
      category: 'error',
      title: `Issue ${id}`,
      culprit: '',
      metadata: '{}',
      level: 'error',
    }
    const times = { first_seen: 0, last_seen: 0, times_seen: 1, created_at: 0, changed_at: 0 }
    await own.ledger.db
      .insertInto('issues')
      .values({
        id,
        number: id,
        organization_id: 1,
        project_id: 1,
        ...words,
        ...times,
        status: 'unresolved',
        substatus: null,
        status_details: '{}',
        priority: 'high',
        level_rank: 40,
        platform: 'javascript',
        logger: '',
        is_unhandled: 0,
        merged_into_id: mergedInto,
      })
      .execute()
  }
  const addError = (replayId: string, issueId: number, at: number) =>
    own.client.insert({
      table: 'events',
      format: 'JSONEachRow',
      values: [
        {
          organization_id: 1,
          project_id: 1,
          issue_id: issueId,
          event_id: newId(),
          timestamp: at,
          received: at,
          level: 'error',
          replay_id: replayId,
        },
      ],
    })
  const isThere = async (replayId: string): Promise<boolean> => {
    const { rows } = await own.client
      .query({
        query: 'SELECT 1 FROM replay_segments WHERE replay_id = toUUIDOrZero({id:String})',
        query_params: { id: replayId },
        format: 'JSON',
      })
      .then((result) => result.json())
    return (rows ?? 0) > 0
  }

  it('R103 an error whose issue was merged into an open one spares its replay, and is told with the open one', async () => {
    const [merged, free] = [newId(), newId()]
    const at = RECEIVED_AT - 3 * DAY_MS
    await own.record(merged, at)
    await own.record(free, at + DAY_MS)
    await addIssue(61, null)
    await addIssue(62, 61)
    await addError(merged, 62, at + 1)
    const { body } = await callRoute(own.routes, getReplayPlayback, { params: { replay: merged } })
    expect(body.marks.find(({ kind }) => kind === 'error')?.detail).toMatchObject({ issueId: '61', shortId: 'SHOP-1X' })
    const bytes = body.segments.reduce((sum, one) => sum + one.bytes, 0)
    // There is room for one of the two, and the older one goes first unless an open issue needs it.
    await own.client.command({
      query: 'DELETE FROM replay_segments WHERE replay_id NOT IN {ids:Array(UUID)}',
      query_params: { ids: [merged, free] },
    })
    const limits = { days: null, gigabytes: (bytes * 1.5) / 1e9 }
    await callRoute(own.routes, updateReplayKeeping, { params: project, body: limits })
    await own.runJob('replays beyond the limits of their project')
    await callRoute(own.routes, updateReplayKeeping, { params: project, body: { days: null, gigabytes: null } })
    expect([await isThere(merged), await isThere(free)]).toEqual([true, false])
  })

  it('R54 requests of phones are opened like those of pages, also where both began at once', async () => {
    const replay = newId()
    const at = RECEIVED_AT - 5000
    const request = (op: string, description: string, body: string) =>
      span(at, op, { description, data: { method: 'get', statusCode: 200, response: { body } } })
    const events = [
      request('resource.http', 'https://api.example/native', 'of the app'),
      request('resource.fetch', 'https://api.example/page', 'of the page'),
    ]
    await own.record(replay, at, { events })
    const { marks } = (await callRoute(own.routes, getReplayPlayback, { params: { replay } })).body
    const found = await Promise.all(
      marks.map(async ({ id: mark }) => callRoute(own.routes, getReplayRequest, { params: { replay, mark } })),
    )
    expect(found.map(({ body: { request: one } }) => [one?.url, one?.status, one?.response?.body])).toEqual([
      ['https://api.example/native', 200, 'of the app'],
      ['https://api.example/page', 200, 'of the page'],
    ])
  })

  it('R24 R102 a visitor’s e-mail address is the same in either case, for journeys, searches and deletions alike', async () => {
    const at = RECEIVED_AT - 40 * DAY_MS
    const user = { id: 'u-grace', email: 'Grace@Navy.example' }
    const [upper, lower, byId, other] = [newId(), newId(), newId(), newId()]
    await own.record(upper, at, { user: { email: user.email } })
    await own.record(lower, at + 60_000, { user: { ...user, email: 'grace@navy.example' } })
    await own.record(byId, at + 120_000, { user: { id: user.id } })
    await own.record(other, at + 180_000, { user: { email: 'grace@army.example' } })
    // Of nobody is known who it is.
    const nobody = newId()
    await own.record(nobody, at + 180_000)

    const { body: journey } = await callRoute(own.routes, getReplayJourney, { params: { replay: upper } })
    expect(journey.replays.map(({ id }) => id)).toEqual([upper, lower, byId])
    const listed = async (query: string) =>
      (
        await callRoute(own.routes, listReplays, {
          query: { project: ['shop'], query, statsPeriod: '90d', sort: 'started_at' },
        })
      ).body.data.map(({ id }) => id)
    expect(await listed('visitor:GRACE@navy.example')).toEqual([upper, lower, byId])
    expect(await listed('visitor:""')).toEqual([])
    const counted = async (query: Readonly<Record<string, string>>) =>
      (await callRoute(own.routes, getReplayVisitor, { params: project, query })).body.data.replays
    expect([await counted({ email: 'GRACE@navy.example' }), await counted({ replay: upper })]).toEqual([2, 2])

    const data = { visitor: { replay: upper } }
    await callRoute(own.routes, createReplayDeletion, { params: project, body: { data } })
    await own.runJob('deletions of many replays')
    // No more than the journey has: an id that stands beside the address elsewhere is not followed.
    expect([await isThere(upper), await isThere(lower), await isThere(byId)]).toEqual([false, false, true])
    expect([await isThere(other), await isThere(nobody)]).toEqual([true, true])
  })

  it('R24 R38 a visitor whose address changed on the way is one, for journeys and searches alike', async () => {
    const at = RECEIVED_AT - 45 * DAY_MS
    const [changed, later] = [newId(), newId()]
    await own.record(changed, at, { user: { id: 'u-joan', email: 'joan@old.example' } })
    await own.record(changed, at + 5000, { segmentId: 1, user: { id: 'u-joan', email: 'joan@new.example' } })
    await own.record(later, at + 60_000, { user: { email: 'joan@new.example' } })
    const { body: journey } = await callRoute(own.routes, getReplayJourney, { params: { replay: changed } })
    expect(journey.replays.map(({ id }) => id)).toEqual([changed, later])
    const query = { project: ['shop'], query: 'visitor:u-joan', statsPeriod: '90d', sort: 'started_at' }
    const { body: list } = await callRoute(own.routes, listReplays, { query })
    expect(list.data.map(({ id }) => id)).toEqual([changed, later])
  })

  it('R104 a deletion says what it freed itself, and not what others had let go before it', async () => {
    const replay = newId()
    await own.record(replay, RECEIVED_AT - 50 * DAY_MS, { user: { id: 'u-freed' } })
    const waiting = Buffer.from(Array.from({ length: 2000 }, () => newId()).join(' '))
    const keys = await own.blobs.put([{ organizationId: 1, bytes: waiting }])
    await releaseBlobs(own.ledger.db, keys)
    const before = await own.ledger.db.selectFrom('blobs').select('bytes').where('key', 'not in', keys).execute()
    const data = { visitor: { userId: 'u-freed' } }
    const { body } = await callRoute(own.routes, createReplayDeletion, { params: project, body: { data } })
    await own.runJob('deletions of many replays')
    const params = { ...project, job: String(body.data.id) }
    const { bytesFreed } = (await callRoute(own.routes, getReplayDeletion, { params })).body.data
    expect(bytesFreed).toBeGreaterThan(0)
    expect(bytesFreed).toBeLessThanOrEqual(before.reduce((sum, { bytes }) => Math.max(sum, bytes), 0))
    expect(await own.blobs.get(keys[0] ?? '')).toBeNull()
  })

  it('R104 what a deletion of many had only noted when the server was killed counts for it when the next one goes on', async () => {
    const replay = newId()
    await own.record(replay, RECEIVED_AT - 40 * DAY_MS)
    const jobs = createDeletionJobs(own)
    const wanted = { from: null, to: null, environments: [], query: 'os.name:none', visitor: null, names: null }
    const { id = 0 } = (await jobs.add(1, 7, wanted)) ?? {}
    const noted = { organizationId: 1, projectId: 1, replayIds: [replay] }
    const count = (...[transaction, added]: Parameters<CountingJob['count']>) => jobs.count(transaction, id, added)
    await createReplayDeletions(own).note(noted, { id, count })
    await own.runJob('deleted replays')
    const { freedBytes, deleted } = (await jobs.find(1, id)) ?? {}
    expect(deleted).toBe(1)
    expect(freedBytes).toBeGreaterThan(0)
    await own.runJob('deletions of many replays')
    expect(await jobs.find(1, id)).toMatchObject({ status: 'completed', freedBytes })
  })

  /** Retention of replays alone, as the server runs it. */
  const retain = async (): Promise<void> => {
    const retention = createRetention({
      ledger: own.ledger,
      client: own.client,
      blobs: own.blobs,
      clock: own.clock,
      logger: silentLogger,
      tables: [],
      parts: [own.served.retention ?? {}],
    })
    await retention.run()
    await retention.close()
  }
  const cut = async (projectId: number, at: number): Promise<string> => {
    const [key = ''] = await own.blobs.put([{ organizationId: 1, bytes: Buffer.from(`["${newId()}"]`) }])
    await createReplayPacks(own).save(
      { organizationId: 1, projectId, replayId: newId() },
      { version: 1, segments: 1, lastAt: at, chunks: [{ from: at, to: at, bytes: 1, nodes: 1, key }] },
    )
    return key
  }
  const holdersOf = async (key: string): Promise<number> =>
    (await own.ledger.db.selectFrom('blob_holders').select('holder').where('key', '=', key).execute()).length

  it('R103 chunks go when an organisation keeps its data for fewer days than when they were cut', async () => {
    const [old, young] = [await cut(1, RECEIVED_AT - 20 * DAY_MS), await cut(1, RECEIVED_AT - DAY_MS)]
    const keep = (days: number) => own.ledger.db.updateTable('organizations').set({ retention_days: days }).execute()
    await keep(10)
    await retain()
    await own.runJob('deleted replays')
    await keep(90)
    const left = [old, young].map(async (key) => [await holdersOf(key), (await own.blobs.get(key)) !== null])
    expect(await Promise.all(left)).toEqual([
      [0, false],
      [1, true],
    ])
  })

  it('R103 recordings go by the days that their organisation keeps data now, not by those of when they came', async () => {
    const [old, young] = [newId(), newId()]
    await own.record(old, RECEIVED_AT - 20 * DAY_MS)
    await own.record(young, RECEIVED_AT - 5 * DAY_MS)
    const keyOf = async (replayId: string): Promise<string> => {
      const result = await own.client.query({
        query: "SELECT blob_key AS key FROM replay_segments WHERE replace(toString(replay_id), '-', '') = {id:String}",
        query_params: { id: replayId },
        format: 'JSONEachRow',
      })
      return (await result.json<{ key: string }>())[0]?.key ?? ''
    }
    const keys = [await keyOf(old), await keyOf(young)]
    const keep = (days: number) => own.ledger.db.updateTable('organizations').set({ retention_days: days }).execute()
    const areThere = async () => Promise.all(keys.map(async (key) => (await own.blobs.get(key)) !== null))
    await retain()
    expect(await areThere()).toEqual([true, true])
    await keep(10)
    await retain()
    await keep(90)
    expect(await areThere()).toEqual([false, true])
    // For longer as well: what came under fewer days stays with its rows.
    const [key = ''] = await own.blobs.put([{ organizationId: 1, bytes: Buffer.from('of shorter days') }])
    await keep(10)
    await own.ledger.transaction((transaction) =>
      noteBlobs(transaction, [{ key, organizationId: 1, bytes: 15, receivedAt: RECEIVED_AT - 9 * DAY_MS }]),
    )
    await keep(90)
    own.clock.set(RECEIVED_AT + 2 * DAY_MS)
    // What is about to be named stays for its hour, also when the days become fewer meanwhile, and goes after it.
    const [underWay = ''] = await own.blobs.put([{ organizationId: 1, bytes: Buffer.from('under way') }])
    const noted = [{ key: underWay, organizationId: 1, bytes: 9 }]
    await noteBlobsUntil(own.ledger.db, noted, own.clock.now() + 1)
    await retain()
    expect(await own.blobs.get(key)).not.toBeNull()
    await keep(10)
    await retain()
    await keep(90)
    expect([await own.blobs.get(key), await own.blobs.get(underWay)]).toEqual([null, expect.anything()])
    own.clock.set(own.clock.now() + 2)
    await retain()
    expect(await own.blobs.get(underWay)).toBeNull()
  })

  it('R99 links of a member go when they may share nothing any more, and stay with any other role', async () => {
    const replayId = newId()
    const link = { project_id: 1, replay_id: replayId, created_by: 7, created_at: RECEIVED_AT, views: 0 }
    await own.ledger.db
      .insertInto('replay_links')
      .values({
        ...link,
        token_hash: replayId,
        expires_at: RECEIVED_AT + DAY_MS,
        shown_from: null,
        shown_to: null,
        last_viewed_at: null,
      })
      .execute()
    const left = async () =>
      (await own.ledger.db.selectFrom('replay_links').select('id').where('replay_id', '=', replayId).execute()).length
    await own.served.roleChanged?.(1, 7, effectiveScopes('member', null))
    expect(await left()).toBe(1)
    await own.served.roleChanged?.(1, 7, effectiveScopes('viewer', null))
    expect(await left()).toBe(0)
  })

  it('R103 chunks of a deleted project go with it, and links when they have ended', async () => {
    const [gone, stays] = [await cut(2, RECEIVED_AT), await cut(1, RECEIVED_AT)]
    await own.served.retention?.forgetProject?.(2, new AbortController().signal)
    await own.runJob('deleted replays')
    const left = [gone, stays].map(async (key) => [await holdersOf(key), (await own.blobs.get(key)) !== null])
    expect(await Promise.all(left)).toEqual([
      [0, false],
      [1, true],
    ])
    const link = { project_id: 1, replay_id: newId(), created_by: 7, created_at: 0, views: 0 }
    const ends = { shown_from: null, shown_to: null, last_viewed_at: null }
    await own.ledger.db
      .insertInto('replay_links')
      .values([
        { ...link, ...ends, token_hash: 'ended', expires_at: RECEIVED_AT },
        { ...link, ...ends, token_hash: 'open', expires_at: RECEIVED_AT + 1 },
      ])
      .execute()
    await retain()
    const links = await own.ledger.db
      .selectFrom('replay_links')
      .select('token_hash')
      .where('replay_id', '=', link.replay_id)
      .execute()
    expect(links).toEqual([{ token_hash: 'open' }])
  })
})
