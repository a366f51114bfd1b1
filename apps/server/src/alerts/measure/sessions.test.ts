import { alertDraft, type AlertDraftInput } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rankOf, type SessionStatus } from '../../sessions/session.ts'
import { sessionsDataset } from '../../sessions/telemetry/session-dataset.ts'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../../storage/conformance/engines.ts'
import { batchesOf } from './batch.ts'
import { QUIET } from './course.ts'
import { evaluateGroup } from './evaluate-group.ts'
import { foundOf } from './found.ts'
import { endOf, MINUTE_MS, minuteOf } from './minute.ts'
import { createMeasuredProblem } from './problem.ts'
import type { MeasuredRule } from './rule.ts'
import { numbersOf, PROJECTS, readRule, ruleOf, type RuleSketch } from './test/rows.ts'
import { windowOf } from './windows.ts'

const MINUTE = minuteOf(Date.parse('2026-11-24T14:20:00.000Z'))
const END = endOf(MINUTE)
const HOUR = 3_600_000

interface Update {
  readonly session: number
  readonly status?: SessionStatus
  readonly user?: number
  readonly project?: number
  readonly organization?: number
  readonly environment?: string
  readonly release?: string
  readonly received?: number
  readonly started?: number
}

let ids = 0

const updateRow = (update: Update) => {
  ids += 1
  return {
    organization_id: update.organization ?? 1,
    project_id: update.project ?? 1,
    started: update.started ?? update.received ?? END - MINUTE_MS,
    session: `00000000-0000-4000-8000-${update.session.toString(16).padStart(12, '0')}`,
    id: String(ids),
    at: update.received ?? END - MINUTE_MS,
    rank: rankOf(update.status ?? 'ok'),
    user: String(update.user ?? 0),
    release: update.release ?? 'shop@1.0.0',
    environment: update.environment ?? 'production',
    received: update.received ?? END - MINUTE_MS,
  }
}

interface Several {
  readonly exited: number
  readonly crashed: number
  readonly project: number
  readonly user?: number
}

const countRow = ({ crashed, exited, project, user = 0 }: Several) => {
  ids += 1
  return {
    organization_id: 1,
    project_id: project,
    started: END - 2 * MINUTE_MS,
    id: String(ids),
    exited,
    crashed,
    user: String(user),
    release: 'shop@1.0.0',
    environment: 'production',
    received: END - MINUTE_MS,
  }
}

const RATE = 'crash_free_rate(session)'

describe.each(TELEMETRY_ENGINES)('rules about sessions on $name', ({ open }) => {
  let opened: OpenedTelemetry
  beforeAll(async () => {
    opened = await open()
    const { client } = opened.telemetry
    const updates: Update[] = [
      // Each tells of itself twice, one crashed: that is one of eight.
      ...Array.from({ length: 8 }, (_, session): Update => ({ session, user: session + 1 })),
      ...Array.from({ length: 7 }, (_, session): Update => ({ session, status: 'exited', user: session + 1 })),
      { session: 7, status: 'crashed', user: 8 },
      // One that began days ago, on a phone: it is heard of now that it crashed.
      { session: 8, status: 'crashed', user: 9, started: END - 50 * HOUR, release: 'shop@0.9.0' },
      { session: 9, user: 9, release: 'shop@0.9.0', environment: 'staging' },
      // Of before, and of somebody else.
      { session: 10, status: 'crashed', received: END - 2 * HOUR },
      { session: 11, status: 'crashed', organization: 2 },
    ]
    await client.insert({ table: 'session_updates', values: updates.map(updateRow), format: 'JSONEachRow' })
    const counts = [
      countRow({ exited: 90, crashed: 6, project: 2 }),
      countRow({ exited: 4, crashed: 0, project: 2, user: 5 }),
    ]
    for (const token of ['once', 'again']) {
      const settings = { insert_deduplication_token: token }
      await client.insert({
        table: 'session_counts',
        values: counts,
        format: 'JSONEachRow',
        clickhouse_settings: settings,
      })
    }
  })
  afterAll(() => opened.close())

  const asked = async (aggregate: string, { trigger, ...more }: RuleSketch = {}) => {
    const about: RuleSketch['trigger'] = { dataset: 'sessions', aggregate, windowMinutes: 60, ...trigger }
    const [batch] = batchesOf([readRule(ruleOf({ projectIds: [1], ...more, trigger: about }))])
    const [member] = batch?.members ?? []
    if (batch === undefined || member === undefined) throw new Error('nothing is asked')
    const { readRows, rows } = await numbersOf(opened)(batch, { windows: [windowOf(MINUTE, 60)], countsOld: true })
    return { found: foundOf(rows, member), member, readRows, isShared: batch.own === null }
  }
  const groupsOf = async (aggregate: string, more: RuleSketch = {}) =>
    (await asked(aggregate, more)).found.groups.map(({ sampled, value, values }) => [...values, value, sampled])

  it('A5: know the share that did not crash, of sessions and of people, and of how many it is', async () => {
    expect(await groupsOf(RATE)).toEqual([[0.8, 10]])
    // Of nine, two.
    expect(await groupsOf('crash_free_rate(user)')).toEqual([[expect.closeTo(7 / 9, 9), 10]])
    expect(await groupsOf(RATE, { environments: ['staging'] })).toEqual([[1, 1]])
    expect(await groupsOf(RATE, { projectIds: [3] })).toEqual([])
  })

  it('A29: a crash of which is told hours later counts when it is heard of, and nothing comes too late', async () => {
    const { found } = await asked(RATE, { query: 'release:shop@0.9.0' })
    expect(found).toMatchObject({ old: 0, groups: [{ value: 0.5 }] })
  })

  it('count what servers added up, once however often it came', async () => {
    expect(await groupsOf(RATE, { projectIds: [2] })).toEqual([[0.94, 100]])
    expect(await groupsOf('crash_free_rate(user)', { projectIds: [2] })).toEqual([[1, 100]])
    expect(await groupsOf(RATE, { projectIds: [1, 2] })).toEqual([[expect.closeTo(102 / 110, 9), 110]])
  })

  it('watch each release by itself, the worst first, and share a statement', async () => {
    const comparison = { kind: 'fixed', direction: 'below', limit: 0.99, worseLimit: null } as const
    const sketch: RuleSketch = { trigger: { groupBy: ['release'], comparison } }
    expect(await groupsOf(RATE, sketch)).toEqual([
      ['shop@0.9.0', 0.5, 2],
      ['shop@1.0.0', 0.875, 8],
    ])
    expect((await asked(RATE, sketch)).isShared).toBe(true)
    expect((await asked(RATE, { query: 'release:shop@1.*' })).isShared).toBe(false)
  })

  it('read little of what was heard at other times', async () => {
    const earlier = Array.from({ length: 60_000 }, (_, number): Update => {
      const received = END - (24 + (number % 1000)) * HOUR
      return { session: 1000 + number, project: 3, received }
    })
    await opened.telemetry.client.insert({
      table: 'session_updates',
      values: earlier.map(updateRow),
      format: 'JSONEachRow',
    })
    const { found, readRows } = await asked(RATE, { projectIds: [1, 3] })
    expect(found.groups).toMatchObject([{ value: 0.8, sampled: 10 }])
    expect(readRows).toBeLessThan(20_000)
  })

  it('decide nothing by a few of them, and say so', async () => {
    const comparison = { kind: 'fixed', direction: 'below', limit: 0.99, worseLimit: null } as const
    const evaluated = async (least: number) => {
      const { found, member } = await asked(RATE, { trigger: { comparison, least } })
      const [numbers] = found.groups
      if (numbers === undefined) throw new Error('nothing was found')
      const about = {
        minute: MINUTE,
        course: QUIET,
        baseline: null,
        old: 0,
        isWhole: true,
        names: [],
        lateSeconds: 0,
        rows: 0,
        milliseconds: 0,
      }
      const { reason, sentence, step } = evaluateGroup(member, numbers, about)
      return { reason, sentence: sentence(), step }
    }
    expect(await evaluated(10)).toEqual({
      step: 'fired',
      reason: 'limit',
      sentence: 'sessions without a crash 80% < 99% in an hour',
    })
    expect(await evaluated(11)).toEqual({
      step: 'quiet',
      reason: 'few',
      sentence: 'sessions without a crash 80% < 99% in an hour; 10 sessions are too few, it takes 11',
    })
  })
})

describe('a rule about sessions', () => {
  const below = (limit: number, worseLimit: number | null = null) =>
    ({ kind: 'fixed', direction: 'below', limit, worseLimit }) as const
  const problem = createMeasuredProblem({
    datasets: [sessionsDataset],
    projects: () => Promise.resolve(PROJECTS),
    ask: (question) => Promise.resolve(question.otherwise),
  })
  const problemOf = (trigger: Partial<MeasuredRule['trigger']>, query = ''): Promise<string | null> =>
    problem(
      alertDraft.parse({
        name: 'Crashes',
        query,
        trigger: ruleOf({ trigger: { dataset: 'sessions', comparison: below(0.99), ...trigger } }).trigger,
      }),
      1,
    )

  it('has a limit that is a share', async () => {
    expect(await problemOf({ aggregate: RATE, comparison: below(99) })).toContain('0.99 as the limit for 99%')
    expect(await problemOf({ aggregate: RATE, comparison: below(0.99, 98) })).toContain('0.99 as the limit for 99%')
    expect(await problemOf({ aggregate: RATE, comparison: below(0.99, 0.9) })).toBeNull()
    expect(await problemOf({ aggregate: RATE, comparison: below(1) })).toBeNull()
  })

  it('measures shares without a crash, by what is known of sessions', async () => {
    expect(await problemOf({ aggregate: RATE })).toBeNull()
    expect(
      await problemOf({ aggregate: 'crash_free_rate(user)', groupBy: ['release'] }, 'environment:production'),
    ).toBeNull()
    expect(await problemOf({ aggregate: 'crash_free_rate(device)' })).toContain('of session or of user')
    expect(await problemOf({ aggregate: 'count()' })).toContain('crash_free_rate(session) or crash_free_rate(user)')
    const known = 'Of sessions is known: project, project.id, release, environment, timestamp.'
    expect(await problemOf({ aggregate: RATE }, 'os.name:iOS')).toContain(known)
    expect(await problemOf({ aggregate: RATE }, 'tags[plan]:pro')).toContain(known)
    expect(await problemOf({ aggregate: RATE, groupBy: ['device.name'] })).toContain(known)
  })

  it('waits for none as well', async () => {
    const trigger: AlertDraftInput['trigger'] = { source: 'silence', dataset: 'sessions', minutes: 60 }
    expect(await problem(alertDraft.parse({ name: 'Nobody is here', trigger }), 1)).toBeNull()
  })
})
