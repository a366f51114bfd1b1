import {
  getEventsTimeseries,
  getHeatMap,
  getTraceItem,
  listAttributes,
  listAttributeValues,
  queryEvents,
  queryEventStats,
  validateEvents,
} from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import type { Route } from '../http/index.ts'
import { createAttributeRoutes } from './attributes.routes.ts'
import { createTableRoutes } from './events.routes.ts'
import { createHeatMapRoutes } from './heat-map.routes.ts'
import { createSeriesRoutes } from './series.routes.ts'
import { callRoute } from './test/call.ts'
import { createServices, FROM } from './test/sample-spans.ts'

interface SampleMetric {
  readonly name: string
  readonly value: number
  readonly type?: 'counter' | 'gauge' | 'distribution'
  readonly unit?: string
  readonly weight?: number
  readonly at?: number
  readonly trace?: string
  readonly organization?: number
  readonly strings?: Readonly<Record<string, string>>
}

let ids = 0

const rowOf = ({ trace, organization, at = FROM, ...metric }: SampleMetric) => ({
  organization_id: organization ?? 1,
  project_id: 1,
  type: 'counter',
  unit: '',
  weight: 1,
  ...metric,
  timestamp: at,
  received: at,
  id: String((ids += 1)),
  trace_id: trace ?? '0'.repeat(32),
  environment: 'production',
})

const TRACE = 'c'.repeat(32)
const MINUTE = 60_000

describe.each(TELEMETRY_ENGINES)('metrics asked on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let routes: readonly Route[]
  beforeAll(async () => {
    opened = await open()
    const services = createServices(opened)
    routes = [
      ...createTableRoutes(services),
      ...createSeriesRoutes(services),
      ...createAttributeRoutes(services),
      ...createHeatMapRoutes(services),
    ]
    const time = (value: number, more: Partial<SampleMetric> = {}): SampleMetric => ({
      name: 'checkout.time',
      type: 'distribution',
      unit: 'second',
      value,
      strings: { route: value > 50 ? '/slow' : '/fast' },
      ...more,
    })
    await insert([
      ...Array.from({ length: 100 }, (_, index) => time(index + 1)),
      // Another metric of the same name.
      time(1000, { unit: 'millisecond' }),
      { name: 'orders', value: 5, at: FROM + MINUTE, trace: TRACE, strings: { plan: 'pro' } },
      { name: 'orders', value: 3, strings: { plan: 'free' } },
      { name: 'orders', value: 100, unit: 'item' },
      { name: 'cpu', type: 'gauge', unit: 'percent', value: 75 },
      { name: 'cpu', type: 'gauge', unit: 'percent', value: 85, at: FROM + MINUTE },
      { name: 'parts', type: 'distribution', unit: 'byte', value: 100, weight: 9 },
      { name: 'parts', type: 'distribution', unit: 'byte', value: 1000, weight: 1 },
      { name: 'secret', value: 1, organization: 2 },
    ])
  })
  afterAll(() => opened.close())

  const insert = (values: readonly SampleMetric[]) =>
    opened.telemetry.client.insert({ table: 'metrics', values: values.map(rowOf), format: 'JSONEachRow' })

  const of = { dataset: 'tracemetrics', statsPeriod: '1h' }
  const ask = async (field: readonly string[], more: object = {}) =>
    (await callRoute(routes, queryEvents, { query: { ...of, field, ...more } })).body
  const one = async (...field: string[]): Promise<unknown[]> => Object.values((await ask(field)).data[0] ?? {})
  const refused = (field: readonly string[], more: object = {}): Promise<string> =>
    ask(field, more).then(
      () => 'answered',
      (error: unknown) => (error as Error & { detail: string }).detail,
    )

  it('T12 counter, gauge and distribution with unit come back by fn(value,name,type,unit)', async () => {
    const answer = await ask([
      'sum(value,orders,counter,none)',
      'sum(value,orders,counter,-)',
      'per_second(value,orders,counter,none)',
      'per_minute(value, orders, counter, none)',
      'avg(value,cpu,gauge,percent)',
      'min(value,cpu,gauge,percent)',
      'max(value,cpu,gauge,percent)',
      'last(value,cpu,gauge,percent)',
      'per_second(value,cpu,gauge,percent)',
      'count(value,checkout.time,distribution,second)',
    ])
    const near = (value: number) => expect.closeTo(value, 6)
    expect(Object.values(answer.data[0] ?? {})).toEqual([
      8,
      108,
      near(8 / 3600),
      near(8 / 60),
      80,
      75,
      85,
      85,
      near(2 / 3600),
      100,
    ])
    const { fields, units } = answer.meta
    expect([fields['sum(value,orders,counter,none)'], units['sum(value,orders,counter,none)']]).toEqual([
      'number',
      null,
    ])
    expect([fields['avg(value,cpu,gauge,percent)'], units['avg(value,cpu,gauge,percent)']]).toEqual([
      'percentage',
      'percent',
    ])
    expect(fields['per_second(value,orders,counter,none)']).toBe('rate')

    const times = ['p50', 'p75', 'p90', 'p95', 'p99'].map((name) => `${name}(value,checkout.time,distribution,second)`)
    const percentiles = await ask(times)
    const shares = [50, 75, 90, 95, 99]
    const [row = {}] = percentiles.data
    expect(Object.keys(row)).toEqual(times)
    Object.values(row).forEach((value, index) => {
      expect(Math.abs(Number(value) - (shares[index] ?? 0)), times[index]).toBeLessThan(1.5)
    })
    expect(percentiles.meta.fields[times[0] ?? '']).toBe('duration')
    expect(percentiles.meta.units[times[0] ?? '']).toBe('second')
  })

  it('parts of a histogram count as often as they were measured', async () => {
    const functions = ['count', 'sum', 'avg', 'max', 'p50'].map((name) => `${name}(value,parts,distribution,byte)`)
    const [count, sum, average, largest, median] = await one(...functions)
    expect([count, sum, average, largest]).toEqual([10, 1900, 190, 1000])
    // Between the parts, much nearer to the one that has nine of ten.
    expect(Number(median)).toBeLessThan(300)
  })

  it('groups are those of the metrics that are named; several stand beside each other', async () => {
    const p95 = 'p95(value,checkout.time,distribution,second)'
    const byRoute = await ask(['route', p95], { sort: [`-${p95}`] })
    expect(byRoute.data.map((row) => row['route'])).toEqual(['/slow', '/fast'])
    const both = await ask([
      'sum(value,orders,counter,none)',
      'count(value,cpu,gauge,-)',
      'sum(value,nothing,counter,-)',
    ])
    expect(Object.values(both.data[0] ?? {})).toEqual([8, 2, 0])
    const mixed = await ask(['metric.name', 'sum(value,orders,counter,none)', 'count()'], { sort: ['metric.name'] })
    expect(mixed.data.map((row) => row['metric.name'])).toEqual(['checkout.time', 'cpu', 'orders', 'parts'])
  })

  it('a condition on a function may have the unit of its metric, or another one', async () => {
    const p95 = 'p95(value,checkout.time,distribution,second)'
    const found = async (query: string) => (await ask(['route', p95], { query })).data.map((row) => row['route'])
    expect(await found(`${p95}:>60s`)).toEqual(['/slow'])
    expect(await found(`${p95}:<=1min`)).toEqual(['/fast'])
    expect(await found(`${p95}:>60000`)).toEqual(['/slow'])
    expect(await found('avg(value,cpu,gauge,percent):>70%')).toEqual([''])
    expect(await found('avg(value,cpu,gauge,percent):>90%')).toEqual([])
  })

  it('says what cannot be asked', async () => {
    expect(await refused(['sum(value,orders,set,-)'])).toContain('counter, gauge, distribution')
    expect(await refused(['sum(metric.name,orders,counter,-)'])).toContain('is no number')
    expect(await refused(['sum(value,a,b,c,d,e)'])).toContain('cannot be asked so')
    expect(await refused(['p95(value,checkout.time,distribution,second'])).toContain('neither an attribute')
  })

  it('metrics are listed with type and unit, by a part of their name, and none of others', async () => {
    const listed = await ask(
      ['metric.name', 'metric.type', 'metric.unit', 'count(metric.name)', 'per_second(metric.name)'],
      {
        sort: ['metric.name', 'metric.unit'],
      },
    )
    expect(listed.data.map((row) => Object.values(row).slice(0, 4))).toEqual([
      ['checkout.time', 'distribution', 'millisecond', 1],
      ['checkout.time', 'distribution', 'second', 100],
      ['cpu', 'gauge', 'percent', 2],
      ['orders', 'counter', '', 2],
      ['orders', 'counter', 'item', 1],
      ['parts', 'distribution', 'byte', 10],
    ])
    expect(listed.data[2]?.['per_second(metric.name)']).toBeCloseTo(2 / 3600, 6)
    const part = await ask(['metric.name', 'count()'], { query: 'metric.name:*out*' })
    expect(part.data.map((row) => row['metric.name'])).toEqual(['checkout.time'])
  })

  it('T106 the requests of MCP: attributes, validation, samples and aggregates of metrics', async () => {
    const attributes = async (query: object) =>
      (await callRoute(routes, listAttributes, { query: { itemType: 'tracemetrics', statsPeriod: '1h', ...query } }))
        .body
    const texts = (await attributes({ attributeType: ['string'] })).map(({ key }) => key)
    expect(texts).toEqual(
      expect.arrayContaining(['metric.name', 'metric.type', 'metric.unit', 'route', 'plan', 'trace']),
    )
    expect(await attributes({ attributeType: ['array'] })).toEqual([])
    const numbers = (await attributes({ attributeType: ['number'], substringMatch: 'val' })).map(({ key }) => key)
    expect(numbers).toEqual(['value'])
    const values = await callRoute(routes, listAttributeValues, {
      params: { key: 'plan' },
      query: { itemType: 'tracemetrics', statsPeriod: '1h' },
    })
    expect(values.body.map(({ value }) => value).toSorted()).toEqual(['free', 'pro'])

    const field = ['transaction', 'per_minute(value,orders,counter,-)', 'p75(value,checkout.time,distribution,second)']
    const checked = await callRoute(routes, validateEvents, { query: { ...of, field, sort: [`-${field[1]}`] } })
    expect(checked.body).toMatchObject({ valid: true })
    const wrong = await callRoute(routes, validateEvents, { query: { ...of, field: ['sum(value,orders,set,-)'] } })
    expect(wrong.body.valid).toBe(false)

    const samples = await ask(
      ['id', 'timestamp', 'project', 'trace', 'metric.name', 'metric.type', 'metric.unit', 'value'],
      { query: 'metric.name:orders AND metric.type:counter', sort: ['-timestamp'] },
    )
    expect(samples.data[0]).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      project: 'shop',
      trace: TRACE,
      'metric.name': 'orders',
      'metric.type': 'counter',
      'metric.unit': '',
      value: 5,
    })
    expect(samples.meta.dataset).toBe('tracemetrics')
    const item = await callRoute(routes, getTraceItem, {
      params: { project: 'shop', item: String(samples.data[0]?.['id']) },
      query: { item_type: 'tracemetrics', trace_id: TRACE },
    })
    expect(item.body.attributes).toEqual(expect.arrayContaining([{ name: 'plan', type: 'str', value: 'pro' }]))

    const traced = await ask(['count()'], { query: 'metric.name:orders has:trace' })
    expect(traced.data).toEqual([{ 'count()': 1 }])
    const alone = await ask(['id', 'trace'], { query: 'metric.name:orders plan:free !has:trace' })
    expect(alone.data).toMatchObject([{ trace: '' }])
    const itemOf = (id: unknown, more: object = {}) =>
      callRoute(routes, getTraceItem, {
        params: { project: 'shop', item: String(id) },
        query: { item_type: 'tracemetrics', ...more },
      })
    for (const more of [{}, { trace_id: '' }, { trace_id: '0'.repeat(32) }]) {
      const { body } = await itemOf(alone.data[0]?.['id'], more)
      expect(body.attributes).toEqual(expect.arrayContaining([{ name: 'plan', type: 'str', value: 'free' }]))
    }
    // What is of a trace is asked for with it; and no id is read as a time that cannot be.
    await expect(itemOf(samples.data[0]?.['id'])).rejects.toMatchObject({ status: 404 })
    for (const id of ['f'.repeat(32), '1', `${'0'.repeat(31)}1`]) {
      await expect(itemOf(id)).rejects.toMatchObject({ status: 404 })
    }
  })

  it('over time: by step, by group, in both shapes, and as a heat map', async () => {
    const text = (at: number): string => new Date(at).toISOString().slice(0, 19)
    const range = { dataset: 'tracemetrics', start: text(FROM), end: text(FROM + 3 * MINUTE), interval: '1m' }
    const axis = 'sum(value,orders,counter,none)'
    const stats = (await callRoute(routes, queryEventStats, { query: { ...range, yAxis: [axis] } }))
      .body as unknown as {
      readonly data: [number, { count: number }[]][]
    }
    expect(stats.data.map(([, [point]]) => point?.count)).toEqual([3, 5, 0])
    const { timeSeries } = (
      await callRoute(routes, getEventsTimeseries, {
        query: { ...range, yAxis: [axis], groupBy: ['plan'], topEvents: 5, excludeOther: '1' },
      })
    ).body
    expect(timeSeries.map(({ groupBy, values }) => [groupBy?.[0]?.value, values.map(({ value }) => value)])).toEqual([
      ['pro', [0, 5, 0]],
      ['free', [3, 0, 0]],
    ])
    const typical = 'p50(value,cpu,gauge,percent)'
    const gauge = (await callRoute(routes, getEventsTimeseries, { query: { ...range, yAxis: [typical] } })).body
    expect(gauge.timeSeries[0]?.values.map(({ value }) => value)).toEqual([75, 85, null])
    expect(gauge.timeSeries[0]?.meta).toMatchObject({ valueType: 'percentage', valueUnit: 'percent' })
    const query = 'metric.name:checkout.time'
    const heat = (await callRoute(routes, getHeatMap, { query: { ...range, query } })).body
    expect(JSON.stringify(heat)).toContain('value')
  })

  it('a million names are not listed at once; a part of a name finds its own', async () => {
    await opened.telemetry.client.command({
      query: `INSERT INTO metrics (organization_id, project_id, name, type, timestamp, received, id, value, weight)
        SELECT 1, 2, concat('made.up.', toString(number)), 'counter', fromUnixTimestamp64Milli({at:Int64}),
          fromUnixTimestamp64Milli({at:Int64}), number, 1, 1 FROM numbers(210000)`,
      query_params: { at: FROM },
    })
    const field = ['metric.name', 'metric.type', 'metric.unit', 'count(metric.name)']
    expect(await refused(field, { sort: ['-count(metric.name)'] })).toContain('This question is too large')
    const found = await ask(field, { query: 'metric.name:*up.20999*', sort: ['metric.name'] })
    expect(found.data).toHaveLength(11)
  })
})
