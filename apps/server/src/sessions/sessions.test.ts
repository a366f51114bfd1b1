import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { querySessions } from '@firsthand/contract'
import { parseEnvelope } from '@firsthand/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../accounts/index.ts'
import { digestItem, RECEIVED_AT } from '../event/normalise/digest-item.fixture.ts'
import type { DigestItem, ItemKind, StoredEntry } from '../ingest/index.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/durations.ts'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import { createRowWriter } from '../storage/telemetry/row-writer.ts'
import { crashFree, sessionsOf, usersOf, type Counts } from './counts.ts'
import { createSessionCountItems } from './session-count-items.ts'
import { createSessionItems } from './session-items.ts'
import { createSessionRoutes } from './sessions.routes.ts'
import { createSessionCounter, type CountedSessions, type SessionCounter } from './telemetry/count-sessions.ts'
import { createUserNumber } from './user-number.ts'

const STARTED = RECEIVED_AT - HOUR_MS
const EVERYTHING = { sql: '1', params: {} }

/** An update as SDKs write it. */
interface Sent {
  readonly sid: string
  readonly init?: boolean
  readonly started?: string
  readonly timestamp?: string
  readonly status?: string
  readonly errors?: number
  readonly seq?: number
  readonly did?: string
  readonly duration?: number
  readonly attrs?: Readonly<Record<string, string>>
}

const sid = (number: number): string => number.toString(16).padStart(32, 'a')
const at = (seconds: number): string => new Date(STARTED + seconds * 1000).toISOString()
const update = (sent: Sent): Sent => ({
  started: at(0),
  timestamp: at(0),
  status: 'ok',
  errors: 0,
  attrs: { release: 'web@1.0.0', environment: 'production' },
  ...sent,
})

const permutations = <Value>(values: readonly Value[]): Value[][] =>
  values.length < 2
    ? [[...values]]
    : values.flatMap((value, place) => permutations(values.toSpliced(place, 1)).map((rest) => [value, ...rest]))

describe.each(TELEMETRY_ENGINES)('sessions on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let counter: SessionCounter
  let kinds: Readonly<Record<string, ItemKind>>
  let batches = 0
  let projects = 100

  beforeAll(async () => {
    opened = await open()
    counter = createSessionCounter(opened.telemetry.client)
    const parts = {
      writer: createRowWriter({ client: opened.telemetry.client }),
      userNumber: createUserNumber(new Uint8Array(32)),
    }
    kinds = { session: createSessionItems(parts), sessions: createSessionCountItems(parts) }
  })
  afterAll(() => opened.close())

  /** @returns reasons of what was not taken */
  const store = async (items: readonly DigestItem[]): Promise<string[]> => {
    const dropped: string[] = []
    for (const item of items) {
      const kind = kinds[item.item.header.type]
      const expanded = kind?.expand(item, { settings: DEFAULT_PROJECT_SETTINGS, siblings: [item.item] })
      if (kind === undefined || expanded === undefined) throw new Error('There is no kind for it.')
      if (!expanded.ok) {
        dropped.push(expanded.error.outcome.reason)
        continue
      }
      batches += 1
      const arrival = `arrival ${batches}`
      const entry: StoredEntry<unknown, unknown, unknown> = {
        entry: { item, value: expanded.value, id: () => arrival, followers: 0 },
        ready: undefined,
        stored: null,
      }
      expect(await kind.write?.([entry], { token: `s:${batches}`, again: false })).toEqual(new Map())
    }
    return dropped
  }

  const inProject = (projectId: number, payload: unknown, type = 'session', sentAt: number | null = null): DigestItem =>
    digestItem(payload, { type, sender: { projectId }, header: { sentAt } })

  const scope = (projectId: number, more: Partial<CountedSessions> = {}): CountedSessions => ({
    organizationId: 1,
    projectIds: [projectId],
    environments: [],
    period: { from: RECEIVED_AT - DAY_MS, to: RECEIVED_AT + MINUTE_MS },
    filter: EVERYTHING,
    groupBy: [],
    withDurations: false,
    ...more,
  })

  const countsOf = async (projectId: number, more: Partial<CountedSessions> = {}): Promise<Counts | undefined> =>
    (await counter.groups(scope(projectId, more)))[0]?.counts

  /** What was made of updates, in a project of their own. */
  const outcomeOf = async (updates: readonly Sent[]): Promise<Counts | undefined> => {
    projects += 1
    await store(updates.map((sent) => inProject(projects, update(sent))))
    return countsOf(projects)
  }

  it('L88: one that begins and ends is one healthy session', async () => {
    const counts = await outcomeOf([
      { sid: sid(1), init: true },
      { sid: sid(1), status: 'exited', timestamp: at(9), duration: 9 },
    ])
    expect(counts).toMatchObject({ total: 1, errored: 0, crashed: 0, abnormal: 0, unhandled: 0 })
    expect(counts === undefined ? null : sessionsOf(counts, 'healthy')).toBe(1)
  })

  it.each([
    ['numbered', (place: number) => ({ seq: place })],
    ['not numbered', () => ({})],
  ])('L89: updates in any order, and twice, are the same session, when they are %s', async (_name, numbered) => {
    const updates: Sent[] = [
      { sid: sid(2), init: true, did: 'ann', ...numbered(1) },
      { sid: sid(2), timestamp: at(1), errors: 1, did: 'ann', ...numbered(2) },
      { sid: sid(2), timestamp: at(2), errors: 2, did: 'bob', ...numbered(3) },
      { sid: sid(2), timestamp: at(3), errors: 2, status: 'exited', duration: 3, ...numbered(4) },
    ]
    const orders = permutations(updates)
    expect(orders).toHaveLength(24)
    const first = projects + 1
    await store(
      orders.flatMap((order) => {
        projects += 1
        return [...order, order[0] ?? { sid: sid(2) }].map((sent) => inProject(projects, update(sent)))
      }),
    )
    const projectIds = Array.from({ length: orders.length }, (_, index) => first + index)
    const groups = await counter.groups(scope(0, { projectIds, groupBy: ['project'], withDurations: true }))
    expect(groups).toHaveLength(24)
    for (const { counts } of groups) {
      expect(counts).toMatchObject({ total: 1, errored: 1, users: 1, usersUnhealthy: 1, crashed: 0 })
      expect(counts.durations).toEqual(Array.from({ length: 7 }, () => 3000))
    }
  })

  it('L90: what crashed stays crashed, whatever is said later', async () => {
    const counts = await outcomeOf([
      { sid: sid(3), init: true, seq: 1 },
      { sid: sid(3), status: 'crashed', errors: 1, timestamp: at(1), seq: 2 },
      { sid: sid(3), status: 'exited', errors: 1, timestamp: at(2), seq: 3 },
    ])
    expect(counts).toMatchObject({ total: 1, crashed: 1, errored: 0 })
  })

  it('L91: an error is counted once, though the session goes on well', async () => {
    const counts = await outcomeOf([
      { sid: sid(4), init: true },
      { sid: sid(4), errors: 1, timestamp: at(1) },
      { sid: sid(4), errors: 0, timestamp: at(2) },
    ])
    expect(counts).toMatchObject({ total: 1, errored: 1 })
  })

  it('L92: a crash whose beginning was lost is one session, and no rate is below nothing', async () => {
    const counts = await outcomeOf([{ sid: sid(5), status: 'crashed', errors: 1 }])
    expect(counts).toMatchObject({ total: 1, crashed: 1 })
    expect(counts === undefined ? null : crashFree(counts.crashed, counts.total)).toBe(0)
    expect(counts === undefined ? null : sessionsOf(counts, 'healthy')).toBe(0)
  })

  it('L93: an error that nobody handled has a count of its own, and is no crash', async () => {
    const counts = await outcomeOf([{ sid: sid(6), init: true, status: 'unhandled', errors: 1, did: 'ann' }])
    expect(counts).toMatchObject({ total: 1, unhandled: 1, crashed: 0, errored: 0, usersCrashed: 0, usersUnhandled: 1 })
  })

  it('L94: counts of servers are added up; an envelope that comes twice counts once, equal ones of two servers twice', async () => {
    projects += 1
    const payload = {
      aggregates: [
        { started: at(0), exited: 5, errored: 2, crashed: 1 },
        { started: at(60), exited: 3, abnormal: 1, unhandled: 2 },
      ],
      attrs: { release: 'api@1.0.0' },
    }
    const send = (sentAt: number | null) => store([inProject(projects, payload, 'sessions', sentAt)])
    const once = { total: 14, errored: 2, crashed: 1, abnormal: 1, unhandled: 2, users: 0 }
    await send(RECEIVED_AT - 10)
    await send(RECEIVED_AT - 10)
    expect(await countsOf(projects)).toMatchObject(once)
    await send(RECEIVED_AT - 9)
    expect(await countsOf(projects)).toMatchObject({ total: 28, crashed: 2 })
    // Who does not say when it was sent has two servers rather than one that repeats itself.
    await send(null)
    await send(null)
    expect(await countsOf(projects)).toMatchObject({ total: 56, crashed: 4 })
  })

  it('L95: an id of zeros is nobody', async () => {
    const counts = await outcomeOf([
      { sid: sid(7), init: true, did: '00000000-0000-0000-0000-000000000000' },
      { sid: sid(8), init: true, did: '' },
      { sid: sid(9), init: true, did: '0' },
    ])
    expect(counts).toMatchObject({ total: 3, users: 1 })
  })

  it('L96: who had one crash in ten sessions is no user without crashes', async () => {
    const counts = await outcomeOf(
      Array.from({ length: 10 }, (_, index) => ({
        sid: sid(20 + index),
        init: true,
        did: 'ann',
        status: index === 4 ? 'crashed' : 'exited',
      })).concat([{ sid: sid(40), init: true, did: 'bob', status: 'exited' }]),
    )
    expect(counts).toMatchObject({ total: 11, crashed: 1, users: 2, usersCrashed: 1 })
    expect(counts === undefined ? null : usersOf(counts, 'healthy')).toBe(1)
  })

  it('L99: a session counts when it began: four days late it does, six days late it is refused by name', async () => {
    projects += 1
    const began = (ago: number, more: Partial<Sent>): DigestItem =>
      inProject(projects, update({ sid: sid(50), started: new Date(RECEIVED_AT - ago).toISOString(), ...more }))
    const period = { from: RECEIVED_AT - 4 * DAY_MS, to: RECEIVED_AT - 4 * DAY_MS + HOUR_MS }
    expect(await store([began(4 * DAY_MS, { init: true })])).toEqual([])
    expect(await countsOf(projects, { period })).toMatchObject({ total: 1, crashed: 0 })
    expect(await store([began(4 * DAY_MS, { status: 'crashed' })])).toEqual([])
    expect(await countsOf(projects, { period })).toMatchObject({ total: 1, crashed: 1 })
    expect(await store([began(6 * DAY_MS, {}), began(-5 * MINUTE_MS, {})])).toEqual([
      'session_too_old',
      'session_in_future',
    ])
  })

  it('L100: numbers are the same before and after the engine merges what it has', async () => {
    projects += 1
    const updates = [
      update({ sid: sid(60), init: true, did: 'ann' }),
      update({ sid: sid(60), timestamp: at(1), errors: 1 }),
      update({ sid: sid(60), timestamp: at(2), status: 'crashed', errors: 1 }),
      update({ sid: sid(61), init: true, status: 'exited', duration: 2 }),
    ]
    await store([...updates, ...updates].map((sent) => inProject(projects, sent)))
    const payload = { aggregates: [{ started: at(0), exited: 3 }], attrs: { release: 'web@1.0.0' } }
    await store([1, 1, 2].map((sentAt) => inProject(projects, payload, 'sessions', RECEIVED_AT + sentAt)))
    const before = await countsOf(projects, { withDurations: true })
    expect(before).toMatchObject({ total: 8, crashed: 1, users: 1 })
    for (const table of ['session_updates', 'session_counts']) {
      await opened.telemetry.client.command({ query: `OPTIMIZE TABLE ${table} FINAL` })
    }
    expect(await countsOf(projects, { withDurations: true })).toEqual(before)
  })

  it('takes no session without an id, a beginning or a release, and no other organisation sees one', async () => {
    projects += 1
    const attrs = { environment: 'production' }
    expect(
      await store(
        [{}, [], { sid: 'x', started: at(0) }, { sid: sid(70), attrs }, update({ sid: sid(70), attrs })].map((one) =>
          inProject(projects, one),
        ),
      ),
    ).toEqual(['invalid_session', 'invalid_session', 'invalid_session', 'invalid_session', 'invalid_release'])
    expect(await store([inProject(projects, { aggregates: [{}], attrs: { release: 'a@1' } }, 'sessions')])).toEqual([
      'invalid_session',
    ])
    await store([inProject(projects, update({ sid: sid(70) }))])
    expect((await counter.groups(scope(projects)))[0]?.counts.total).toBe(1)
    expect((await counter.groups(scope(projects, { organizationId: 2 })))[0]?.counts.total ?? 0).toBe(0)
  })

  /** What the endpoint answers about one project. */
  const answer = async (projectId: number, query: Readonly<Record<string, unknown>>) => {
    const [route] = createSessionRoutes({
      sessions: counter,
      projects: () => Promise.resolve([{ id: projectId, slug: 'web', name: 'Web', platform: '', settings: '' }]),
      clock: { now: () => RECEIVED_AT },
    })
    const request = { organization: { id: 1 } } as never
    const reply = await route?.handle({ params: {}, query: querySessions.query.parse(query), body: null, request })
    if (reply === undefined || !('body' in reply)) throw new Error('There is no answer.')
    return querySessions.ok.parse(reply.body)
  }

  it('L101: answers in the shape of Sentry: steps, groups, four statuses, durations of healthy sessions in milliseconds', async () => {
    projects += 1
    await store(
      [
        update({ sid: sid(80), init: true, did: 'ann', status: 'exited', duration: 2 }),
        update({ sid: sid(81), init: true, did: 'bob', status: 'crashed', errors: 1 }),
        update({ sid: sid(82), init: true, attrs: { release: 'web@2.0.0' } }),
      ].map((sent) => inProject(projects, sent)),
    )
    const asked = { field: ['sum(session)', 'count_unique(user)'], statsPeriod: '3h', interval: '1h' }
    const byRelease = await answer(projects, { ...asked, groupBy: ['release', 'project'], orderBy: '-sum(session)' })
    expect(byRelease).toEqual({
      start: '2026-11-20T20:00:00.000Z',
      end: '2026-11-20T23:00:00.000Z',
      query: '',
      intervals: ['2026-11-20T20:00:00.000Z', '2026-11-20T21:00:00.000Z', '2026-11-20T22:00:00.000Z'],
      groups: [
        {
          by: { project: projects, release: 'web@1.0.0' },
          totals: { 'sum(session)': 2, 'count_unique(user)': 2 },
          series: { 'sum(session)': [0, 2, 0], 'count_unique(user)': [0, 2, 0] },
        },
        {
          by: { project: projects, release: 'web@2.0.0' },
          totals: { 'sum(session)': 1, 'count_unique(user)': 0 },
          series: { 'sum(session)': [0, 1, 0], 'count_unique(user)': [0, 0, 0] },
        },
      ],
    })
    const byStatus = await answer(projects, {
      field: ['sum(session)', 'p50(session.duration)'],
      groupBy: ['session.status'],
      query: '!release:web@2*',
      includeSeries: '0',
      statsPeriod: '3h',
    })
    expect(byStatus.groups).toEqual([
      { by: { 'session.status': 'healthy' }, totals: { 'sum(session)': 1, 'p50(session.duration)': 2000 } },
      { by: { 'session.status': 'errored' }, totals: { 'sum(session)': 0, 'p50(session.duration)': null } },
      { by: { 'session.status': 'crashed' }, totals: { 'sum(session)': 1, 'p50(session.duration)': null } },
      { by: { 'session.status': 'abnormal' }, totals: { 'sum(session)': 0, 'p50(session.duration)': null } },
    ])
    await expect(answer(projects, { field: ['sum(tea)'] })).rejects.toThrow('Sessions have no field "sum(tea)"')
    await expect(answer(projects, { ...asked, groupBy: ['tea'] })).rejects.toThrow('cannot be grouped by "tea"')
    await expect(answer(projects, { ...asked, interval: '7h' })).rejects.toThrow('"interval" is a part of a day')
    await expect(answer(projects, { ...asked, query: 'tea:green' })).rejects.toThrow('Sessions do not have "tea"')
    const share = { field: ['crash_rate(user)'], groupBy: ['session.status'] }
    await expect(answer(projects, share)).rejects.toThrow('cannot be grouped by session.status')
  })

  it('L97: without sessions counts are nothing, and rates and durations are not known', async () => {
    projects += 1
    const field = ['sum(session)', 'crash_free_rate(session)', 'crash_free_rate(user)', 'avg(session.duration)']
    const { groups } = await answer(projects, { field, statsPeriod: '1h', includeSeries: '0' })
    expect(groups).toEqual([
      {
        by: {},
        totals: {
          'sum(session)': 0,
          'crash_free_rate(session)': null,
          'crash_free_rate(user)': null,
          'avg(session.duration)': null,
        },
      },
    ])
  })

  const FIXTURES = join(import.meta.dirname, '../../../../fixtures/envelopes')

  /** Counted by hand in the recorded envelopes. */
  it.each([
    ['sdk-7', 'browser', { total: 1, crashed: 1, errored: 0, unhandled: 0, users: 1, usersCrashed: 1 }],
    ['sdk-8', 'browser', { total: 1, crashed: 1, errored: 0, unhandled: 0, users: 1, usersCrashed: 1 }],
    ['sdk-9', 'browser', { total: 1, crashed: 1, errored: 0, unhandled: 0, users: 1, usersCrashed: 1 }],
    ['sdk-10', 'browser', { total: 1, crashed: 1, errored: 0, unhandled: 0, users: 1, usersCrashed: 1 }],
    ['sdk-11', 'browser', { total: 1, crashed: 0, errored: 0, unhandled: 1, users: 0, usersCrashed: 0 }],
    ['sdk-7', 'node', { total: 2, crashed: 0, errored: 1, unhandled: 0, users: 1, usersCrashed: 0 }],
    ['sdk-8', 'node', { total: 2, crashed: 0, errored: 1, unhandled: 0, users: 1, usersCrashed: 0 }],
    ['sdk-9', 'node', { total: 2, crashed: 0, errored: 1, unhandled: 0, users: 1, usersCrashed: 0 }],
    ['sdk-10', 'node', { total: 2, crashed: 0, errored: 1, unhandled: 0, users: 1, usersCrashed: 0 }],
    ['sdk-11', 'node', { total: 4, crashed: 0, errored: 2, unhandled: 0, users: 1, usersCrashed: 0 }],
  ])('L103: %s in %s: what it sent is counted as it happened', async (sdk, where, expected) => {
    projects += 1
    const projectId = projects
    const files = readdirSync(join(FIXTURES, sdk)).filter(
      (name) => name.startsWith(where) && /-sessions?[.]envelope$/.test(name),
    )
    const items = files.flatMap((name) => {
      const envelope = parseEnvelope(readFileSync(join(FIXTURES, sdk, name)))
      if (!envelope.ok) throw new Error(name)
      return envelope.value.items.map((item): DigestItem => {
        const { sentAt } = envelope.value.header
        const like = digestItem(item.payload, { type: item.header.type, sender: { projectId }, header: { sentAt } })
        return { ...like, receivedAt: sentAt ?? RECEIVED_AT }
      })
    })
    expect(await store(items)).toEqual([])
    const period = { from: Date.parse('2026-11-20T22:00:00Z'), to: Date.parse('2026-11-21T00:00:00Z') }
    expect(await countsOf(projectId, { period })).toMatchObject(expected)
  })
})
