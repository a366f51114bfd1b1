import { alertDraft, type AlertDraftInput } from '@firsthand/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { batchesOf } from '../alerts/measure/batch.ts'
import { foundOf } from '../alerts/measure/found.ts'
import { minuteOf } from '../alerts/measure/minute.ts'
import { createMeasuredProblem } from '../alerts/measure/problem.ts'
import { numbersOf, PROJECTS, readRule, ruleOf, type RuleSketch } from '../alerts/measure/test/rows.ts'
import { windowOf } from '../alerts/measure/windows.ts'
import {
  LEDGER_ENGINES,
  seedOrganization,
  silentLogger,
  TELEMETRY_ENGINES,
  type OpenedLedger,
  type OpenedTelemetry,
} from '../storage/conformance/engines.ts'
import { createRowWriter } from '../storage/telemetry/row-writer.ts'
import { readCheckIn } from './check-in.ts'
import { applyCheckIns } from './ledger/apply-check-ins.ts'
import { decideStep } from './ledger/decide.ts'
import { checkInsDataset } from './telemetry/result-dataset.ts'
import { createStoredUntil } from './stored-until.ts'
import { createResultWriter } from './write-results.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** A full hour. */
const AT = Date.UTC(2026, 10, 24, 10)
const HOURLY = { schedule: { type: 'crontab', value: '0 * * * *' }, checkin_margin: 5, max_runtime: 10 }

const ENGINES = TELEMETRY_ENGINES.flatMap((telemetry) =>
  LEDGER_ENGINES.map((ledger) => ({ name: `${ledger.name} and ${telemetry.name}`, ledger, telemetry })),
)

describe.each(ENGINES)('how runs of monitors ended, on $name', ({ ledger, telemetry }) => {
  let opened: OpenedLedger
  let store: OpenedTelemetry
  let batch: number
  beforeAll(async () => {
    store = await telemetry.open()
  })
  afterAll(() => store.close())
  beforeEach(async () => {
    await store.telemetry.client.command({ query: 'TRUNCATE TABLE check_in_results' })
    opened = await ledger.open()
    await seedOrganization(opened.ledger)
    batch = 0
  })
  afterEach(() => opened.close())

  const send = async (receivedAt: number, payload: object): Promise<void> => {
    batch += 1
    const checkIn = readCheckIn({ monitor_slug: 'backup', monitor_config: HOURLY, ...payload })
    if (checkIn === null) throw new Error('no check-in')
    await opened.ledger.transaction((transaction) =>
      applyCheckIns({ transaction, dialect: opened.ledger.dialect, batch, isRepeated: false, now: receivedAt }, [
        { ...checkIn, id: `${batch}`, organizationId: 1, projectId: 1, receivedAt },
      ]),
    )
  }
  const decide = async (until: number): Promise<void> => {
    while ((await decideStep(opened.ledger, until)).isPart);
  }
  const writer = () => createRowWriter({ client: store.telemetry.client })
  const write = (way: Pick<ReturnType<typeof createRowWriter>, 'insertRows'> = writer()): Promise<void> =>
    createResultWriter({ ledger: opened.ledger, logger: silentLogger, mostWaiting: 3, writer: way })()
  const waiting = async (): Promise<number> =>
    (await opened.ledger.db.selectFrom('monitor_results').select('id').execute()).length
  const rows = async (columns: string): Promise<unknown> => {
    const result = await store.telemetry.client.query({
      query: `SELECT ${columns} FROM check_in_results FINAL ORDER BY decided, id`,
      format: 'JSONCompactEachRow',
    })
    return result.json()
  }
  /** What a rule finds in the hour that ends with a minute. */
  const found = async (end: number, aggregate: string, { trigger, ...more }: RuleSketch = {}) => {
    const about: RuleSketch['trigger'] = { dataset: 'check_ins', aggregate, windowMinutes: 60, ...trigger }
    const [asked] = batchesOf([readRule(ruleOf({ projectIds: [1], ...more, trigger: about }))])
    const [member] = asked?.members ?? []
    if (asked === undefined || member === undefined) throw new Error('nothing is asked')
    const answer = await numbersOf(store)(asked, { windows: [windowOf(minuteOf(end) - 1, 60)], countsOld: true })
    const { groups, old } = foundOf(answer.rows, member)
    return { old, groups: groups.map(({ value, values }) => [...values, value]) }
  }

  const fiveRuns = async (): Promise<void> => {
    await send(AT, { status: 'ok', duration: 2 })
    await send(AT + HOUR, { status: 'error', release: 'jobs@2' })
    // The run of 12:00 is missed at 12:05, and comes late.
    await decide(AT + 2 * HOUR + 6 * MINUTE)
    await send(AT + 2 * HOUR + 20 * MINUTE, { status: 'in_progress', check_in_id: 'a'.repeat(32) })
    await send(AT + 2 * HOUR + 21 * MINUTE, { status: 'ok', check_in_id: 'a'.repeat(32) })
    // The run of 13:00 begins and does not end.
    await send(AT + 3 * HOUR, { status: 'in_progress', check_in_id: 'b'.repeat(32) })
    await decide(AT + 3 * HOUR + 12 * MINUTE)
    await write()
  }

  it('is noted once each: failed, timed out, late, and those that never came when that is known', async () => {
    await fiveRuns()
    expect(
      await rows('monitor, environment, status, is_late, duration, release, toUnixTimestamp64Milli(decided)'),
    ).toEqual([
      ['backup', 'production', 'ok', false, 2000, '', AT],
      ['backup', 'production', 'error', false, -1, 'jobs@2', AT + HOUR],
      ['backup', 'production', 'missed', false, -1, '', AT + 2 * HOUR + 6 * MINUTE],
      ['backup', 'production', 'ok', true, MINUTE, '', AT + 2 * HOUR + 21 * MINUTE],
      ['backup', 'production', 'timeout', false, -1, '', AT + 3 * HOUR + 12 * MINUTE],
    ])
    expect(await waiting()).toBe(0)
  })

  it('is known as of the check-in that shows it, not before: the minute that ends then is counted already', async () => {
    await send(AT, { status: 'in_progress', check_in_id: 'c'.repeat(32) })
    // Of 11:00 nothing came, and the run of 10:00 did not end.
    const next = AT + HOUR + 7 * MINUTE
    await send(next, { status: 'ok' })
    await write()
    expect(await rows('status, toUnixTimestamp64Milli(decided)')).toEqual([
      ['missed', next],
      ['timeout', next],
      ['ok', next],
    ])
  })

  it('is counted by monitor, by how it ended, and as the share that failed or never came', async () => {
    await fiveRuns()
    const end = AT + 3 * HOUR + 5 * MINUTE
    expect(await found(end, 'failure_count()')).toEqual({ old: 0, groups: [[1]] })
    expect(await found(end, 'failure_rate()')).toEqual({ old: 0, groups: [[0.5]] })
    expect(await found(end, 'count()', { query: 'late:true' })).toEqual({ old: 0, groups: [[1]] })
    expect(await found(end, 'count()', { query: 'status:[missed,timeout]' })).toEqual({ old: 0, groups: [[1]] })
    const by = { trigger: { groupBy: ['monitor'] } }
    expect(await found(AT + 4 * HOUR, 'failure_count()', by)).toEqual({ old: 0, groups: [['backup', 1]] })
    expect(await found(AT + 4 * HOUR, 'failure_count()', { query: 'monitor:other' })).toEqual({ old: 0, groups: [] })
  })

  it('waits for a telemetry that does not answer, and is one row when it is written again', async () => {
    await send(AT, { status: 'error' })
    const away = { insertRows: () => Promise.reject(new Error('away')) }
    await expect(write(away)).rejects.toThrow('away')
    expect(await waiting()).toBe(1)
    // It was written, and whoever did it was killed before the ledger knew.
    const [row] = await opened.ledger.db.selectFrom('monitor_results').selectAll().execute()
    await write()
    if (row === undefined) throw new Error('nothing waited')
    await opened.ledger.db.insertInto('monitor_results').values(row).execute()
    await write({ insertRows: (table, some, to) => writer().insertRows(table, some, { ...to, token: 'another' }) })
    expect(await rows('status')).toEqual([['error']])
    expect(await waiting()).toBe(0)
  })

  it('waits however long telemetry is away, up to so many: of more, the oldest are let go and the log says so', async () => {
    const logged: unknown[] = []
    const away = createResultWriter({
      ledger: opened.ledger,
      logger: { error: (...about) => logged.push(about) },
      mostWaiting: 3,
      writer: { insertRows: () => Promise.reject(new Error('away')) },
    })
    for (const run of [0, 1, 2]) await send(AT + run * HOUR, { status: 'error', release: `jobs@${run}` })
    opened.clock.set(AT + 10 * 24 * HOUR)
    await expect(away()).rejects.toThrow('away')
    expect([await waiting(), logged]).toEqual([3, []])
    await send(AT + 3 * HOUR, { status: 'error', release: 'jobs@3' })
    await expect(away()).rejects.toThrow('away')
    expect(logged).toMatchObject([[expect.stringContaining('counted by no alert'), { results: 1 }]])
    await write()
    expect(await rows('release')).toEqual([['jobs@1'], ['jobs@2'], ['jobs@3']])
  })

  it('is known to be counted up to the oldest that waits, and to what is being decided', async () => {
    let deciding: number | null = null
    const until = createStoredUntil({ ledger: opened.ledger, decidingUntil: () => deciding })
    expect(await until()).toBe(Infinity)
    await send(AT + 5, { status: 'error' })
    await send(AT, { monitor_slug: 'other', status: 'ok' })
    expect(await until()).toBe(AT)
    deciding = AT - 1
    expect(await until()).toBe(AT - 1)
    deciding = null
    await write()
    expect(await until()).toBe(Infinity)
  })
})

describe('a rule about check-ins', () => {
  const problemOf = (trigger: AlertDraftInput['trigger'], query = ''): Promise<string | null> =>
    createMeasuredProblem({
      datasets: [checkInsDataset],
      projects: () => Promise.resolve(PROJECTS),
      ask: (question) => Promise.resolve(question.otherwise),
    })(alertDraft.parse({ name: 'Jobs fail', query, trigger }), 1)
  const measured = (more: object = {}): AlertDraftInput['trigger'] => ({
    source: 'measured',
    dataset: 'check_ins',
    aggregate: 'failure_count()',
    windowMinutes: 60,
    comparison: { kind: 'fixed', direction: 'above', limit: 2 },
    ...more,
  })

  it('is held against a limit, the past and what is usual, by what is known of check-ins', async () => {
    expect(await problemOf(measured(), 'monitor:backup status:missed')).toBeNull()
    expect(await problemOf(measured({ aggregate: 'p95(duration)', groupBy: ['monitor'] }))).toBeNull()
    const change = { kind: 'change', direction: 'above', percent: 50, against: 1440, floor: 5 }
    expect(await problemOf(measured({ aggregate: 'failure_rate()', comparison: change }))).toBeNull()
    expect(await problemOf(measured({ comparison: { kind: 'unusual', direction: 'above' } }))).toBeNull()
    expect(await problemOf(measured(), 'status:gone')).toContain('ok, error, missed, timeout, unknown')
    expect(await problemOf(measured(), 'plan:pro')).toContain('is known: monitor, status, late')
  })

  it('may wait for too few, and for none that ended as it is searched for', async () => {
    expect(await problemOf(measured({ windowMinutes: 1 }))).toContain('5 minutes at least')
    const below = { kind: 'fixed', direction: 'below', limit: 2 }
    expect(await problemOf(measured({ aggregate: 'count()', comparison: below }), 'status:ok')).toBeNull()
    const silence = { source: 'silence', dataset: 'check_ins', minutes: 60 } as const
    expect(await problemOf(silence, 'status:ok monitor:backup')).toBeNull()
    expect(await problemOf(silence, 'monitor:backup')).toContain('Search for what has to come')
  })
})
