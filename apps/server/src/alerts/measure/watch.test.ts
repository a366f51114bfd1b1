import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { RESULTS_STORED_UNTIL } from '../../monitors/telemetry/result-dataset.ts'
import { chdb, LEDGER_ENGINES, type OpenedLedger, type OpenedTelemetry } from '../../storage/conformance/engines.ts'
import { LIMITS } from '../limits.ts'
import { endOf, MINUTE_MS, minuteOf } from './minute.ts'
import type { SilenceRule } from './rule.ts'
import { insertErrors, ruleOf, type SampleError } from './test/rows.ts'
import { watched, type Watched } from './test/watched.ts'

const MINUTE = minuteOf(Date.parse('2026-11-24T14:20:00.000Z'))

/** Received in the middle of a minute. */
const at = (minute: number): number => endOf(minute) - MINUTE_MS / 2

const repeated = (count: number, error: SampleError): SampleError[] => Array.from({ length: count }, () => error)

const silence = (minutes: number, more: Partial<SilenceRule> = {}): SilenceRule => ({
  id: 50,
  version: 1,
  organizationId: 1,
  projectIds: [1],
  query: '',
  environments: [],
  since: endOf(MINUTE - 600),
  trigger: { source: 'silence', dataset: 'errors', minutes, groupBy: [] },
  ...more,
})

let telemetry: OpenedTelemetry
beforeAll(async () => {
  telemetry = await chdb.open()
})
afterAll(() => telemetry.close())

describe.each(LEDGER_ENGINES)('rules that are watched on $name', ({ open }) => {
  let opened: OpenedLedger
  let all: Watched
  beforeEach(async () => {
    await telemetry.telemetry.client.command({ query: 'TRUNCATE TABLE events' })
    opened = await open()
    all = await watched(telemetry, opened, MINUTE)
  })
  afterEach(() => opened.close())

  const steps = (): string[] =>
    all.outcomes().map(({ group, minute, step }) => {
      const of = group.map(({ value }) => value).join(' ')
      return `${minute - MINUTE} ${of}${of === '' ? '' : ' '}${step}`
    })
  const changes = (): string[] => steps().filter((one) => /fired|over|worse|flapping|calm/.test(one))
  const insert = (errors: readonly SampleError[]): Promise<void> => insertErrors(telemetry, errors)

  it('A4: more than 100 in 5 minutes fires at 101, for each release by itself', async () => {
    all.rules = [ruleOf({ trigger: { groupBy: ['release'] } })]
    const measure = all.start()
    await measure.run()
    await insert([
      ...repeated(100, { received: at(MINUTE + 1), release: '1.0.0' }),
      ...repeated(100, { received: at(MINUTE + 1), release: '2.0.0' }),
    ])
    all.road.pass(1)
    await measure.run()
    expect(changes()).toEqual([])
    await insert([{ received: at(MINUTE + 2), release: '2.0.0' }])
    all.road.pass(1)
    await measure.run()
    expect(changes()).toEqual(['2 2.0.0 fired'])
    const fired = all.outcomes().find(({ step }) => step === 'fired')
    expect(fired).toMatchObject({ value: 101, limit: 100, windowMinutes: 5, reason: 'limit' })
    expect(fired?.sentence()).toBe('101 > 100 errors in 5 minutes')
    all.road.pass(5)
    await measure.run()
    expect(changes()).toEqual(['2 2.0.0 fired', '6 2.0.0 over'])
  })

  it('A27: a minute waits until rows are there that are stored beside the digest, and is then evaluated once', async () => {
    const comparison = { kind: 'fixed', direction: 'above', limit: 0, worseLimit: null } as const
    all.rules = [ruleOf({ trigger: { dataset: 'check_ins', aggregate: 'failure_count()', comparison } })]
    let storedUntil = Infinity
    const measure = all.start({
      ask: (question) =>
        Promise.resolve(
          question.name === RESULTS_STORED_UNTIL.name ? (storedUntil as typeof question.otherwise) : question.otherwise,
        ),
    })
    await measure.run()
    // It was decided in the first minute, and telemetry is away for hours.
    storedUntil = at(MINUTE + 1)
    for (let hour = 0; hour < 2; hour += 1) {
      all.road.pass(60)
      await measure.run()
    }
    expect(all.outcomes()).toEqual([])
    const run = { organization_id: 1, project_id: 1, decided: at(MINUTE + 1), id: 1, monitor: 'backup' }
    const values = [{ ...run, environment: 'production', status: 'error', is_late: false, duration: -1, release: '' }]
    await telemetry.telemetry.client.insert({ table: 'check_in_results', values, format: 'JSONEachRow' })
    storedUntil = Infinity
    for (let count = 0; count < 10; count += 1) await measure.run()
    expect(changes()).toEqual(['1 fired', '6 over'])
    expect(new Set(all.told.map(({ minute }) => minute)).size).toBe(all.told.length)
  })

  it('no rule waits for rows of a table of which no rule is', async () => {
    all.rules = [ruleOf()]
    const measure = all.start({
      ask: (question) =>
        Promise.resolve(
          question.name === RESULTS_STORED_UNTIL.name ? (0 as typeof question.otherwise) : question.otherwise,
        ),
    })
    await measure.run()
    all.road.pass(2)
    await measure.run()
    expect(measure.progress().until).toBe(endOf(MINUTE + 2))
  })

  describe('what fires is over, for whoever heard of it as well,', () => {
    const gone: number[] = []
    const fire = async () => {
      gone.length = 0
      const comparison = { kind: 'fixed', direction: 'above', limit: 0, worseLimit: null } as const
      const rule = ruleOf({ projectIds: [1], trigger: { groupBy: ['release'], comparison } })
      all.rules = [rule]
      const start = () =>
        all.start({
          gone: (ids) => {
            gone.push(...ids)
            return Promise.resolve()
          },
        })
      const measure = start()
      await measure.run()
      await insert([{ received: at(MINUTE + 1), release: '1.0.0' }])
      all.road.pass(1)
      await measure.run()
      expect(changes()).toEqual(['1 1.0.0 fired'])
      return { rule, measure, start }
    }
    const kept = () => opened.ledger.db.selectFrom('measured_courses').select('group_key').execute()

    it('when its rule is not about groups any more, also while nobody listened', async () => {
      const { rule, start } = await fire()
      all.rules = [{ ...rule, version: 2, trigger: { ...rule.trigger, groupBy: [] } }]
      all.road.pass(1)
      await start().run()
      expect(gone).toEqual([rule.id])
      expect(await kept()).toEqual([{ group_key: '[]' }])
    })

    it('when it is switched off, also where the server ends before that is written down', async () => {
      const { rule, start } = await fire()
      all.rules = []
      all.road.pass(1)
      const killed = (ids: readonly number[]) =>
        ids.length === 0 ? Promise.resolve() : Promise.reject(new Error('killed'))
      await expect(all.start({ gone: killed }).run()).rejects.toThrow('killed')
      all.road.pass(1)
      await start().run()
      expect(gone).toEqual([rule.id])
      expect(await kept()).toEqual([])
    })

    it('when none of its projects is left', async () => {
      const { rule, measure } = await fire()
      all.rules = [{ ...rule, version: 2, projectIds: [] }]
      all.road.pass(1)
      await measure.run()
      expect(gone).toEqual([rule.id])
      expect(await kept()).toEqual([])
    })

    it('and of no project nothing is missed', async () => {
      await fire()
      all.rules = [silence(5, { projectIds: [] })]
      all.road.pass(1)
      const before = all.outcomes().length
      await all.start().run()
      expect(all.outcomes().slice(before)).toEqual([])
    })

    it('and not when something else of it changes', async () => {
      const { rule, measure } = await fire()
      all.rules = [{ ...rule, version: 2, query: 'level:error' }]
      all.road.pass(1)
      await measure.run()
      expect(gone).toEqual([])
      expect(await kept()).toEqual([{ group_key: '["1.0.0"]' }])
    })
  })

  it('A27: while the digest stands nothing is decided; then each minute is evaluated once, and says how late', async () => {
    all.rules = [
      ruleOf({
        projectIds: [1],
        trigger: { comparison: { kind: 'fixed', direction: 'above', limit: 0, worseLimit: null } },
      }),
    ]
    const measure = all.start()
    await measure.run()
    for (const minute of [1, 16]) await insert([{ received: at(MINUTE + minute) }])
    for (let minute = 1; minute <= 20; minute += 1) {
      all.road.lag(1)
      await measure.run()
    }
    expect(all.outcomes().filter(({ minute }) => minute > MINUTE)).toEqual([])
    all.road.catchUp()
    await measure.run()
    await measure.run()
    expect(changes()).toEqual(['1 fired', '6 over', '16 fired'])
    expect(all.outcomes().find(({ step }) => step === 'fired')?.lateSeconds).toBeGreaterThan(18 * 60)
    const clock = await opened.ledger.db.selectFrom('measured_clock').select('minute').executeTakeFirstOrThrow()
    expect(clock.minute).toBe(MINUTE + 20)
  })

  it('A30: of two processes one does a minute, and the other goes on from there', async () => {
    all.rules = [
      ruleOf({
        projectIds: [1],
        trigger: { comparison: { kind: 'fixed', direction: 'above', limit: 0, worseLimit: null } },
      }),
    ]
    const [first, second] = [all.start(), all.start()]
    await first.run()
    await second.run()
    await insert([{ received: at(MINUTE + 1) }])
    all.road.pass(10)
    await Promise.all([first.run(), second.run()])
    await Promise.all([first.run(), second.run()])
    expect(changes()).toEqual(['1 fired', '6 over'])
    // One that is started anew knows what fires.
    await insert([{ received: at(MINUTE + 11) }])
    all.road.pass(1)
    await first.run()
    all.road.pass(6)
    await all.start().run()
    expect(changes().slice(2)).toEqual(['11 fired', '16 flapping'])
  })

  it('A9: nothing for 10 minutes fires within the minute after, never while the digest stands, and is over with what comes', async () => {
    await insert([{ received: at(MINUTE - 2) }])
    all.rules = [silence(10)]
    const measure = all.start()
    await measure.run()
    all.road.lag(30)
    await measure.run()
    expect(changes()).toEqual([])
    await insert([{ received: at(MINUTE + 5) }])
    all.road.catchUp()
    await measure.run()
    // Received in the middle of minute 5: ten minutes are over in the middle of minute 15.
    expect(changes()).toEqual(['15 fired'])
    const fired = all.outcomes().find(({ step }) => step === 'fired')
    expect(endOf(fired?.minute ?? 0) - at(MINUTE + 5)).toBeLessThanOrEqual(11 * MINUTE_MS)
    expect(fired?.sentence()).toContain('Nothing came for 10 minutes')
    await insert([{ received: at(MINUTE + 31) }])
    all.road.pass(2)
    await measure.run()
    expect(changes()).toEqual(['15 fired', '31 over'])
  })

  it('A9: of groups each is missed by itself, and a filtered rule by its own rows', async () => {
    await insert([
      { received: at(MINUTE - 3), release: '1.0.0' },
      { received: at(MINUTE - 3), release: '2.0.0' },
      ...[1, 4, 8].map((minute) => ({ received: at(MINUTE + minute), release: '1.0.0', user: 'anna' })),
    ])
    all.rules = [
      silence(5, { trigger: { source: 'silence', dataset: 'errors', minutes: 5, groupBy: ['release'] } }),
      silence(3, { id: 51, query: 'user.id:anna', since: endOf(MINUTE) }),
    ]
    const measure = all.start()
    await measure.run()
    all.road.pass(9)
    await measure.run()
    expect(changes()).toEqual(['2 2.0.0 fired', '7 fired', '8 over'])
  })

  it('that somebody listens is written down now and then, not at every look', async () => {
    const heardUntil = async (): Promise<number> =>
      (await opened.ledger.db.selectFrom('measured_clock').select('heard_until').executeTakeFirstOrThrow()).heard_until
    const second = 1 / 60
    const measure = all.start()
    await measure.run()
    const began = await heardUntil()
    all.road.pass(19 * second)
    await measure.run()
    expect(await heardUntil()).toBe(began)
    all.road.pass(second)
    await measure.run()
    expect(await heardUntil()).toBe(all.road.now())
  })

  it('A28: a clock that is set forward makes no silence, and no minute is evaluated twice', async () => {
    await insert([{ received: at(MINUTE) }])
    all.rules = [
      silence(30),
      ruleOf({
        id: 2,
        projectIds: [1],
        trigger: { windowMinutes: 10, comparison: { kind: 'fixed', direction: 'below', limit: 1, worseLimit: null } },
      }),
    ]
    const measure = all.start()
    await measure.run()
    all.road.setForward(3_600_000)
    await insert(Array.from({ length: 40 }, (_, minute) => ({ received: at(MINUTE + 61 + minute) })))
    await measure.run()
    all.road.pass(20)
    await measure.run()
    expect(changes()).toEqual([])
    const unknown = all.outcomes().find(({ step }) => step === 'unknown')
    expect(unknown?.sentence()).toMatch(/^Nothing could be received from 14:21 UTC to 15:21 UTC/)
  })

  it('a time in which the server was away does not end what fires for want of something to measure', async () => {
    const comparison = { kind: 'fixed', direction: 'above', limit: 0.5, worseLimit: null } as const
    all.rules = [ruleOf({ trigger: { aggregate: 'failure_rate()', comparison } })]
    const before = all.start()
    await before.run()
    await insert([{ received: at(MINUTE + 1), unhandled: true }])
    all.road.pass(1)
    await before.run()
    expect(changes()).toEqual(['1 fired'])
    all.road.pass(45)
    const measure = all.start()
    await measure.run()
    // The first window without a moment of it ends six minutes after the start.
    all.road.pass(LIMITS.MEASURE_NOTHING_MINUTES + 5)
    await measure.run()
    expect(changes()).toEqual(['1 fired'])
    all.road.pass(1)
    await measure.run()
    expect(changes()).toEqual(['1 fired', '82 over'])
  })

  it('A9: after the server was away, silence counts from its start', async () => {
    await insert([{ received: at(MINUTE) }])
    all.rules = [silence(10)]
    await all.start().run()
    all.road.pass(60)
    const measure = all.start()
    await measure.run()
    all.road.pass(9)
    await measure.run()
    expect(changes()).toEqual([])
    all.road.pass(2)
    await measure.run()
    expect(changes()).toEqual(['71 fired'])
  })

  it('A9: a silence goes on over a start of the server and a change of its rule, until something comes', async () => {
    await insert([{ received: at(MINUTE) }])
    all.rules = [silence(10)]
    const before = all.start()
    await before.run()
    all.road.pass(15)
    await before.run()
    expect(changes()).toEqual(['10 fired'])
    all.road.pass(30)
    const measure = all.start()
    await measure.run()
    all.road.pass(1)
    await measure.run()
    all.rules = [silence(10, { version: 2, since: all.road.now() })]
    all.road.pass(3)
    await measure.run()
    expect(changes()).toEqual(['10 fired'])
    await insert([{ received: at(MINUTE + 51) }])
    all.road.pass(3)
    await measure.run()
    expect(changes()).toEqual(['10 fired', '51 over'])
  })

  it('A27: of days in which the server was away no minute is evaluated, and the first after them is', async () => {
    all.rules = [ruleOf({ projectIds: [1] })]
    await all.start().run()
    all.road.pass(10 * 1440)
    const measure = all.start()
    await measure.run()
    all.road.pass(1)
    await measure.run()
    expect(all.told.map(({ minute }) => minute - MINUTE)).toEqual([1, 10 * 1440, 10 * 1440 + 1])
  })

  it('A34: while telemetry is away nothing is decided, and later nothing is skipped', async () => {
    all.rules = [
      ruleOf({
        projectIds: [1],
        trigger: { comparison: { kind: 'fixed', direction: 'above', limit: 0, worseLimit: null } },
      }),
    ]
    let isAway = false
    const measure = all.start({
      client: {
        query: (...query: Parameters<typeof telemetry.telemetry.client.query>) =>
          isAway ? Promise.reject(new Error('away')) : telemetry.telemetry.client.query(...query),
      },
    })
    await measure.run()
    await insert([{ received: at(MINUTE + 2) }])
    isAway = true
    for (let minute = 0; minute < 5; minute += 1) {
      all.road.pass(1)
      await expect(measure.run()).rejects.toThrow('away')
    }
    const { now, until } = measure.progress()
    expect(now - (until ?? 0)).toBeGreaterThan(5 * MINUTE_MS)
    expect(changes()).toEqual([])
    isAway = false
    all.road.pass(4)
    await measure.run()
    expect(changes()).toEqual(['2 fired', '7 over'])
  })

  it('A29: what is three hours old by its own time trips nothing, and the explanation counts it', async () => {
    all.rules = [ruleOf({ projectIds: [1] })]
    const measure = all.start()
    await measure.run()
    await insert(repeated(300, { received: at(MINUTE + 1), at: at(MINUTE + 1) - 3 * 3_600_000 }))
    all.road.pass(1)
    await measure.run()
    expect(changes()).toEqual([])
    // It is told whenever it is kept: the first of a version is.
    all.rules = [ruleOf({ projectIds: [1], version: 2 })]
    all.road.pass(1)
    await measure.run()
    expect(all.outcomes().at(-1)?.sentence()).toBe('0 < 100 errors in 5 minutes')
  })

  it('A17, A20: an edit keeps what fires; each evaluation says value, limit, window and why', async () => {
    all.rules = [ruleOf({ projectIds: [1] })]
    const measure = all.start()
    await measure.run()
    await insert(repeated(150, { received: at(MINUTE + 1) }))
    all.road.pass(1)
    await measure.run()
    all.rules = [
      ruleOf({
        projectIds: [1],
        version: 2,
        trigger: { comparison: { kind: 'fixed', direction: 'above', limit: 120, worseLimit: null } },
      }),
    ]
    all.road.pass(1)
    await measure.run()
    expect(changes()).toEqual(['1 fired'])
    expect(
      all
        .outcomes()
        .map((outcome) => [outcome.step, outcome.value, outcome.limit, outcome.windowMinutes, outcome.reason]),
    ).toEqual([
      ['fired', 150, 100, 5, 'limit'],
      ['still', 150, 120, 5, 'limit'],
    ])
  })

  describe('what goes on to be so is kept once and counted:', () => {
    const counted: number[] = []
    const pass = async (minutes: number, before: (minute: number) => Promise<void> = () => Promise.resolve()) => {
      counted.length = 0
      const measure = all.start({
        take: (outcomes, minute, repeated) =>
          Promise.resolve(() => {
            counted.push(...repeated.map(({ times }) => times))
            all.told.push({ minute, outcomes })
            return Promise.resolve()
          }),
      })
      await measure.run()
      for (let minute = 1; minute <= minutes; minute += 1) {
        await before(MINUTE + minute)
        all.road.pass(1)
        await measure.run()
      }
    }

    it('an alert that cannot be evaluated', async () => {
      all.rules = [ruleOf({ projectIds: [1], trigger: { aggregate: 'nothing()' } })]
      await pass(60)
      expect(all.outcomes().map(({ step }) => step)).toEqual(['unknown', 'unknown'])
      expect(counted).toEqual([expect.any(Number)])
    })

    it('an alert whose groups are others each minute, and all of them quiet', async () => {
      all.rules = [ruleOf({ projectIds: [1], trigger: { groupBy: ['release'] } })]
      await pass(10, (minute) => insert([{ received: at(minute), release: `1.0.${minute}` }]))
      expect(all.outcomes().map(({ step }) => step)).toEqual(['quiet'])
    })
  })

  it('A33: each evaluation says how many rows were read and how long that took', async () => {
    await insert(repeated(50, { received: at(MINUTE) }))
    all.rules = [ruleOf({ projectIds: [1] }), ruleOf({ id: 2, projectIds: [1], query: 'user.id:anna' })]
    const measure = all.start()
    await measure.run()
    for (const outcome of all.outcomes()) {
      expect(outcome.milliseconds).toBeGreaterThan(0)
      expect(outcome.rows).toBeGreaterThan(0)
    }
    expect(measure.costOf(2)).toMatchObject({ everyMinutes: 1, slowedAt: null })
  })
})
