import { alertDraft, type AlertDraftInput } from '@firsthand/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { reportsDataset } from '../../feedback/telemetry/report-dataset.ts'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../../storage/conformance/engines.ts'
import { createMeasuredDryRun } from '../dry-run/dry-run.ts'
import { batchesOf } from './batch.ts'
import { foundOf } from './found.ts'
import { endOf, MINUTE_MS, minuteOf } from './minute.ts'
import { createCountedSince } from './counted-since.ts'
import { createMeasuredProblem } from './problem.ts'
import { DATASETS, numbersOf, PROJECTS, readRule, ruleOf, type RuleSketch } from './test/rows.ts'
import { windowOf } from './windows.ts'

const MINUTE = minuteOf(Date.parse('2026-11-24T14:20:00.000Z'))
const END = endOf(MINUTE)
const HOUR = 60 * MINUTE_MS

interface Said {
  readonly message?: string
  readonly project?: number
  readonly organization?: number
  readonly release?: string
  readonly url?: string
  readonly user?: string
  readonly email?: string
  readonly attachments?: number
  readonly tags?: Readonly<Record<string, string>>
  readonly received?: number
}

let ids = 0

const rowOf = (said: Said) => {
  ids += 1
  return {
    organization_id: said.organization ?? 1,
    project_id: said.project ?? 1,
    received: said.received ?? END - MINUTE_MS,
    id: `00000000-0000-4000-8000-${ids.toString(16).padStart(12, '0')}`,
    source: 'widget',
    message: said.message ?? 'It is broken',
    user: said.user ?? `sender:${ids}`,
    user_email: said.email ?? '',
    url: said.url ?? 'https://shop.example/cart',
    browser: 'Firefox 140',
    os: 'Linux',
    environment: 'production',
    release: said.release ?? 'shop@1.0.0',
    attachments: said.attachments ?? 0,
    tags: said.tags ?? {},
  }
}

describe.each(TELEMETRY_ENGINES)('rules about reports on $name', ({ open }) => {
  let opened: OpenedTelemetry
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())
  beforeEach(() => opened.telemetry.client.command({ query: 'TRUNCATE TABLE feedback_reports' }))

  const insert = (said: readonly Said[]) =>
    opened.telemetry.client.insert({
      table: 'feedback_reports',
      values: said.map(rowOf),
      format: 'JSONEachRow',
    })

  const asked = async (aggregate: string, { trigger, ...more }: RuleSketch = {}) => {
    const about: RuleSketch['trigger'] = { dataset: 'feedback', aggregate, windowMinutes: 60, ...trigger }
    const [batch] = batchesOf([readRule(ruleOf({ projectIds: [1], ...more, trigger: about }))])
    const [member] = batch?.members ?? []
    if (batch === undefined || member === undefined) throw new Error('nothing is asked')
    const { rows } = await numbersOf(opened)(batch, { windows: [windowOf(MINUTE, 60)], countsOld: true })
    return { ...foundOf(rows, member), isShared: batch.own === null }
  }
  const groupsOf = async (aggregate: string, more: RuleSketch = {}) =>
    (await asked(aggregate, more)).groups.map(({ value, values }) => [...values, value])

  it('count them, and who wrote, by project, release and what was searched', async () => {
    await insert([
      { message: 'The pay button does nothing', user: 'email:ada@shop.example', email: 'ada@shop.example' },
      { message: 'PAY does not work', user: 'email:ada@shop.example', url: 'https://shop.example/pay', attachments: 1 },
      { message: 'Slow', release: 'shop@2.0.0', tags: { plan: 'pro' } },
      { project: 2 },
      { organization: 2 },
      { received: END - 2 * HOUR },
    ])
    expect(await groupsOf('count()')).toEqual([[3]])
    expect(await groupsOf('count_unique(user)')).toEqual([[2]])
    expect(await groupsOf('count()', { projectIds: [1, 2], trigger: { groupBy: ['project'] } })).toEqual([
      ['1', 3],
      ['2', 1],
    ])
    expect(await groupsOf('count()', { trigger: { groupBy: ['release'] } })).toEqual([
      ['shop@1.0.0', 2],
      ['shop@2.0.0', 1],
    ])
    const found = async (query: string) => (await groupsOf('count()', { query })).flat()
    expect(await found('pay')).toEqual([2])
    expect(await found('message:"does nothing"')).toEqual([1])
    expect(await found('has:screenshot')).toEqual([1])
    expect(await found('!has:screenshot')).toEqual([2])
    expect(await found('url:*/pay')).toEqual([1])
    expect(await found('user.email:ADA@shop.example')).toEqual([1])
    expect(await found('plan:pro')).toEqual([1])
    expect(await found('release:shop@2.*')).toEqual([1])
  })

  it('share a statement where they search nothing, and count nothing as too late', async () => {
    await insert([{}, {}])
    expect(await asked('count()')).toMatchObject({ isShared: true, old: 0, groups: [{ value: 2 }] })
  })

  it('are run over the past, and say when they would have spoken, of how many', async () => {
    const burst = Array.from({ length: 7 }, (): Said => ({ received: END - 3 * HOUR }))
    await insert([...burst, { received: END - 30 * HOUR }])
    const draft = alertDraft.parse({
      name: 'People complain',
      frequencyMinutes: 0,
      actions: [{ kind: 'channel', channelId: '1' }],
      trigger: {
        source: 'measured',
        dataset: 'feedback',
        aggregate: 'count()',
        windowMinutes: 60,
        comparison: { kind: 'fixed', direction: 'above', limit: 5 },
      },
    })
    let made = 0
    const run = createMeasuredDryRun({
      numbers: numbersOf(opened),
      namesOf: (_member, groups) => Promise.resolve(groups),
      datasets: DATASETS,
      projects: () => Promise.resolve(PROJECTS),
      projectsSince: () => Promise.resolve(made),
      // A server of before, that was brought to a version which counts them.
      countedSince: async (dataset) =>
        (await createCountedSince({ client: opened.telemetry.client })(dataset)) > 0 ? END - 40 * HOUR : 0,
    })
    const rule = {
      id: 1,
      organizationId: 1,
      projectIds: null,
      draft,
      problem: null,
      version: 1,
      isDefault: false,
      mutedUntil: null,
      mutedBy: null,
      createdBy: null,
      createdAt: 0,
      updatedAt: 0,
      lastFiredAt: null,
      imported: null,
    }
    const render = () => []
    const result = await run({ rule, slug: 'acme', days: 14, timezone: 'UTC', until: END, render })
    expect(result).toMatchObject({ firings: [{ value: 7, sentence: '7 > 5 reports in an hour' }] })
    expect(result.missing[0]).toMatch(
      /^Reports are counted since 22 November 2026 at 22:21, .*: times before look as if nothing had come\.$/,
    )
    const asked = { slug: 'acme', days: 14, timezone: 'UTC', until: END, render }
    const silent = {
      ...draft,
      trigger: { source: 'silence' as const, dataset: 'feedback' as const, minutes: 2160, groupBy: [] },
    }
    const silence = await run({ ...asked, rule: { ...rule, draft: silent } })
    // What was not counted was not missed.
    expect(silence.firings).toEqual([])
    expect(silence.missing[0]).toContain('Reports are counted since')
    made = END - 39 * HOUR
    expect((await run({ ...asked, rule })).missing[0]).not.toContain('counted since')
  })
})

describe('a rule about reports', () => {
  const problemOf = (trigger: AlertDraftInput['trigger'], query = ''): Promise<string | null> =>
    createMeasuredProblem({
      datasets: [reportsDataset],
      projects: () => Promise.resolve(PROJECTS),
      ask: (question) => Promise.resolve(question.otherwise),
    })(alertDraft.parse({ name: 'People complain', query, trigger }), 1)
  const measured = (more: object = {}): AlertDraftInput['trigger'] => ({
    source: 'measured',
    dataset: 'feedback',
    aggregate: 'count()',
    windowMinutes: 60,
    comparison: { kind: 'fixed', direction: 'above', limit: 5 },
    ...more,
  })

  it('is held against a limit, the past and what is usual, and waits for none as well', async () => {
    expect(await problemOf(measured())).toBeNull()
    const change = { kind: 'change', direction: 'above', percent: 50, against: 1440, floor: 5 }
    expect(await problemOf(measured({ comparison: change, groupBy: ['release'] }))).toBeNull()
    expect(await problemOf(measured({ comparison: { kind: 'unusual', direction: 'both' } }))).toBeNull()
    expect(await problemOf({ source: 'silence', dataset: 'feedback', minutes: 1440 }, 'url:*/pay')).toBeNull()
  })

  it('counts what came: what became of a report later is no search for it', async () => {
    for (const query of ['is:unread', 'is:unresolved', 'assigned:me', '!has:assigned', 'tags[is]:x is:resolved']) {
      expect(await problemOf(measured(), query)).toContain('alerts count what comes')
    }
  })
})
