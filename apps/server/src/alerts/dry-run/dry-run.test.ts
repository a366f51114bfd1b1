import { alertDraft, type AlertDraftInput } from '@firsthand/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chdb, LEDGER_ENGINES, type OpenedLedger, type OpenedTelemetry } from '../../storage/conformance/engines.ts'
import { endOf, MINUTE_MS, minuteOf } from '../measure/minute.ts'
import { DATASETS, insertErrors, numbersOf, PROJECTS, type SampleError } from '../measure/test/rows.ts'
import type { Outcome } from '../measure/outcome.ts'
import type { WatchedRule } from '../measure/rule.ts'
import { watched } from '../measure/test/watched.ts'
import type { AlertRule } from '../rule.ts'
import { createMeasuredDryRun } from './dry-run.ts'

const MINUTE = minuteOf(Date.parse('2026-11-24T14:20:00.000Z'))
const END = endOf(MINUTE)
const DAY = 1440
/** As long as is watched minute by minute beside a dry run. */
const RECORDED = 150

let telemetry: OpenedTelemetry
beforeAll(async () => {
  telemetry = await chdb.open()
})
afterAll(() => telemetry.close())
beforeEach(() => telemetry.telemetry.client.command({ query: 'TRUNCATE TABLE events' }))

const dryRun = (projectsSince = 0) =>
  createMeasuredDryRun({
    numbers: numbersOf(telemetry),
    namesOf: (_member, groups) => Promise.resolve(groups),
    datasets: DATASETS,
    projects: () => Promise.resolve(PROJECTS),
    projectsSince: () => Promise.resolve(projectsSince),
    countedSince: () => Promise.resolve(0),
  })

const ruleOf = (draft: Partial<AlertDraftInput>): AlertRule => {
  const read = alertDraft.parse({
    name: 'Errors',
    frequencyMinutes: 0,
    actions: [{ kind: 'channel', channelId: '1' }],
    trigger: measured(),
    ...draft,
  })
  return {
    id: 1,
    organizationId: 1,
    projectIds: read.projects?.map(Number) ?? null,
    draft: read,
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
}

const measured = (more: object = {}): AlertDraftInput['trigger'] => ({
  source: 'measured',
  dataset: 'errors',
  aggregate: 'count()',
  windowMinutes: 5,
  comparison: { kind: 'fixed', direction: 'above', limit: 10 },
  recovery: { limit: null, minutes: 0 },
  ...more,
})

const run = (
  draft: Partial<AlertDraftInput>,
  more: { days?: number; rule?: Partial<AlertRule>; projectsSince?: number } = {},
) =>
  dryRun(more.projectsSince)({
    rule: { ...ruleOf(draft), ...more.rule },
    slug: 'acme',
    days: more.days ?? 14,
    timezone: 'UTC',
    until: END,
    render: ({ headline }, at) => [{ channel: 'mail', subject: headline, body: String(at), html: null }],
  })

/** Nothing flaps that waits so long with the all-clear. */
const CALM = { recovery: { limit: null, minutes: 15 } }

/** Errors over a day that nobody could guess: the same each time. @param stops twice an hour nothing comes for a while */
const day = (from: number, stops = false): SampleError[] => {
  const errors: SampleError[] = []
  let state = 7
  for (let minute = from; minute <= MINUTE; minute += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    const isSpike = minute % 60 < 5
    const isHole = stops && minute % 30 >= 15 && minute % 30 < 23
    const count = isHole ? 0 : (state % 3) + (isSpike ? (state % 13) + 3 : Number(stops))
    for (let index = 0; index < count; index += 1) {
      errors.push({
        received: endOf(minute) - 1 - ((state * (index + 7)) % MINUTE_MS),
        release: index % 2 === 0 ? '1.0.0' : '2.0.0',
        user: `user-${(state + index) % 17}`,
        project: 1,
      })
    }
  }
  return errors
}

describe.each(LEDGER_ENGINES.slice(0, 1))('a dry run beside what was told', ({ open }) => {
  let opened: OpenedLedger
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened.close())

  const CHANGES: ReadonlySet<Outcome['step']> = new Set(['fired', 'over'])

  const begin = MINUTE - RECORDED + 1

  /** What was told of errors, and what a dry run of the same says. */
  const beside = async (trigger: AlertDraftInput['trigger'], errors: readonly SampleError[]) => {
    await insertErrors(telemetry, errors)
    const live = await watched(telemetry, opened, begin - 1)
    const rule = ruleOf({ trigger, projects: ['1'] })
    live.rules = [{ ...rule, ...rule.draft, projectIds: [1], since: endOf(begin - 1) } as unknown as WatchedRule]
    const measure = live.start()
    await measure.run()
    live.road.pass(RECORDED)
    for (let round = 0; round < RECORDED / 60; round += 1) await measure.run()
    const told = live
      .outcomes()
      .filter(({ step }) => CHANGES.has(step))
      .map(
        ({ group, minute, step, value }) =>
          `${minute - begin} ${group.map((one) => one.value).join()} ${step} ${value}`,
      )
    const dry = await run({ trigger, projects: ['1'] }, { days: 1 })
    const ran = dry.firings.flatMap(({ at, group, until, value }) => {
      const name = group.map((one) => one.value).join()
      const of = (text: string): number => Date.parse(text) / MINUTE_MS - 1 - begin
      return [`${of(at)} ${name} fired ${value}`, ...(until === null ? [] : [`${of(until)} ${name} over`])]
    })
    // Of the time before it nothing was watched.
    const sorted = (list: readonly string[]): string[] =>
      list
        .filter((one) => Number.parseInt(one, 10) > 10)
        .map((one) => one.replace(/ over .*/, ' over'))
        .toSorted()
    return { told: sorted(told), ran: sorted(ran), count: told.length, dry }
  }

  it.each([
    ['a count', measured({ ...CALM, comparison: { kind: 'fixed', direction: 'above', limit: 8 } })],
    [
      'people',
      measured({
        ...CALM,
        aggregate: 'count_unique(user)',
        comparison: { kind: 'fixed', direction: 'above', limit: 6 },
      }),
    ],
    [
      'a count of each release',
      measured({ ...CALM, groupBy: ['release'], comparison: { kind: 'fixed', direction: 'above', limit: 5 } }),
    ],
    [
      'what was an hour before',
      measured({ ...CALM, comparison: { kind: 'change', direction: 'above', percent: 100, against: 60, floor: 6 } }),
    ],
    ['silence', { source: 'silence', dataset: 'errors', minutes: 4 } as const],
  ])('A22: of a recorded day, %s comes to what was told on it', async (_name, trigger) => {
    const { count, ran, told } = await beside(trigger, day(begin, trigger.source === 'silence'))
    expect(count).toBeGreaterThan(4)
    expect(ran).toEqual(told)
  })

  it('A22: what fires is over in both when nothing came for half an hour that could be measured, and is not said to be well', async () => {
    const comparison = { kind: 'fixed', direction: 'above', limit: 0.5 } as const
    const trigger = measured({ aggregate: 'failure_rate()', comparison })
    const at = (minute: number): SampleError => ({ received: endOf(begin + minute) - 1, unhandled: true })
    const { dry, ran, told } = await beside(trigger, [at(20), at(30), at(130)])
    expect(told).toEqual(['130  fired 1', '20  fired 1', '65  over'])
    expect(ran).toEqual(told)
    expect(dry.firings[0]?.messages.map(({ rendered }) => rendered[0]?.subject)).toEqual([
      'Errors: failure_rate() 100% > 50% in 5 minutes',
      'Over after 45 min: Errors',
    ])
  })

  it('A22: silence before anything ever came is told once, by both, from when the project was there, and is said to be that', async () => {
    const begin = MINUTE - RECORDED + 1
    const first = begin + 60
    await insertErrors(telemetry, day(first))
    const trigger = { source: 'silence', dataset: 'errors', minutes: 20 } as const
    const live = await watched(telemetry, opened, begin - 1)
    const rule = ruleOf({ trigger, projects: ['1'] })
    live.rules = [{ ...rule, ...rule.draft, projectIds: [1], since: endOf(begin - 1) } as unknown as WatchedRule]
    const measure = live.start()
    await measure.run()
    live.road.pass(RECORDED)
    for (let round = 0; round < RECORDED / 60; round += 1) await measure.run()
    const told = live.outcomes().filter(({ step }) => step === 'fired')
    const dry = await run({ trigger, projects: ['1'] }, { days: 1, projectsSince: endOf(begin - 1) })
    expect(dry.firings.map(({ at, sentence }) => [Date.parse(at), sentence])).toEqual(
      told.map(({ minute, sentence }) => [endOf(minute), sentence()]),
    )
    expect(dry.firings.map(({ sentence }) => sentence)).toEqual([
      'Nothing came for 20 minutes (since 11:51 UTC, when watching began)',
    ])
    expect(dry.missing[0]).toBe(
      'Nothing came before 24 November 2026 at 12:53: what is told until then says only that it had not begun.',
    )
  })

  it('A22: where nothing ever came, that is said', async () => {
    const dry = await run({ trigger: { source: 'silence', dataset: 'errors', minutes: 20 }, projects: ['1'] })
    expect(dry.firings).toHaveLength(1)
    expect(dry.missing[0]).toBe('Nothing came in all this time: it would have told that once.')
  })
})

describe('a dry run', () => {
  it('says when the rule would have fired, with its messages, and what other limits would have cost', async () => {
    await insertErrors(telemetry, [
      ...Array.from({ length: 30 }, () => ({ received: END - 3 * DAY * MINUTE_MS })),
      ...Array.from({ length: 12 }, () => ({ received: END - 2 * DAY * MINUTE_MS })),
      ...Array.from({ length: 6 }, () => ({ received: END - DAY * MINUTE_MS })),
    ])
    const found = await run({})
    expect(found).toMatchObject({ incidents: 2, messages: 4, groups: 1, limit: 10, sampled: null, learning: null })
    expect(found.evaluations).toBe(14 * DAY)
    const messagesAt = new Map(found.ladder.map(({ limit, messages }) => [limit, messages]))
    expect([messagesAt.get(5), messagesAt.get(10), messagesAt.get(20), messagesAt.get(50)]).toEqual([6, 4, 2, 0])
    const [first] = found.firings
    expect(first).toMatchObject({ value: 30, limit: 10, decision: 'fired', number: 1 })
    expect(first?.messages.map(({ message }) => message.headline)).toEqual([
      'Errors: 30 > 10 errors in 5 minutes',
      'Back to normal after 5 min: Errors',
    ])
    expect(Math.max(...(found.series[0]?.points.map(([, value]) => value ?? 0) ?? []))).toBe(30)
  })

  it('counts messages that tell of several groups together as its receivers would have had them', async () => {
    await insertErrors(
      telemetry,
      ['1.0.0', '2.0.0', '3.0.0', '4.0.0'].flatMap((release) =>
        Array.from({ length: 20 }, () => ({ received: END - 30 * MINUTE_MS, release })),
      ),
    )
    const { first, incidents, messages, updates } = await run(
      { trigger: measured({ groupBy: ['release'] }) },
      { days: 1 },
    )
    // One group is told at once and three together. Each of the two messages is answered by one all-clear.
    expect({ first, incidents, messages, updates }).toEqual({ first: 2, incidents: 4, messages: 4, updates: 2 })
  })

  it('mutes, hours, pauses and caps keep messages back, and say so', async () => {
    await insertErrors(
      telemetry,
      Array.from({ length: 20 }, (_, hour) => hour).flatMap((hour) =>
        Array.from({ length: 20 }, () => ({ received: END - hour * 60 * MINUTE_MS - 1 })),
      ),
    )
    expect(await run({})).toMatchObject({ incidents: 20, messages: 39 })
    const muted = await run({}, { rule: { mutedUntil: Infinity } })
    expect(muted).toMatchObject({ incidents: 20, messages: 0 })
    expect(muted.firings[0]).toMatchObject({ decision: 'held', reason: 'muted', number: null })
    const hours = { timezone: 'UTC', days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }
    expect((await run({ conditions: { hours } })).messages).toBeLessThan(20)
    const paused = await run({ frequencyMinutes: 300 })
    expect(paused.firings.filter(({ reason }) => reason === 'frequency').length).toBeGreaterThan(10)
    // One an hour is no more than it may say; that it is over counts for nothing.
    expect((await run({ maxMessagesPerHour: 1 })).messages).toBe(39)
    await insertErrors(
      telemetry,
      Array.from({ length: 20 }, (_, hour) => hour).flatMap((hour) =>
        Array.from({ length: 20 }, () => ({ received: END - (hour * 60 + 30) * MINUTE_MS - 1 })),
      ),
    )
    const [free, capped] = [await run({}), await run({ maxMessagesPerHour: 1 })]
    expect(capped.messages).toBeLessThan(free.messages)
    expect(capped.firings.filter(({ number, reason }) => reason === 'cap' && number === null).length).toBeGreaterThan(
      10,
    )
  })

  it('A7: what is unusual names past, middle and limit, and the chart has that band', async () => {
    // Sixteen an hour for five weeks, and a hundred in one of the last.
    const hours = Array.from({ length: 5 * 7 * 24 }, (_, hour) => hour)
    await insertErrors(
      telemetry,
      hours.flatMap((hour) => {
        const received = END - hour * 60 * MINUTE_MS - 30 * MINUTE_MS
        return Array.from({ length: hour === 50 ? 100 : 16 }, (_, index) => ({ received: received - index * 1000 }))
      }),
    )
    const unusual = { kind: 'unusual', direction: 'above', sensitivity: 'normal', floor: 0 } as const
    const found = await run({ trigger: measured({ windowMinutes: 60, comparison: unusual }) }, { days: 3 })
    expect(found).toMatchObject({ incidents: 1, learning: null })
    const [firing] = found.firings
    expect(firing?.sentence).toMatch(
      /^\d+ errors in an hour; the last four Sundays 10:00 to 13:00 UTC had 16 to 16 \(middle 16\), limit 36$/,
    )
    const band = found.band?.find(([second]) => second * 1000 > Date.parse(firing?.at ?? ''))
    expect(band?.slice(1)).toEqual([0, 16, 36])
    expect(found.ladder.map(({ limit }) => limit)).toEqual([3, 4, 6])
  })

  it('A8: below two weeks it is learning, and says what it is held against', async () => {
    const hours = Array.from({ length: 5 * 24 }, (_, hour) => hour)
    await insertErrors(
      telemetry,
      hours.flatMap((hour) =>
        Array.from({ length: hour === 3 ? 90 : 10 }, () => ({ received: END - hour * 60 * MINUTE_MS - 1 })),
      ),
    )
    const unusual = { kind: 'unusual', direction: 'above', sensitivity: 'normal', floor: 0 } as const
    const found = await run({ trigger: measured({ windowMinutes: 60, comparison: unusual }) }, { days: 2 })
    expect(found.learning).toEqual({ days: 5, of: 14 })
    expect(found.firings[0]?.sentence).toMatch(
      /; learning, [45] of 14 days: until then it is held against all hours so far, which had \d+ to \d+ \(middle 10\), limit /,
    )
  })

  it('A24: nothing is written by it', async () => {
    const statements: string[] = []
    const { client } = telemetry.telemetry
    const numbers = numbersOf({
      telemetry: {
        ...telemetry.telemetry,
        client: {
          query: (request: Parameters<typeof client.query>[0]) => {
            statements.push(request.query)
            return client.query(request)
          },
        },
      },
      close: () => Promise.resolve(),
    } as unknown as OpenedTelemetry)
    const ask = createMeasuredDryRun({
      numbers,
      namesOf: (_member, groups) => Promise.resolve(groups),
      datasets: DATASETS,
      projects: () => Promise.resolve(PROJECTS),
      projectsSince: () => Promise.resolve(0),
      countedSince: () => Promise.resolve(0),
    })
    await ask({ rule: ruleOf({}), slug: 'acme', days: 14, timezone: 'UTC', until: END, render: () => [] })
    expect(statements.length).toBeGreaterThan(0)
    for (const statement of statements) expect(statement).toMatch(/^SELECT /)
  })
})
