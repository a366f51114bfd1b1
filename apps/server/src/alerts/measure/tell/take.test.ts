import { alertDraft, type AlertDraftInput, type AlertTrigger } from '@firsthand/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLedgerIssueView } from '../../../issues/ledger/issue-view.ts'
import { chdb, LEDGER_ENGINES, type OpenedLedger, type OpenedTelemetry } from '../../../storage/conformance/engines.ts'
import { LIMITS } from '../../limits.ts'
import { createReceivers } from '../../receivers.ts'
import { createAlertWorld } from '../../test/alert-world.ts'
import { createMeasuredAlerts } from '../index.ts'
import { endOf, MINUTE_MS, minuteOf } from '../minute.ts'
import { DATASETS, insertErrors, type SampleError } from '../test/rows.ts'
import { roadAt, type Road } from '../test/watched.ts'

/** What rules about how much tell, and what is kept of them, over real stores. */

let telemetry: OpenedTelemetry
beforeAll(async () => {
  telemetry = await chdb.open()
})
afterAll(() => telemetry.close())

const at = (minute: number): number => endOf(minute) - MINUTE_MS / 2

const repeated = (count: number, error: SampleError): SampleError[] => Array.from({ length: count }, () => error)

type Measured = Extract<AlertTrigger, { readonly source: 'measured' }>

const trigger = (more: Partial<Measured> = {}): Measured => ({
  source: 'measured',
  dataset: 'errors',
  aggregate: 'count()',
  windowMinutes: 5,
  groupBy: [],
  comparison: { kind: 'fixed', direction: 'above', limit: 10, worseLimit: null },
  least: 0,
  recovery: { limit: null, minutes: 0 },
  ...more,
})

const open = async (opened: OpenedLedger) => {
  const world = await createAlertWorld(opened)
  const minute = minuteOf(opened.clock.now())
  const road: Road = roadAt(minute)
  const outlets = {
    enqueue: async (_: unknown, messages: readonly { readonly key: string }[]) => {
      for (const one of messages) if (!world.outbox.has(one.key)) world.outbox.set(one.key, one as never)
    },
    notify: async (_: unknown, some: readonly { readonly key: string }[]) => {
      for (const one of some) world.notices.set(one.key, one as never)
    },
    ownersOf: async () => [],
    fallsThrough: async () => true,
  }
  const { job, states } = createMeasuredAlerts(
    {
      ask: (question) => Promise.resolve(question.otherwise),
      client: telemetry.telemetry.client,
      clock: opened.clock,
      datasets: DATASETS,
      ledger: opened.ledger,
      settled: road,
    },
    {
      rules: world.rules,
      issues: createLedgerIssueView({ ledger: opened.ledger }),
      receivers: createReceivers({ ledger: opened.ledger, ...outlets }),
      outlets,
      snoozePath: (ruleId) => `/a/${ruleId}`,
      told: () => undefined,
    },
  )
  await job.run()
  return {
    ...world,
    minute,
    states,
    watch: (draft: Partial<AlertDraftInput> = {}) =>
      world.add({ name: 'Errors', projects: ['1'], trigger: trigger(), ...draft }),
    /** Errors that are received in a minute, counted from the first. */
    receive: (of: number, errors: number, more: Partial<SampleError> = {}) =>
      insertErrors(telemetry, repeated(errors, { received: at(minute + of), ...more })),
    pass: async (minutes: number): Promise<void> => {
      for (let one = 0; one < minutes; one += 1) {
        road.pass(1)
        opened.clock.set(road.now())
        await job.run()
      }
    },
    lag: async (minutes: number): Promise<void> => {
      road.lag(minutes)
      opened.clock.set(road.now())
      await job.run()
    },
    catchUp: async (): Promise<void> => {
      road.catchUp()
      await job.run()
    },
  }
}

describe.each(LEDGER_ENGINES)('what rules about how much tell, on $name', ({ open: openLedger }) => {
  let opened: OpenedLedger
  let world: Awaited<ReturnType<typeof open>>
  beforeEach(async () => {
    await telemetry.telemetry.client.command({ query: 'TRUNCATE TABLE events' })
    opened = await openLedger()
    world = await open(opened)
  })
  afterEach(() => opened.close())

  const decisions = async () => (await world.evaluations()).map(({ decision, reason }) => `${decision} ${reason}`)

  it('A13: fired, worse and over are messages of one thread, and one incident', async () => {
    await world.watch()
    await world.receive(1, 11)
    await world.pass(1)
    await world.receive(2, 11)
    await world.pass(1)
    await world.pass(6)
    expect(world.headlines()).toEqual([
      'Errors: 11 > 10 errors in 5 minutes',
      'Worse: Errors: 22 > 10 errors in 5 minutes',
      'Back to normal after 6 min: Errors',
    ])
    const messages = world.messages()
    expect(new Set(messages.map(({ thread }) => thread)).size).toBe(1)
    expect(messages.map(({ stage }) => stage)).toEqual(['first', 'update', 'over'])
    expect(await world.incidents()).toMatchObject([{ state: 'over', peak: 22, value_limit: 10 }])
    expect(await decisions()).toEqual(['fired limit', 'worse limit', 'still limit', 'over other', 'quiet other'])
  })

  it('A4, A14: each group is an incident of its own; many that fire at once are one message and a summary', async () => {
    await world.watch({ trigger: trigger({ groupBy: ['release'] }) })
    for (let release = 0; release < 30; release += 1) await world.receive(1, 11, { release: `1.0.${release}` })
    await world.pass(1)
    expect(world.headlines()).toHaveLength(1)
    expect(world.headlines()[0]).toMatch(/^Errors: 11 > 10 errors in 5 minutes, release 1\.0\.\d+$/)
    await world.wait(2 * MINUTE_MS)
    expect(world.headlines()).toHaveLength(2)
    expect(world.headlines()[1]).toMatch(/^29 more alerts of “Errors”: 1\.0\.\d+, /)
    expect(await world.incidents()).toHaveLength(30)
  })

  it('A20: of what goes on to be so an evaluation says how often it was', async () => {
    await world.watch()
    await world.pass(1)
    await world.pass(60)
    const kept = await opened.ledger.db
      .selectFrom('alert_evaluations')
      .select(['decision', 'repeated'])
      .orderBy('id')
      .execute()
    expect(kept.map(({ decision }) => decision)).toEqual(['quiet', 'quiet'])
    expect(kept[0]?.repeated).toBeGreaterThan(0)
    expect(kept[1]?.repeated).toBe(0)
    await world.receive(62, 11)
    await world.pass(1)
    const [, second] = await opened.ledger.db.selectFrom('alert_evaluations').select('repeated').orderBy('id').execute()
    expect((kept[0]?.repeated ?? 0) + (second?.repeated ?? 0) + kept.length).toBe(61)
  })

  const share = (more: Partial<Measured> = {}): AlertTrigger =>
    trigger({
      aggregate: 'failure_rate()',
      comparison: { kind: 'fixed', direction: 'above', limit: 0.5, worseLimit: null },
      ...more,
    })

  it('what fires is over when nothing came for half an hour that could be measured, and is not said to be well', async () => {
    await world.watch({ name: 'Broken', trigger: share() })
    await world.receive(1, 4, { unhandled: true })
    await world.pass(5)
    await world.pass(LIMITS.MEASURE_NOTHING_MINUTES)
    expect(await world.incidents()).toMatchObject([{ state: 'firing' }])
    expect((await world.evaluations()).at(-1)?.sentence).toBe(
      'failure_rate(): nothing to measure in 5 minutes, limit 50%',
    )
    await world.pass(1)
    expect(await world.incidents()).toMatchObject([{ state: 'over' }])
    expect(world.headlines()).toEqual(['Broken: failure_rate() 100% > 50% in 5 minutes', 'Over after 35 min: Broken'])
    expect(JSON.stringify(world.messages().at(-1)?.blocks)).toContain(
      'failure_rate(): nothing was measured for 35 minutes, so whether it is better is not known',
    )
  })

  it('what came before the half hour is over keeps it firing; of groups each has its own', async () => {
    await world.watch({ name: 'Broken', trigger: share({ groupBy: ['release'], windowMinutes: 1 }) })
    await world.receive(1, 4, { unhandled: true, release: 'a' })
    await world.receive(1, 4, { unhandled: true, release: 'b' })
    await world.receive(20, 4, { unhandled: true, release: 'b' })
    await world.pass(LIMITS.MEASURE_NOTHING_MINUTES + 3)
    expect(await world.incidents()).toMatchObject([
      { group_values: expect.stringContaining('"a"'), state: 'over' },
      { group_values: expect.stringContaining('"b"'), state: 'firing' },
    ])
  })

  describe('of a project that is deleted', () => {
    const remove = (id: number) =>
      opened.ledger.db.updateTable('projects').set({ deleted_at: opened.clock.now() }).where('id', '=', id).execute()

    it('too little is over, and says why', async () => {
      const comparison = { kind: 'fixed', direction: 'below', limit: 5, worseLimit: null } as const
      await world.watch({ projects: ['1', '2'], trigger: trigger({ groupBy: ['project'], comparison }) })
      await world.receive(1, 3)
      await world.receive(1, 3, { project: 2 })
      await world.pass(1)
      await remove(1)
      await world.pass(8)
      expect(await world.incidents()).toMatchObject([
        { project_id: 1, state: 'over', untold_end: 'its project was deleted' },
        { project_id: 2, state: 'firing' },
      ])
    })

    it('nothing is missed', async () => {
      const silence: AlertTrigger = { source: 'silence', dataset: 'errors', minutes: 5, groupBy: ['project'] }
      await world.watch({ projects: ['1', '2'], trigger: silence })
      await world.receive(1, 1)
      await world.receive(1, 1, { project: 2 })
      await world.pass(2)
      await remove(1)
      await world.pass(12)
      expect(await world.incidents()).toMatchObject([{ group_values: expect.stringContaining('api'), state: 'firing' }])
    })
  })

  it('A10: a muted rule, and one outside of its hours, says nothing, and the evaluation says why', async () => {
    const rule = await world.watch()
    await world.rules.mute(world.actor(), rule.id, Infinity)
    await world.receive(1, 11)
    await world.pass(1)
    expect(world.headlines()).toEqual([])
    const [first] = await world.evaluations()
    expect(first).toMatchObject({ decision: 'held', reason: 'muted' })
    expect(first?.sentence).toBe('11 > 10 errors in 5 minutes. The alert is muted.')
    await world.pass(6)
    // Nobody hears that something is over of which nobody heard.
    expect(world.headlines()).toEqual([])
  })

  it('A13: whoever was told that it began is told that it is over, past hours and mutes; nobody else is', async () => {
    const rule = await world.watch({
      actions: [
        { kind: 'channel', channelId: '1' },
        { kind: 'channel', channelId: '2', from: 'worse' },
      ],
    })
    await world.receive(1, 11)
    await world.pass(1)
    await world.rules.mute(world.actor(), rule.id, Infinity)
    await world.pass(6)
    expect([...world.outbox.values()].map(({ message, to }) => [to, message.stage])).toEqual([
      [{ channelId: 1 }, 'first'],
      [{ channelId: 1 }, 'over'],
    ])
  })

  it('A10: what fires outside of the hours is told when they begin, if it still goes on, and is over without a word if not', async () => {
    const from = (minutes: number): string => new Date(endOf(world.minute + minutes)).toISOString().slice(11, 16)
    const hours = { timezone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from: from(3), to: from(60) }
    await world.watch({ name: 'Day', conditions: { hours } })
    await world.watch({ name: 'Over by then', trigger: trigger({ windowMinutes: 1 }), conditions: { hours } })
    await world.receive(1, 11)
    await world.pass(2)
    expect(world.headlines()).toEqual([])
    await world.pass(3)
    expect(world.headlines()).toEqual([expect.stringMatching(/^Day: 11 > 10 errors in 5 minutes/)])
    await world.pass(4)
    expect(world.headlines().slice(1)).toEqual([expect.stringMatching(/^Back to normal after \d+ min: Day/)])
  })

  it('A15: what flaps is told as flapping once, and then no more until it is calm', async () => {
    await world.watch({ trigger: trigger({ windowMinutes: 1 }) })
    for (const minute of [1, 3, 5, 7]) await world.receive(minute, 11)
    await world.pass(8)
    const kinds = (): (string | undefined)[] => world.headlines().map((headline) => headline.split(':')[0])
    // Over for the second time is the fourth change: that it flaps is the last word for a while.
    expect(kinds()).toEqual(['Errors', 'Back to normal after 1 min', 'Errors', 'Flapping'])
    expect((await world.incidents()).at(-1)).toMatchObject({ state: 'flapping' })
    await world.pass(20)
    expect(kinds()).toEqual([
      'Errors',
      'Back to normal after 1 min',
      'Errors',
      'Flapping',
      expect.stringMatching(/^Back to normal after/),
    ])
    expect((await world.incidents()).at(-1)).toMatchObject({ state: 'over' })
  })

  it('A13: a message names the worst issues that it counted, and leads to them; that something is over names none', async () => {
    await world.watch()
    // Two issues are known, and the rows of three are there.
    await world.arrive([
      { seed: '1', kind: 'a' },
      { seed: '2', kind: 'b' },
    ])
    await world.receive(1, 3, { issue: 1 })
    await world.receive(1, 9, { issue: 2 })
    await world.receive(1, 1, { issue: 99 })
    await world.pass(1)
    await world.pass(6)
    const [fired, over] = world.messages()
    const list = fired?.blocks.find((block) => block.kind === 'list')
    expect(list?.kind === 'list' && list.items.map(({ path, text }) => [path, text.replace(/.* /, '')])).toEqual([
      ['/organizations/acme/issues/2', '9'],
      ['/organizations/acme/issues/1', '3'],
    ])
    expect(fired?.actions.map(({ label }) => label)).toEqual(['Open', 'Why', 'Snooze the alert'])
    expect(fired?.actions[0]?.path).toMatch(/\/issues\?query=.*&start=.*&end=.*&project=1$/)
    expect(over?.blocks.some((block) => block.kind === 'list')).toBe(false)
  })

  it('A29: an evaluation says how much came too late to count, and no message does', async () => {
    await world.watch()
    await world.receive(1, 11)
    await insertErrors(
      telemetry,
      repeated(300, { received: at(world.minute + 1), at: at(world.minute + 1) - 3 * 3_600_000 }),
    )
    await world.pass(1)
    expect(world.headlines()).toEqual(['Errors: 11 > 10 errors in 5 minutes'])
    const [fired] = await world.evaluations()
    expect(fired?.sentence).toBe('11 > 10 errors in 5 minutes. 300 older ones, sent late, were not counted')
  })

  it('A27: what is told late says so', async () => {
    await world.watch()
    await world.receive(1, 11)
    await world.lag(20)
    expect(world.headlines()).toEqual([])
    expect((await world.states(await world.rules.list(1, 0))).values().next().value).toMatchObject({ state: 'unknown' })
    await world.catchUp()
    const [first] = world.messages()
    expect(JSON.stringify(first?.blocks)).toContain('Evaluated 19 minutes late')
    expect(world.headlines()).toHaveLength(2)
  })

  it('A20: each evaluation has value, limit, window and what it took', async () => {
    await world.watch()
    await world.receive(1, 11)
    await world.pass(1)
    const rows = await opened.ledger.db.selectFrom('alert_evaluations').selectAll().execute()
    expect(rows).toMatchObject([{ value: 11, value_limit: 10, window_minutes: 5, decision: 'fired' }])
    expect(rows[0]?.rows_read).toBeGreaterThan(0)
    const state = (await world.states(await world.rules.list(1, 0))).values().next().value
    expect(state).toMatchObject({ state: 'firing', cost: { evaluations: 1, everyMinutes: 1, isSlowed: false } })
  })

  it('A18: whoever heard of what a rule measured is told that it is switched off', async () => {
    const rule = await world.watch()
    await world.receive(1, 11)
    await world.pass(1)
    await world.rules.enable(world.actor(), rule.id, false)
    await world.pass(1)
    expect(await world.incidents()).toMatchObject([{ state: 'over' }])
    await world.wait(0)
    expect(world.headlines().slice(1)).toEqual([
      expect.stringMatching(/^No longer watched, as the alert was switched off\. Errors: 11 > 10 errors/),
    ])
    expect(new Set(world.messages().map(({ thread }) => thread)).size).toBe(1)
  })

  it('A18: and that it measures something else', async () => {
    const rule = await world.watch()
    await world.receive(1, 11)
    await world.pass(1)
    const changed = alertDraft.parse({ ...rule.draft, trigger: trigger({ groupBy: ['release'] }) })
    await world.rules.change(world.actor(), rule.id, changed, { version: null, imported: null })
    await world.pass(1)
    await world.wait(0)
    const overs = world.headlines().filter((headline) => headline.startsWith('No longer'))
    expect(overs).toEqual([expect.stringMatching(/^No longer watched, as the alert measures something else now\. /)])
  })

  it('a message says at most so often that the same group fires', async () => {
    await world.watch({ frequencyMinutes: 60 })
    await world.receive(1, 11)
    await world.pass(7)
    await world.receive(8, 11)
    await world.pass(1)
    expect(world.headlines()).toEqual(['Errors: 11 > 10 errors in 5 minutes', 'Back to normal after 5 min: Errors'])
    expect((await decisions()).at(-1)).toBe('held frequency')
  })
})
