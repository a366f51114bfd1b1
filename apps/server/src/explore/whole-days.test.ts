import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createQuestions, answering } from '../lib/questions.ts'
import {
  LEDGER_ENGINES,
  seedOrganization,
  TELEMETRY_ENGINES,
  type OpenedLedger,
  type OpenedTelemetry,
} from '../storage/conformance/engines.ts'
import { deleteProjectRows, expireTelemetry } from '../storage/retention/telemetry-retention.ts'
import { digestItem } from '../event/normalise/digest-item.fixture.ts'
import { createSpanItems } from '../traces/span-items.ts'
import { createSpanDays, type SpanDays } from '../traces/days/span-days.ts'
import { dueDays, noteSpans, trueDays } from '../traces/ledger/span-days.ts'
import { LIMITS } from '../traces/limits.ts'
import { traces } from '../traces/capability.ts'
import { DAYS_OF_SPANS } from '../traces/telemetry/summed-days.ts'
import { createServices, insertSpans, type SampleSpan } from './test/sample-spans.ts'
import { readTable, type Table, type TableQuery } from './table.ts'

const DAY = 86_400_000
const TODAY = Date.parse('2026-11-20T00:00:00.000Z')
const NOW = TODAY + 13 * 3_600_000 + 123_456
const dayBefore = (days: number): number => TODAY - days * DAY
const signal = new AbortController().signal

/** A digest of rows is as right as it can tell ranks apart, which is less than sums can: those are held against exact ones. */
const TOLERANCE = 0.03
const HALF_A_BUCKET = 0.008

const QUESTION: Partial<TableQuery> = {
  field: [
    'span.op',
    'count()',
    'p50()',
    'p95()',
    'p99(span.duration)',
    'avg(span.duration)',
    'sum(span.duration)',
    'failure_rate()',
    'epm()',
    'tpm()',
  ],
  sort: ['-p95()'],
}

describe.each(TELEMETRY_ENGINES)('T117 sums of whole days on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let ledger: OpenedLedger
  let days: SpanDays
  /** Days that were asked of sums, of the last question. */
  let summed: readonly string[]

  beforeAll(async () => {
    opened = await open()
    ledger = (await LEDGER_ENGINES[0]?.open()) as OpenedLedger
    ledger.clock.set(NOW)
    await seedOrganization(ledger.ledger)
    days = createSpanDays({ client: opened.telemetry.client, ledger: ledger.ledger, clock: ledger.clock })
    for (const before of [1, 2, 3]) await fill(dayBefore(before), LIMITS.SPAN_DAY_ROWS + 1000 * before)
    await fill(TODAY, 5000, NOW - TODAY)
    // Some came twice, and are not merged yet.
    await opened.telemetry.client.command({
      query:
        'INSERT INTO spans SELECT * FROM spans WHERE span_id % 7 = 0 SETTINGS insert_deduplicate = 0, max_execution_time = 0',
    })
  }, 120_000)
  afterAll(async () => {
    await opened.close()
    await ledger.close()
  })

  /** Spans of two projects over a day, some of them sampled. */
  const fill = async (day: number, spans: number, length = DAY): Promise<void> => {
    await opened.telemetry.client.command({
      query: `INSERT INTO spans (organization_id, project_id, trace_id, span_id, is_segment, timestamp, duration, op, status, environment, transaction, sample_rate, received)
        SELECT 1, 1 + number % 2, reinterpretAsUUID(sipHash128(number, {day:Int64})), sipHash64(number, {day:Int64}), number % 20 = 0,
          fromUnixTimestamp64Milli({day:Int64} + toInt64(number * {length:UInt64} / {spans:UInt64})),
          toUInt64(exp(sipHash64(number, 1) % 1000000 / 200000 + 6) * if(number % 20 = 0, 100, 1)),
          ['http.server', 'db', 'db', 'cache.get', 'function'][1 + (number % 20 = 0 ? 0 : 1 + number % 4)],
          if(number % 50 = 0, 'internal_error', 'ok'), if(number % 9 = 0, 'staging', 'production'), concat('/', toString(number % 10)),
          if(number % 3 = 0, 0.25, 1), fromUnixTimestamp64Milli({day:Int64})
        FROM numbers({spans:UInt64})`,
      query_params: { day, spans, length },
    })
  }

  const tableOf = async (more: Partial<TableQuery>, bySums: boolean): Promise<Table> => {
    const questions = createQuestions()
    summed = []
    const whole = async ({
      organizationId,
      period,
    }: {
      organizationId: number
      period: { from: number; to: number }
    }) => {
      const found = await days.whole(organizationId, period)
      summed = found.flatMap(({ from, to }) =>
        Array.from({ length: (to - from) / DAY }, (_, index) =>
          new Date(from + index * DAY).toISOString().slice(5, 10),
        ),
      )
      return found
    }
    if (bySums) questions.learn([answering(DAYS_OF_SPANS, whole)])
    const services = { ...createServices(opened), ask: questions.ask, clock: ledger.clock }
    return readTable(services, 1, { dataset: 'spans', field: ['count()'], statsPeriod: '14d', limit: 100, ...more })
  }

  /** Asks of rows and of sums: both say the same. Answers which days were sums. */
  const compare = async (more: Partial<TableQuery> = QUESTION): Promise<readonly string[]> => {
    const [ofRows, ofSums] = [await tableOf(more, false), await tableOf(more, true)]
    expect(ofRows.rows.length).toBeGreaterThan(0)
    const byGroup = (table: Table) =>
      new Map(
        table.rows.map((row, index) => [
          String(row['span.op'] ?? row['project']),
          { row, sample: table.samples[index] },
        ]),
      )
    const found = byGroup(ofSums)
    expect([...found.keys()].toSorted()).toEqual([...byGroup(ofRows).keys()].toSorted())
    for (const [group, { row, sample }] of byGroup(ofRows)) {
      for (const [name, value] of Object.entries(row)) {
        const other = found.get(group)?.row[name]
        if (typeof value !== 'number') expect(other, name).toBe(value)
        else if (/^p\d|^percentile/.test(name)) {
          expect(
            Math.abs(Number(other) - value),
            `${group} ${name}: ${String(other)}, not ${value}`,
          ).toBeLessThanOrEqual(value * TOLERANCE)
        } else expect(Number(other) / (value || 1), `${group} ${name}`).toBeCloseTo(value === 0 ? 0 : 1, 9)
      }
      expect(found.get(group)?.sample?.rows, group).toBe(sample?.rows)
      expect((found.get(group)?.sample?.weight ?? 0) / (sample?.weight ?? 1), group).toBeCloseTo(1, 9)
    }
    return summed
  }

  const note = (times: readonly number[]): Promise<void> =>
    ledger.ledger.transaction((transaction) => noteSpans({ transaction, now: ledger.clock.now() }, times))

  const late = async (span: SampleSpan): Promise<void> => {
    await note([span.at ?? 0])
    await insertSpans(opened, [span])
  }

  it('says what the rows say, of days that nobody noted when they came, each span once', async () => {
    expect(await compare()).toEqual([])
    await days.run()
    expect(await compare()).toEqual(['11-17', '11-18', '11-19'])
    expect(await compare({ ...QUESTION, query: 'span.op:cache.get !span.status:ok' })).toHaveLength(3)
    expect(await compare({ ...QUESTION, dataset: 'transactions' })).toHaveLength(3)
    expect(await compare({ ...QUESTION, environment: ['staging'] })).toHaveLength(3)
    const raw = { field: ['span.op', 'count()', 'p95()', 'failure_rate()'], disableAggregateExtrapolation: '1' }
    expect(await compare(raw)).toHaveLength(3)
    expect(
      await compare({ field: ['project', 'count()', 'percentile(span.duration,0.9)'], query: 'is_transaction:true' }),
    ).toHaveLength(3)
    expect(
      await compare({ ...QUESTION, statsPeriod: undefined, start: '2026-11-17T10:00:00', end: '2026-11-19T00:00:00' }),
    ).toEqual(['11-18'])
  })

  it('percentiles of sums are half a bucket off at most', async () => {
    const result = await opened.telemetry.client.query({
      query: `SELECT op, arrayMap(micros -> micros / 1000, quantilesExactWeighted(0.5, 0.95, 0.99)(duration, toUInt64(round(1 / sample_rate)))) AS exact
        FROM spans FINAL WHERE timestamp < fromUnixTimestamp64Milli({until:Int64}) GROUP BY op`,
      query_params: { until: NOW },
      format: 'JSONEachRow',
    })
    const { rows } = await tableOf(QUESTION, true)
    expect(summed).toHaveLength(3)
    const exactOf = await result.json<{ op: string; exact: number[] }>()
    expect(exactOf).toHaveLength(4)
    for (const { op, exact } of exactOf) {
      const row = rows.find((one) => one['span.op'] === op)
      for (const [index, name] of ['p50()', 'p95()', 'p99(span.duration)'].entries()) {
        const wanted = exact[index] ?? 0
        expect(Math.abs(Number(row?.[name]) - wanted), `${op} ${name}`).toBeLessThanOrEqual(wanted * HALF_A_BUCKET)
      }
    }
  })

  it('is not asked for what sums do not have', async () => {
    for (const more of [
      { field: ['transaction', 'p95()'] },
      { field: ['span.op', 'max(span.duration)'] },
      { field: ['span.op', 'p95(span.self_time)'] },
      { field: ['span.op', 'count_unique(trace)'] },
      { field: ['span.op', 'equation|count() / 2'] },
      { field: ['span.op', 'count_if(span.duration,greater,1s)'] },
      { field: ['span.op', 'avg(span.duration)'], disableAggregateExtrapolation: '1' },
      { field: ['span.op', 'count()'], query: 'span.duration:>1s' },
      { field: ['span.op', 'count()'], query: 'tags[x]:y' },
      { field: ['span.op', 'count()'], query: 'p95():>1ms' },
      { field: ['span.op', 'timestamp.to_hour', 'count()'] },
      { field: ['span.op', 'timestamp'] },
    ]) {
      await tableOf(more, true)
      expect(summed, JSON.stringify(more)).toEqual([])
    }
  })

  it('a span that comes late is there at once, and in the sums of its day when nothing came for a while', async () => {
    await late({ at: dayBefore(2) + 5000, op: 'late', duration: 7 })
    expect(await compare()).toEqual(['11-17', '11-19'])
    await days.run()
    expect(await compare()).toEqual(['11-17', '11-19'])
    ledger.clock.set(ledger.clock.now() + LIMITS.SPAN_DAY_QUIET_MS)
    await days.run()
    expect(await compare()).toEqual(['11-17', '11-18', '11-19'])
    const { rows } = await tableOf({ ...QUESTION, query: 'span.op:late' }, true)
    expect(rows[0]?.['count()']).toBe(1)
  })

  it('a day whose rows may still be on their way is not summed up', async () => {
    const noted = { at: dayBefore(2) + 6000, op: 'late', duration: 9 }
    await note([noted.at])
    const progress = { spool: 's', number: 1, batch: 1, segment: 0, offset: 0, waiting_types: null }
    const pending = { pending_segment: 0, pending_offset: 9, updated_at: ledger.clock.now() }
    const { db } = ledger.ledger
    await db
      .insertInto('digest_progress')
      .values({ ...progress, ...pending })
      .execute()
    ledger.clock.set(ledger.clock.now() + LIMITS.SPAN_DAY_QUIET_MS)
    await days.run()
    expect(await compare()).toEqual(['11-17', '11-19'])
    await insertSpans(opened, [noted])
    await db.updateTable('digest_progress').set({ pending_segment: null, pending_offset: null }).execute()
    await days.run()
    expect(await compare()).toEqual(['11-17', '11-18', '11-19'])
    expect((await tableOf({ ...QUESTION, query: 'span.op:late' }, true)).rows[0]?.['count()']).toBe(2)
  })

  it('sums that were cut off or lost are made anew, and never counted twice', async () => {
    const { client } = opened.telemetry
    // As after a process that died while it wrote, or before it said so.
    await ledger.ledger.db.updateTable('span_days').set({ summed: null }).execute()
    await client.command({ query: "ALTER TABLE span_days DELETE WHERE op = 'db' SETTINGS mutations_sync = 1" })
    const again = createSpanDays({ client, ledger: ledger.ledger, clock: ledger.clock })
    expect(await again.whole(1, { from: 0, to: NOW })).toEqual([])
    await again.run()
    expect(await compare()).toEqual(['11-17', '11-18', '11-19'])
    await client.command({ query: "ALTER TABLE span_days DROP PARTITION '2026-11-18'" })
    await days.run()
    expect(await compare()).toEqual(['11-17', '11-18', '11-19'])
  })

  it('T20 spans that retention removed are in no sum', async () => {
    const before = dayBefore(3) + 7_200_000
    await ledger.ledger.db.updateTable('organizations').set({ removed_before: before }).execute()
    const tables = traces.agingTables ?? []
    await expireTelemetry(opened.telemetry.client, tables, [{ organizationIds: [1], before }], signal)
    expect(await compare()).toEqual(['11-18', '11-19'])
    await days.run()
    expect(await compare()).toEqual(['11-18', '11-19'])
  })

  it('T20 spans of a project that was deleted are in no sum', async () => {
    await deleteProjectRows(opened.telemetry.client, traces.agingTables ?? [], 2, signal)
    await days.forgetProject(2, signal)
    expect(await compare()).toEqual(['11-18', '11-19'])
    const { rows } = await tableOf({ field: ['project', 'count()'] }, true)
    expect(rows.map((row) => row['project'])).toEqual(['shop'])
    const left = await opened.telemetry.client.query({
      query: 'SELECT DISTINCT project_id AS id FROM span_days',
      format: 'JSONEachRow',
    })
    expect(await left.json()).toEqual([{ id: 1 }])
  })
})

describe.each(LEDGER_ENGINES)('days of spans in a ledger on $name', ({ open }) => {
  let opened: OpenedLedger
  beforeAll(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
  }, 60_000)
  afterAll(() => opened.close())

  it('a batch of the digest notes the days of its spans', async () => {
    const { ledger, clock } = opened
    clock.set(NOW)
    const kind = createSpanItems({ writer: { insert: async () => undefined, insertRows: async () => new Map() } })
    const spans = [dayBefore(2), dayBefore(2) + DAY - 1, TODAY].map((at) => ({
      place: { projectId: 1, id: String(at), at },
      line: '',
    }))
    const entry = {
      item: digestItem('{}', {}),
      value: { spans, segments: [], news: [], parts: [], quantity: 3 },
      id: () => '',
      followers: 0,
    }
    await ledger.transaction(async (transaction) => {
      const { dialect } = ledger
      return kind.apply?.({ transaction, dialect, batch: 1, isRepeated: false, now: NOW }, [entry], [undefined])
    })
    expect(await ledger.db.selectFrom('span_days').selectAll().orderBy('day').execute()).toEqual([
      { day: TODAY / DAY - 2, spans: 2, changed_at: NOW, summed: null },
      { day: TODAY / DAY, spans: 1, changed_at: NOW, summed: null },
    ])
    await ledger.db.deleteFrom('span_days').execute()
  })

  it('a day is due when it is over, has enough spans and nothing came for a while', async () => {
    const { ledger, clock } = opened
    clock.set(NOW)
    const day = TODAY / DAY
    const note = (at: number, spans: number) =>
      ledger.transaction((transaction) =>
        noteSpans(
          { transaction, now: clock.now() },
          Array.from({ length: spans }, () => at),
        ),
      )
    await note(dayBefore(1), LIMITS.SPAN_DAY_ROWS - 1)
    await note(dayBefore(2), LIMITS.SPAN_DAY_ROWS)
    await note(TODAY, LIMITS.SPAN_DAY_ROWS)
    expect(await dueDays(ledger, clock.now())).toEqual([])
    clock.set(NOW + LIMITS.SPAN_DAY_QUIET_MS)
    expect(await dueDays(ledger, clock.now())).toEqual([{ day: day - 2, spans: LIMITS.SPAN_DAY_ROWS }])
    await note(dayBefore(1) + 1, 1)
    clock.set(NOW + 2 * LIMITS.SPAN_DAY_QUIET_MS)
    expect((await dueDays(ledger, clock.now())).map((due) => due.day)).toEqual([day - 1, day - 2])
    expect(await trueDays(ledger, 1, { from: 0, to: NOW })).toEqual([])
    await ledger.db.deleteFrom('span_days').execute()
  })
})
