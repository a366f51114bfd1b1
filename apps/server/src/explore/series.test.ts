import { getEventsMeta, getEventsTimeseries, queryEventStats, validateEvents } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import type { Route } from '../http/index.ts'
import { createTableRoutes } from './events.routes.ts'
import { createSeriesRoutes } from './series.routes.ts'
import { callRoute } from './test/call.ts'
import { createServices, FROM, insertSpans, NOW, type SampleSpan } from './test/sample-spans.ts'

const MINUTE = 60_000

interface StatsLine {
  readonly data: [number, { count: number; comparisonCount?: number }[]][]
  readonly order?: number
}

describe.each(TELEMETRY_ENGINES)('series of spans on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let routes: readonly Route[]
  beforeAll(async () => {
    opened = await open()
    const services = createServices(opened)
    routes = [...createTableRoutes(services), ...createSeriesRoutes(services)]
    const spans: SampleSpan[] = []
    // Group n has 20 - n spans, so that the order of the groups is known; two minutes of them.
    for (let group = 0; group < 12; group += 1) {
      for (let index = 0; index < 20 - group; index += 1) {
        spans.push({
          transaction: 'drawn',
          op: `op.${String(group).padStart(2, '0')}`,
          name: group === 0 ? 'a, b' : 'plain',
          at: FROM + (index % 2) * MINUTE,
          duration: 10 * (group + 1),
        })
      }
    }
    const before = { transaction: 'drawn', at: FROM - 30 * MINUTE }
    await insertSpans(opened, [
      ...spans,
      { ...before, op: 'before' },
      // Groups that are the first now, and were not then.
      ...['then.a', 'then.b'].flatMap((op) => [1, 2, 3].map(() => ({ ...before, transaction: 'moved', op }))),
      { ...before, transaction: 'moved', op: 'now' },
      ...[1, 2, 3, 4].map(() => ({ transaction: 'moved', op: 'now', at: FROM })),
    ])
  })
  afterAll(() => opened.close())

  const text = (at: number): string => new Date(at).toISOString().slice(0, 19)
  const range = { start: text(FROM), end: text(FROM + 10 * MINUTE), interval: '1m', query: 'transaction:drawn' }
  const stats = async (query: object) =>
    (await callRoute(routes, queryEventStats, { query: { dataset: 'spans', ...range, ...query } })).body as unknown
  const series = async (query: object) =>
    (await callRoute(routes, getEventsTimeseries, { query: { dataset: 'spans', ...range, ...query } })).body
  const countsOf = (line: StatsLine | undefined): number[] => line?.data.map(([, [point]]) => point?.count ?? -1) ?? []
  const total = 20 * 12 - (11 * 12) / 2

  it('T46 events-stats of one axis, of several, of the top groups, of both, and of nothing', async () => {
    const one = (await stats({})) as StatsLine
    expect(one.data).toHaveLength(10)
    expect(one.data[0]?.[0]).toBe(FROM / 1000)
    expect(countsOf(one).reduce((sum, count) => sum + count)).toBe(total)

    const several = (await stats({ yAxis: ['count()', 'p50(span.duration)'] })) as Record<string, StatsLine>
    expect(Object.keys(several)).toEqual(['count()', 'p50(span.duration)'])
    expect(several['p50(span.duration)']?.order).toBe(1)
    expect(countsOf(several['count()'])[0]).toBe(countsOf(one)[0])

    const top = (await stats({ topEvents: 10, field: ['span.op', 'count()'], sort: ['-count()'] })) as Record<
      string,
      StatsLine
    >
    expect(Object.keys(top)).toEqual([...Array.from({ length: 10 }, (_, index) => `op.0${index}`), 'Other'])
    expect(countsOf(top['op.00'])).toEqual([10, 10, 0, 0, 0, 0, 0, 0, 0, 0])
    // Two groups are not among the ten: 10 and 9 spans.
    expect(countsOf(top['Other']).reduce((sum, count) => sum + count)).toBe(19)
    const alone = (await stats({ topEvents: 2, field: ['span.op'], excludeOther: '1' })) as object
    expect(Object.keys(alone)).toEqual(['op.00', 'op.01'])

    const both = (await stats({
      topEvents: 2,
      field: ['span.op'],
      yAxis: ['count()', 'max(span.duration)'],
    })) as Record<string, Record<string, StatsLine>>
    expect(Object.keys(both)).toEqual(['op.00', 'op.01', 'Other'])
    expect(countsOf(both['op.01']?.['max(span.duration)'])[0]).toBe(20)
    expect(both['op.01']).toMatchObject({ order: 1 })

    const nothing = (await stats({ topEvents: 5, field: ['span.op'], query: 'transaction:nowhere' })) as object
    expect(Object.keys(nothing)).toEqual([''])
    expect(countsOf((await stats({ query: 'transaction:nowhere' })) as StatsLine)).toEqual(Array(10).fill(0))
  })

  it('T46 values with commas keep groups apart', async () => {
    const top = (await stats({ topEvents: 2, field: ['span.op', 'span.name'], excludeOther: '1' })) as object
    expect(Object.keys(top)).toEqual(['op.00,"a, b"', 'op.01,plain'])
  })

  it('T47 events-timeseries marks what may still grow, compares with the time before, and has at most 2016 points', async () => {
    const recent = await series({ start: undefined, end: undefined, statsPeriod: '1h' })
    const [line] = recent.timeSeries
    const last = line?.values.filter(({ timestamp }) => timestamp + MINUTE > NOW - 90_000) ?? []
    expect(last.length).toBeGreaterThan(0)
    expect(last.every(({ incomplete }) => incomplete)).toBe(true)
    expect(line?.values.filter(({ incomplete }) => incomplete)).toHaveLength(last.length)
    expect(line?.values[0]).toMatchObject({ value: 90, sampleCount: 90, sampleRate: 1, confidence: 'high' })

    const compared = await series({ comparisonDelta: 30 * 60 })
    expect(compared.timeSeries[0]?.values[0]).toMatchObject({ comparisonValue: 1 })
    const older = (await stats({ comparisonDelta: 30 * 60 })) as StatsLine
    expect(older.data[0]?.[1][0]?.comparisonCount).toBe(1)

    const moved = (await stats({
      query: 'transaction:moved',
      field: ['span.op', 'count()'],
      topEvents: 1,
      comparisonDelta: 30 * 60,
    })) as Record<string, StatsLine>
    expect(Object.keys(moved)).toEqual(['now', 'Other'])
    expect(moved['now']?.data[0]?.[1][0]).toMatchObject({ count: 4, comparisonCount: 1 })
    expect(moved['Other']?.data[0]?.[1][0]).toMatchObject({ count: 0, comparisonCount: 6 })

    const fine = await series({ end: text(FROM + 3_000_000_000), interval: '1s' })
    expect(fine.timeSeries[0]?.values.length).toBeLessThanOrEqual(2016)
    const most = await series({ end: text(FROM + 2000 * 1000), interval: '1s' })
    expect(most.timeSeries[0]?.values).toHaveLength(2000)
  })

  it('T47 groups have their values, empty steps no percentile, and units', async () => {
    const { timeSeries } = await series({
      topEvents: 1,
      groupBy: ['span.op', 'project'],
      yAxis: ['p95(span.duration)'],
    })
    expect(timeSeries.map(({ groupBy, meta }) => [groupBy, meta.isOther])).toEqual([
      [
        [
          { key: 'span.op', value: 'op.11' },
          { key: 'project', value: 'shop' },
        ],
        false,
      ],
      [[], true],
    ])
    expect(timeSeries[0]?.meta).toMatchObject({ valueType: 'duration', valueUnit: 'millisecond', interval: MINUTE })
    expect(timeSeries[0]?.values.slice(0, 3).map(({ value }) => value)).toEqual([120, 120, null])
    await expect(series({ topEvents: 3 })).rejects.toThrow('groupBy')
  })

  it('T48 an interval that cannot be read, or is missing, is the usual one', async () => {
    for (const interval of ['soon', '-5', '0', '1y', '', undefined]) {
      const { timeSeries } = await series({ interval })
      expect(timeSeries[0]?.meta.interval, String(interval)).toBe(15_000)
      expect(countsOf((await stats({ interval })) as StatsLine), String(interval)).toHaveLength(40)
    }
    expect((await series({ interval: '120' })).timeSeries[0]?.meta.interval).toBe(120_000)
  })

  it('a rate is of each step, and what is no number over time is refused', async () => {
    expect(countsOf((await stats({ yAxis: ['epm()'] })) as StatsLine)[0]).toBe(90)
    await expect(stats({ yAxis: ['span.op'] })).rejects.toThrow('no number over time')
    await expect(stats({ yAxis: ['any(span.op)'] })).rejects.toThrow('no number over time')
  })

  it('counts what matches, and says before a question what would be refused', async () => {
    const { interval: _, ...scope } = range
    const counted = await callRoute(routes, getEventsMeta, { query: { dataset: 'spans', ...scope } })
    expect(counted.body.count).toBe(total)
    const validate = async (query: object) =>
      (await callRoute(routes, validateEvents, { query: { dataset: 'spans', ...scope, ...query } })).body
    expect(
      await validate({ field: ['span.op', 'p95(span.duration)', 'is_transaction'], sort: ['-p95(span.duration)'] }),
    ).toMatchObject({
      valid: true,
      field: [{ attrType: 'string' }, { attrType: 'number' }, { attrType: 'boolean' }],
    })
    expect(
      await validate({
        field: ['p95(span.op)', 'count()'],
        query: 'span.duration:>soon',
        sort: ['-epm()'],
        project: ['elsewhere'],
      }),
    ).toMatchObject({
      valid: false,
      projects: [{ valid: false }],
      field: [{ valid: false }, { valid: true }],
      query: { valid: false, error: expect.stringContaining('not a number') },
      orderby: [{ valid: false }],
    })
    expect(await validate({ dataset: 'dragons' })).toMatchObject({ valid: false, dataset: [{ valid: false }] })
  })
})
