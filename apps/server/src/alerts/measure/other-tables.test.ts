import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  chdb,
  LEDGER_ENGINES,
  type LedgerEngine,
  type OpenedLedger,
  type OpenedTelemetry,
} from '../../storage/conformance/engines.ts'
import { LIMITS } from '../limits.ts'
import { endOf, MINUTE_MS, minuteOf } from './minute.ts'
import type { MeasuredRule, SilenceRule } from './rule.ts'
import { ruleOf } from './test/rows.ts'
import { watched, type Watched } from './test/watched.ts'

/** Rules about tables that are not written by every event: each condition that is offered for them is computed from their rows. */

const MINUTE = minuteOf(Date.parse('2026-11-24T14:20:00.000Z'))
const HOUR_MS = 60 * MINUTE_MS
const WEEK_MS = 7 * 24 * HOUR_MS

/** Received in the middle of a minute. */
const at = (minute: number): number => endOf(minute) - MINUTE_MS / 2

interface Table {
  readonly name: 'feedback' | 'check_ins'
  readonly stored: string
  readonly aggregate: string
  readonly query: string
  /** A row that counts, and one that does not. */
  readonly row: (number: number, received: number) => object
  readonly other: (number: number, received: number) => object
}

const report = (number: number, received: number, message: string) => ({
  organization_id: 1,
  project_id: 1,
  received,
  id: `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`,
  source: 'widget',
  message,
  user: `sender:${number}`,
  release: 'shop@1',
  environment: 'production',
})

const run = (number: number, decided: number, status: string) => ({
  organization_id: 1,
  project_id: 1,
  decided,
  id: number,
  monitor: 'backup',
  environment: 'production',
  status,
  is_late: false,
  duration: -1,
  release: '',
})

const TABLES: readonly Table[] = [
  {
    name: 'feedback',
    stored: 'feedback_reports',
    aggregate: 'count()',
    query: 'message:broken',
    row: (number, received) => report(number, received, 'It is broken'),
    other: (number, received) => report(number, received, 'Thanks'),
  },
  {
    name: 'check_ins',
    stored: 'check_in_results',
    aggregate: 'failure_count()',
    query: 'status:error',
    row: (number, received) => run(number, received, 'error'),
    other: (number, received) => run(number, received, 'ok'),
  },
]

const CASES = TABLES.flatMap((table) =>
  LEDGER_ENGINES.map((engine: LedgerEngine) => ({ ...table, engine: engine.name, open: engine.open })),
)

let telemetry: OpenedTelemetry
beforeAll(async () => {
  telemetry = await chdb.open()
})
afterAll(() => telemetry.close())

describe.each(CASES)('conditions of $name on $engine', ({ aggregate, name, open, other, query, row, stored }) => {
  let opened: OpenedLedger
  let all: Watched
  let rows = 0
  beforeEach(async () => {
    await telemetry.telemetry.client.command({ query: `TRUNCATE TABLE ${stored}` })
    opened = await open()
    all = await watched(telemetry, opened, MINUTE)
  })
  afterEach(() => opened.close())

  const insert = async (count: number, received: number, make = row): Promise<void> => {
    const values = Array.from({ length: count }, () => make((rows += 1), received))
    await telemetry.telemetry.client.insert({ table: stored, values, format: 'JSONEachRow' })
  }
  const ruled = (comparison: MeasuredRule['trigger']['comparison']): MeasuredRule =>
    ruleOf({ projectIds: [1], trigger: { dataset: name, aggregate, windowMinutes: 60, comparison } })
  const steps = (): string[] =>
    all
      .outcomes()
      .filter(({ step }) => step === 'fired' || step === 'over')
      .map(({ minute, step }) => `${minute - MINUTE} ${step}`)
  const sentence = (): string =>
    all
      .outcomes()
      .find(({ step }) => step === 'fired')
      ?.sentence() ?? ''

  it('more than at the same time the day before', async () => {
    all.rules = [ruled({ kind: 'change', direction: 'above', percent: 50, against: 1440, floor: 5 })]
    const measure = all.start()
    await measure.run()
    await insert(10, at(MINUTE + 1) - 24 * HOUR_MS)
    await insert(15, at(MINUTE + 1))
    await insert(40, at(MINUTE + 1), (number, received) => ({ ...row(number, received), project_id: 2 }))
    all.road.pass(1)
    await measure.run()
    expect(steps()).toEqual([])
    await insert(1, at(MINUTE + 2))
    all.road.pass(1)
    await measure.run()
    expect(steps()).toEqual(['2 fired'])
    expect(sentence()).toMatch(/^16 .*; at the same time the day before 10; limit 15 \(50% more\)$/)
  })

  it('more than is usual at this hour of this weekday', async () => {
    for (const week of [1, 2, 3, 4]) {
      for (const beside of [-1, 0, 1]) await insert(4, at(MINUTE) - week * WEEK_MS + beside * HOUR_MS)
    }
    all.rules = [ruled({ kind: 'unusual', direction: 'above', sensitivity: 'normal', floor: 0 })]
    const measure = all.start()
    await measure.run()
    await insert(6, at(MINUTE + 1))
    all.road.pass(1)
    await measure.run()
    expect(steps()).toEqual([])
    await insert(60, at(MINUTE + 2))
    all.road.pass(LIMITS.UNUSUAL_MINUTES)
    await measure.run()
    expect(steps()).toEqual([`${1 + LIMITS.UNUSUAL_MINUTES} fired`])
    expect(sentence()).toMatch(/^66 .*; the last four Tuesdays 13:00 to 16:00 UTC had /)
  })

  it('fewer than a limit', async () => {
    all.rules = [ruled({ kind: 'fixed', direction: 'below', limit: 2, worseLimit: null })]
    await insert(2, at(MINUTE))
    const measure = all.start()
    await measure.run()
    all.road.pass(10)
    for (let count = 0; count < 10; count += 1) await measure.run()
    expect(steps()).toEqual([])
    all.road.pass(50)
    for (let count = 0; count < 20; count += 1) await measure.run()
    expect(steps()).toEqual(['60 fired'])
  })

  it('nothing of what is searched for arrived', async () => {
    const silence: SilenceRule = {
      id: 50,
      version: 1,
      organizationId: 1,
      projectIds: [1],
      query,
      environments: [],
      since: endOf(MINUTE - 600),
      trigger: { source: 'silence', dataset: name, minutes: 30, groupBy: [] },
    }
    all.rules = [silence]
    await insert(1, at(MINUTE))
    await insert(1, at(MINUTE + 20), other)
    const measure = all.start()
    await measure.run()
    all.road.pass(40)
    for (let count = 0; count < 20; count += 1) await measure.run()
    expect(steps()).toEqual(['30 fired'])
    expect(sentence()).toContain('Nothing came for 30 minutes')
    await insert(1, at(MINUTE + 41))
    all.road.pass(1)
    await measure.run()
    expect(steps()).toEqual(['30 fired', '41 over'])
  })
})
