import { ClickHouseError } from '@clickhouse/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Submission } from '../ingest/index.ts'
import { StoreFault } from '../lib/store-fault.ts'
import {
  LEDGER_ENGINES,
  recordingLogger,
  seedOrganization,
  testClock,
  type OpenedLedger,
} from '../storage/conformance/engines.ts'
import { behindFinding } from './behind.ts'
import { createFindingSettings } from './ledger/finding-settings.ts'
import { createSightings } from './ledger/sightings.ts'
import { LIMITS } from './limits.ts'
import { createLook } from './look.ts'
import type { TraceOfProject } from './telemetry/traced-spans.ts'
import { keyOf } from './waiting-traces.ts'
import type { StoredSpan } from './segment.ts'
import { query, sketch, times, type SketchedSegment } from './spans.fixture.ts'

const HOUR_MS = 3_600_000
const OTHER_PROJECT = 2
/** Of the first organisation is project 1; each other project has an organisation of its own, unless it is said. */
const senderOf = (projectId: number, organizationId = projectId) => ({ organizationId, projectId })
const SUMS = { count: 6, alike: 5, total: 100, longest: 20, largest: 0, blocked: 0 }

const nPlusOne = (seed: number, more: Partial<SketchedSegment> = {}): StoredSpan[] =>
  sketch({
    op: 'http.server',
    name: 'GET /orders',
    from: 0,
    to: 300,
    seed,
    children: [
      query('SELECT * FROM orders', 0, 10),
      ...times(5, (index) => query(`SELECT * FROM items WHERE id = ${index}`, 20 + index * 20, 38 + index * 20)),
    ],
    ...more,
  })

/** Digits are the same problem, whatever they are. */
const letters = (seed: number): string => String(seed).replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))

const SQLITE = LEDGER_ENGINES.slice(0, 1)

describe.each(SQLITE)('a look at traces, with a ledger on $name', ({ open }) => {
  let opened: OpenedLedger
  beforeAll(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
  })
  afterAll(() => opened.close())

  const begin = async ({
    readMs = 0,
    fails = () => null,
  }: { readMs?: number; fails?: (traces: readonly TraceOfProject[]) => Error | null } = {}) => {
    await opened.ledger.db.deleteFrom('finding_sightings').execute()
    await opened.ledger.db.deleteFrom('finding_settings').execute()
    const clock = testClock()
    const stored = new Map<string, readonly StoredSpan[]>()
    const submitted: Submission[] = []
    const { logger, lines } = recordingLogger()
    const settings = createFindingSettings({ ledger: opened.ledger, clock })
    const sightings = createSightings({ ledger: opened.ledger })
    const read: (readonly TraceOfProject[])[] = []
    const look = createLook({
      spans: {
        load: async (traces) => {
          read.push(traces)
          clock.set(clock.now() + readMs)
          const failure = fails(traces)
          if (failure !== null) throw failure
          return traces.flatMap((trace) => stored.get(keyOf(trace)) ?? [])
        },
        candidates: async () => [],
      },
      settings,
      sightings,
      submit: async (submission) => void submitted.push(submission),
      clock,
      logger,
    })
    const hear = (spans: readonly StoredSpan[], sums = SUMS, projectId = 1, organizationId = projectId): void => {
      const traceId = spans[0]?.traceId ?? ''
      const own = spans.map((span) => ({ ...span, projectId }))
      stored.set(keyOf({ projectId, traceId }), own)
      const hasRoot = spans.some(({ isSegment }) => isSegment)
      look.hear(senderOf(projectId, organizationId), {
        traces: [{ traceId, hasRoot, sums: { db: sums } }],
        tracesLeftOut: 0,
      })
    }
    const settle = async (ms: number = LIMITS.FINDING_SETTLE_MS): Promise<void> => {
      clock.set(clock.now() + ms)
      await look.run()
    }
    return { clock, hear, lines, look, settle, settings, sightings, submitted, read, reads: () => read.length }
  }

  it('a problem is an issue once it was seen as often as its rule asks, and then each time', async () => {
    const { hear, settle, submitted } = await begin()
    for (const seed of [1, 2]) hear(nPlusOne(seed))
    await settle()
    expect(submitted).toEqual([])
    hear(nPlusOne(3))
    await settle()
    expect(submitted).toMatchObject([{ projectId: 1, itemType: 'occurrence', payload: { transaction: 'GET /orders' } }])
    hear(nPlusOne(4))
    await settle()
    expect(submitted).toHaveLength(2)
    expect(new Set(submitted.map(({ eventId }) => eventId)).size).toBe(2)
  })

  it('is no issue when it was seen twice on one day and once on another', async () => {
    const { clock, hear, settle, submitted } = await begin()
    for (const seed of [1, 2]) hear(nPlusOne(seed))
    await settle()
    clock.set(clock.now() + 25 * HOUR_MS)
    hear(nPlusOne(3))
    await settle()
    expect(submitted).toEqual([])
  })

  it('a trace is looked at when nothing more came of it for a while, and counts once', async () => {
    const { hear, settle, submitted, reads } = await begin()
    for (const seed of [1, 2, 3]) hear(nPlusOne(seed))
    await settle(LIMITS.FINDING_SETTLE_MS - 1)
    expect(reads()).toBe(0)
    await settle(1)
    for (let round = 0; round < 3; round += 1) {
      hear(nPlusOne(3))
      await settle()
    }
    expect(submitted).toHaveLength(3)
    expect(new Set(submitted.map(({ eventId }) => eventId)).size).toBe(3)
  })

  it('spans whose root does not come are looked at after a minute', async () => {
    const { hear, settle, submitted } = await begin()
    const orphans = (seed: number) => nPlusOne(seed).filter(({ isSegment }) => !isSegment)
    for (const seed of [1, 2, 3]) hear(orphans(seed))
    await settle()
    expect(submitted).toEqual([])
    await settle(LIMITS.FINDING_ROOT_WAIT_MS)
    expect(submitted).toHaveLength(3)
  })

  it('so many traces are read together; the others wait for the next look', async () => {
    const { hear, settle, read } = await begin()
    const more = 20
    for (const seed of times(LIMITS.FINDING_TRACES_PER_LOOK + more, (index) => index + 1)) hear(nPlusOne(seed))
    await settle()
    await settle(0)
    await settle(0)
    expect(read.map((traces) => traces.length)).toEqual([LIMITS.FINDING_TRACES_PER_LOOK, more])
  })

  it('a look that cannot take all rests as many times as long as it took; then the next takes more', async () => {
    const readMs = 100
    const { hear, settle, read } = await begin({ readMs })
    for (const seed of times(LIMITS.FINDING_TRACES_PER_LOOK + 20, (index) => index + 1)) hear(nPlusOne(seed))
    await settle()
    await settle(0)
    await settle(readMs * LIMITS.FINDING_REST_TIMES - 1)
    expect(read).toHaveLength(1)
    await settle(1)
    expect(read).toHaveLength(2)
    hear(nPlusOne(1000))
    await settle()
    expect(read).toHaveLength(3)
  })

  it('traces of several projects are read together', async () => {
    const { hear, settle, read, submitted } = await begin()
    for (const seed of [1, 2, 3]) hear(nPlusOne(seed))
    hear(nPlusOne(4), SUMS, OTHER_PROJECT)
    await settle()
    expect(read.map((traces) => traces.map(({ projectId }) => projectId))).toEqual([[1, OTHER_PROJECT, 1, 1]])
    expect(submitted.map(({ projectId }) => projectId)).toEqual([1, 1, 1])
  })

  it('traces that gave way are counted, and told to their organisation until it did not happen for long', async () => {
    const { clock, look } = await begin()
    const many = (count: number) => times(count, (index) => ({ traceId: String(index), hasRoot: true, sums: {} }))
    const told = () => look.leftOut().map(behindFinding)
    look.hear(senderOf(1), { traces: many(LIMITS.FINDING_TRACES_WAITING), tracesLeftOut: 0 })
    expect(told()).toEqual([])
    look.hear(senderOf(OTHER_PROJECT), { traces: many(20), tracesLeftOut: 0 })
    expect(look.leftOut()).toEqual([{ organizationId: 1, traces: 20, projectIds: [1] }])
    clock.set(clock.now() + LIMITS.FINDING_LEFT_OUT_TOLD_MS - 1)
    const few = (left: number, projectId: number) =>
      look.hear(senderOf(projectId, 9), { traces: [], tracesLeftOut: left })
    few(3, 11)
    few(5, 12)
    expect(told()).toMatchObject([
      { id: 'findings_behind', organizationId: 1, message: expect.stringMatching(/ 10 or more .* of project 1 \(/) },
      {
        id: 'findings_behind',
        organizationId: 9,
        message: expect.stringMatching(/ 1 or more .* of project 12, 11 \(/),
      },
    ])
    clock.set(clock.now() + 1)
    expect(told()).toMatchObject([{ organizationId: 9 }])
    for (const projectId of times(LIMITS.FINDING_PROJECTS_NAMED, (index) => 20 + index)) few(1, projectId)
    expect(told()).toMatchObject([
      { message: expect.stringContaining('of project 12, 11, 20 and 2 more (') as unknown },
    ])
  })

  it('an organisation has one turn and one place, however many projects it has', async () => {
    const { hear, look, settle, read } = await begin()
    const crowd = times(50, (index) => 100 + index)
    const crowding = 77
    const traces = (count: number, from = 0) =>
      times(count, (index) => ({ traceId: `f${from + index}`, hasRoot: true, sums: { db: SUMS } }))
    for (const projectId of crowd) look.hear(senderOf(projectId, crowding), { traces: traces(300), tracesLeftOut: 0 })
    for (const seed of times(150, (index) => index + 1)) hear(nPlusOne(seed))
    await settle()
    const looked = read.flat().map(({ projectId }) => projectId)
    expect(looked).toHaveLength(LIMITS.FINDING_TRACES_PER_LOOK)
    expect(looked.filter((projectId) => projectId === 1)).toHaveLength(LIMITS.FINDING_TRACES_PER_LOOK / 2)
    // Two turns of each of the projects, one after the other.
    expect(looked.filter((projectId) => projectId !== 1)).toEqual([...crowd, ...crowd])

    // Each of its projects has fewer waiting than the other organisation, and all of them most.
    look.hear(senderOf(1), { traces: traces(4000), tracesLeftOut: 0 })
    for (const projectId of crowd) {
      look.hear(senderOf(projectId, crowding), { traces: traces(100, 300), tracesLeftOut: 0 })
    }
    expect(look.leftOut().map(({ organizationId }) => organizationId)).toEqual([crowding])
  })

  it('what a project has waiting takes no place and no turn of another', async () => {
    const { hear, look, settle, read, submitted } = await begin()
    const flood = times(LIMITS.FINDING_TRACES_WAITING, (index) => ({
      traceId: `f${index}`,
      hasRoot: true,
      sums: { db: SUMS },
    }))
    for (const seed of [1, 2]) hear(nPlusOne(seed))
    look.hear(senderOf(OTHER_PROJECT), { traces: flood, tracesLeftOut: 0 })
    hear(nPlusOne(3))
    await settle()
    expect(submitted).toHaveLength(3)
    expect(read.map((traces) => traces.length)).toEqual([LIMITS.FINDING_TRACES_PER_LOOK])
    expect(look.leftOut()).toEqual([{ organizationId: OTHER_PROJECT, traces: 3, projectIds: [OTHER_PROJECT] }])
  })

  it('when more projects wait than a look has room for, the others have their turn in the next', async () => {
    const { hear, settle, read } = await begin()
    const projects = times(LIMITS.FINDING_TRACES_PER_LOOK + 20, (index) => index + 1)
    for (const seed of [1, 2]) for (const projectId of projects) hear(nPlusOne(seed), SUMS, projectId)
    await settle()
    await settle(0)
    const [, second] = read.map((traces) => traces.map(({ projectId }) => projectId))
    expect(second?.slice(0, 20)).toEqual(projects.slice(-20))
  })

  it('a trace that cannot be read takes no other along, and is counted', async () => {
    const tooMuch = new StoreFault('This takes too much.', {
      cause: new ClickHouseError({ message: 'Memory limit exceeded', code: '241', type: 'MEMORY_LIMIT_EXCEEDED' }),
    })
    const { hear, look, settle, submitted } = await begin({
      fails: (traces) => (traces.some(({ projectId }) => projectId === OTHER_PROJECT) ? tooMuch : null),
    })
    for (const seed of [1, 2]) hear(nPlusOne(seed))
    for (const seed of [11, 12]) hear(nPlusOne(seed), SUMS, OTHER_PROJECT)
    hear(nPlusOne(3))
    await settle()
    expect(submitted.map(({ projectId }) => projectId)).toEqual([1])
    expect(look.leftOut()).toEqual([{ organizationId: OTHER_PROJECT, traces: 2, projectIds: [OTHER_PROJECT] }])
  })

  const noMemory = new ClickHouseError({
    message: '(total) memory limit exceeded',
    code: '241',
    type: 'MEMORY_LIMIT_EXCEEDED',
  })

  it.each([
    ['does not answer', new StoreFault('The telemetry does not answer at this moment.')],
    ['has no memory left by others', new StoreFault('Try again.', { cause: noMemory })],
  ])('while the store %s, traces wait', async (_, fault) => {
    let isAway = true
    const { hear, look, settle, submitted } = await begin({ fails: () => (isAway ? fault : null) })
    for (const seed of [1, 2, 3]) hear(nPlusOne(seed))
    await expect(settle()).rejects.toThrow(StoreFault)
    isAway = false
    await settle(0)
    expect(submitted).toHaveLength(3)
    expect(look.leftOut()).toEqual([])
  })

  it('what can have no finding is not read', async () => {
    const { hear, settle, reads } = await begin()
    hear(nPlusOne(1), { count: 4, alike: 2, total: 20, longest: 9, largest: 0, blocked: 0 })
    await settle()
    expect(reads()).toBe(0)
  })

  it('of one problem at most so many events are made in a minute', async () => {
    const { hear, settle, submitted } = await begin()
    for (const seed of times(LIMITS.FINDING_EVENTS_PER_MINUTE + 15, (index) => index + 1)) hear(nPlusOne(seed))
    await settle()
    expect(submitted).toHaveLength(LIMITS.FINDING_EVENTS_PER_MINUTE)
  })

  it('T89: a threshold, a rule that is off and a muted transaction hold within a minute', async () => {
    const { clock, hear, settle, settings, submitted } = await begin()
    let seed = 0
    const submittedWith = async (changed: Parameters<typeof settings.save>[1]): Promise<number> => {
      await settings.save(1, changed)
      clock.set(clock.now() + 60_000 - LIMITS.FINDING_SETTLE_MS)
      const before = submitted.length
      for (let round = 0; round < 3; round += 1) hear(nPlusOne((seed += 1)))
      await settle()
      return submitted.length - before
    }
    expect(await submittedWith({ detectors: {}, mutes: [] })).toBe(3)
    expect(await submittedWith({ detectors: { n_plus_one_db: { thresholds: { count: 6 } } }, mutes: [] })).toBe(0)
    expect(await submittedWith({ detectors: { n_plus_one_db: { enabled: false } }, mutes: [] })).toBe(0)
    expect(await submittedWith({ detectors: {}, mutes: [{ detector: '', transaction: 'GET /orders' }] })).toBe(0)
    expect(await submittedWith({ detectors: {}, mutes: [] })).toBe(3)
  })

  it('what one trace shows many times was seen once', async () => {
    const { hear, settle, submitted } = await begin()
    const trace = (traceId: string, from: number) =>
      times(3, (index) => nPlusOne(from + index).map((span) => ({ ...span, traceId }))).flat()
    for (const [traceId, from] of [
      ['a', 1],
      ['b', 11],
    ] as const)
      hear(trace(traceId.repeat(32), from))
    await settle()
    hear(trace('b'.repeat(32), 21))
    await settle()
    expect(submitted).toEqual([])
    hear(trace('c'.repeat(32), 31))
    await settle()
    expect(submitted).toHaveLength(3)
  })

  it('so many problems of a project become issues in an hour; the log says that there were more', async () => {
    const { clock, hear, lines, settle, submitted } = await begin()
    const problems = LIMITS.FINDING_ISSUES_PER_HOUR + 20
    let seed = 0
    const hearAll = async (projectId: number): Promise<number> => {
      const before = submitted.length
      for (const index of times(problems, (at) => at)) {
        hear(nPlusOne((seed += 1), { name: `GET /${letters(index)}` }), SUMS, projectId)
      }
      await settle()
      return submitted.length - before
    }
    const rounds = async () => [await hearAll(1), await hearAll(1), await hearAll(1), await hearAll(1)]
    expect(await rounds()).toEqual([0, 0, LIMITS.FINDING_ISSUES_PER_HOUR, LIMITS.FINDING_ISSUES_PER_HOUR])
    expect(lines.filter((line) => line.includes('more problems were found'))).toEqual([
      expect.stringContaining('heldBack=20'),
    ])
    clock.set(clock.now() + HOUR_MS)
    expect(await hearAll(1)).toBe(problems)
  })

  it('a trace with any number of problems makes so many writes', async () => {
    const { hear, look, settle } = await begin()
    const segments = times(LIMITS.FINDING_PROBLEMS_PER_LOOK + 20, (index) =>
      nPlusOne(index + 1, { name: `GET /${letters(index)}` }).map((span) => ({ ...span, traceId: 'a'.repeat(32) })),
    )
    hear(segments.flat())
    await settle()
    const counted = await opened.ledger.db.selectFrom('finding_sightings').select('fingerprint').execute()
    expect(counted).toHaveLength(LIMITS.FINDING_PROBLEMS_PER_LOOK)
    expect(look.leftOut()).toEqual([{ organizationId: 1, traces: 1, projectIds: [1] }])
  })

  it('a trace of which only the first spans are read is looked at as far as that, and counted', async () => {
    const { hear, look, settle, submitted } = await begin()
    const [root] = nPlusOne(3)
    if (root === undefined) throw new Error('no root')
    const rest = times(LIMITS.FINDING_SPANS, (index) => ({
      ...root,
      id: `x${index}`,
      parentId: root.id,
      isSegment: false,
    }))
    for (const seed of [1, 2]) hear(nPlusOne(seed))
    await settle()
    hear([...nPlusOne(3), ...rest].slice(0, LIMITS.FINDING_SPANS))
    await settle()
    expect(submitted).toHaveLength(1)
    expect(look.leftOut()).toEqual([{ organizationId: 1, traces: 1, projectIds: [1] }])
  })

  it('of a project so many problems are counted; those seen last stay', async () => {
    const { sightings, clock } = await begin()
    const sighting = (index: number) => ({ fingerprint: String(index), detector: 'slow_db', seen: 100, times: 1 })
    const count = async (): Promise<number> =>
      (await opened.ledger.db.selectFrom('finding_sightings').select('fingerprint').execute()).length
    await sightings.add(1, times(LIMITS.FINDING_SIGHTINGS, sighting), clock.now(), 0)
    clock.set(clock.now() + 1000)
    await sightings.add(1, [sighting(LIMITS.FINDING_SIGHTINGS)], clock.now(), 0)
    expect(await count()).toBeLessThanOrEqual(LIMITS.FINDING_SIGHTINGS)
    await sightings.forgetOld(clock.now() + (LIMITS.FINDING_SIGHTING_DAYS + 1) * 24 * HOUR_MS)
    expect(await count()).toBe(0)
  })
})
