import { parseEnvelope } from '@firsthand/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../accounts/index.ts'
import { RECEIVED_AT } from '../event/normalise/digest-item.fixture.ts'
import { findBackfills, groupsOf } from '../kept-items/backfill.ts'
import { keepItems } from '../kept-items/keep.ts'
import { KEPT_ITEMS } from '../kept-items/kept-item-row.ts'
import { AWAITED } from '../kept-items/kept-items.ts'
import { createFileBlobs } from '../storage/blobs/file-blobs.ts'
import {
  silentLogger,
  TELEMETRY_ENGINES,
  temporaryFolder,
  type OpenedTelemetry,
} from '../storage/conformance/engines.ts'
import { createRowWriter } from '../storage/telemetry/row-writer.ts'
import { LIMITS } from './limits.ts'
import { containerOf, createMetricStore, exportOf, measured, recorded } from './test-metrics.ts'

/** From the bytes of an SDK, through the real engine, to the rows. */

let projects = 300
const newProject = (): number => (projects += 1)

describe.each(TELEMETRY_ENGINES)('metrics on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let metrics: ReturnType<typeof createMetricStore>
  beforeAll(async () => {
    opened = await open()
    metrics = createMetricStore(opened)
  })
  afterAll(() => opened.close())

  it('what an SDK sends is stored: type, unit, value, trace, attributes by their type', async () => {
    const project = newProject()
    const parts = await metrics.store([
      containerOf(project, [
        measured('checkout.time', 187.5, {
          type: 'distribution',
          unit: 'millisecond',
          span_id: 'b'.repeat(16),
          attributes: {
            'sentry.release': { type: 'string', value: 'shop@2' },
            'sentry.environment': { type: 'string', value: 'production' },
            'sentry.sdk.name': { type: 'string', value: 'sentry.javascript.node' },
            'server.address': { type: 'string', value: 'api-3' },
            'user.id': { type: 'string', value: 'u1' },
            'sentry.timestamp.sequence': { type: 'integer', value: 7 },
            items: { type: 'integer', value: 3 },
            paid: { type: 'boolean', value: true },
            route: { type: 'string', value: '/pay' },
            tiers: { type: 'string[]', value: ['a', 'b'] },
            password: { type: 'string', value: 'hunter2' },
          },
        }),
      ]),
    ])
    expect(parts).toEqual([])
    expect(await metrics.rowsOf(project)).toEqual([
      {
        name: 'checkout.time',
        type: 'distribution',
        unit: 'millisecond',
        value: 187.5,
        weight: 1,
        nanos: 0,
        sequence: 7,
        at: RECEIVED_AT - 1000,
        trace: 'a'.repeat(32),
        span: 'b'.repeat(16).toLowerCase(),
        environment: 'production',
        release: 'shop@2',
        service: '',
        server: 'api-3',
        sdk: 'sentry.javascript.node',
        user: 'id:u1',
        strings: { 'user.id': 'u1', route: '/pay', password: '[Filtered]' },
        numbers: { items: 3 },
        flags: { paid: true },
        lists: { tiers: '["a","b"]' },
        notes: [],
      },
    ])
  })

  it.each([
    ['sdk-10/browser-11-trace_metric', [['orders', 'counter', '', 1]]],
    ['sdk-10/node-17-trace_metric', [['orders', 'counter', '', 1]]],
    [
      'sdk-11/node11-007-trace_metric',
      [
        ['m.c', 'counter', '', 1],
        ['m.g', 'gauge', 'millisecond', 2.5],
        ['m.d', 'distribution', '', 3],
      ],
    ],
    ['sdk-11/browser11-038-trace_metric', [['bm', 'counter', '', 1]]],
  ])('the bytes of %s are what was measured', async (name, expected) => {
    const project = newProject()
    const item = recorded(name, project)
    expect(await metrics.store([item])).toEqual([])
    const rows = await metrics.rowsOf(project)
    expect(rows.map((row) => [row['name'], row['type'], row['unit'], row['value']])).toEqual(expected)
    for (const row of rows) {
      expect(row['sdk']).toContain('sentry.javascript')
      expect(row['trace']).toMatch(/^(?!0{32})[0-9a-f]{32}$/)
      expect(row['notes']).toEqual([])
    }
  })

  it('check 75: with an empty trace id, without version and time it is stored all the same', async () => {
    const project = newProject()
    await metrics.store([containerOf(project, [{ trace_id: '', name: 'bare', type: 'gauge', value: 0 }], {})])
    expect(await metrics.rowsOf(project)).toMatchObject([
      { name: 'bare', value: 0, trace: '0'.repeat(32), notes: ['It said no time; it has that of its arrival.'] },
    ])
  })

  it('what measures nothing ends with its reason, and the rest is stored', async () => {
    const project = newProject()
    const item = containerOf(project, [])
    const bad = [
      '{"name":"a","type":"counter","value":1e999}',
      '{"name":"a","type":"counter","value":-1e999}',
      '{"name":"a","type":"counter","value":null}',
      '{"name":"a","type":"counter","value":"5"}',
      '{"name":"","type":"counter","value":1}',
      '{"name":7,"type":"counter","value":1}',
      '{"name":"a","type":"set","value":1}',
      '{"name":"a","value":1}',
      '[]',
      'null',
    ]
    const payload = Buffer.from(`{"items":[${[...bad, '{"name":"good","type":"counter","value":1}'].join(',')}]}`)
    const sent = { ...item, item: { ...item.item, payload } }
    expect(await metrics.store([sent])).toEqual([
      { quantity: bad.length, outcome: { kind: 'invalid', reason: 'invalid_metric' } },
    ])
    expect((await metrics.rowsOf(project)).map(({ name }) => name)).toEqual(['good'])
    const none = { ...item, item: { ...item.item, payload: Buffer.from(`{"items":[${bad.join(',')}]}`) } }
    expect(metrics.expand(none)).toMatchObject({ ok: false, error: { outcome: { reason: 'invalid_metric' } } })
  })

  it('more than one item may hold is counted; long names and units are cut', async () => {
    const many = metrics.expand(
      containerOf(
        newProject(),
        Array.from({ length: LIMITS.METRICS_PER_ITEM + 3 }, () => measured('n', 1)),
      ),
    )
    if (!many.ok) throw new Error(many.error.detail)
    expect(metrics.kind.quantityOf?.(many.value)).toBe(LIMITS.METRICS_PER_ITEM)
    expect(metrics.kind.partsOf?.(many.value)).toEqual([
      { quantity: 3, outcome: { kind: 'invalid', reason: 'too_many_metrics' } },
    ])
    const project = newProject()
    const attributes = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`k${index}`, { type: 'integer', value: index }]),
    )
    await metrics.store([containerOf(project, [measured('n'.repeat(500), 1, { unit: 'u'.repeat(500), attributes })])])
    const [row] = await metrics.rowsOf(project)
    expect(row).toMatchObject({
      name: 'n'.repeat(LIMITS.METRIC_NAME_CHARS),
      unit: 'u'.repeat(LIMITS.METRIC_UNIT_CHARS),
    })
    expect(row?.['notes']).toEqual([
      `Its name had 500 characters, of which the first ${LIMITS.METRIC_NAME_CHARS} are kept.`,
      '9000 attributes were left out: there are too many, or too much text in them.',
    ])
  })

  it('T113: names and keys of any characters come back as they were', async () => {
    const project = newProject()
    const name = `it's "odd"\t\\n 😀 {x:String} '; DROP TABLE metrics --`
    const attributes = JSON.parse(
      `{"__proto__":{"type":"string","value":"own"},"a.b\\"c":{"type":"string","value":"it's\\n"}}`,
    ) as object
    await metrics.store([containerOf(project, [measured(name, -0.5, { attributes })])])
    const [row] = await metrics.rowsOf(project)
    expect(row).toMatchObject({ name, value: -0.5 })
    expect(new Map(Object.entries(row?.['strings'] as object))).toEqual(new Map([['a.b"c', "it's\n"]]))
  })

  it('what comes twice, and a batch that is written again, is added up once', async () => {
    const project = newProject()
    const item = containerOf(
      project,
      Array.from({ length: 30 }, (_, index) => measured('n', index)),
    )
    await metrics.store([item])
    await metrics.store([item])
    await metrics.store([item], false, 'again')
    await metrics.store([item], true, 'again')
    expect(await metrics.rowsOf(project)).toHaveLength(30)
    expect(metrics.kind.keyOf?.(item, okOf(metrics.expand(item)))).toBe(
      metrics.kind.keyOf?.(item, okOf(metrics.expand(item))),
    )
  })

  it('T14: metrics that were kept whole before there were metrics are read by their kind', async () => {
    const project = newProject()
    const item = recorded('sdk-11/node11-007-trace_metric', project)
    const folder = temporaryFolder()
    const stores = { client: opened.telemetry.client, blobs: createFileBlobs(folder.path), logger: silentLogger }
    const kept = (await keepItems([{ item, value: null, id: () => `${project}`, followers: 0 }], stores)).map(
      ({ row }) => row,
    )
    await createRowWriter(stores).insertRows(KEPT_ITEMS, kept, { token: 'kept:metrics', again: false })
    const found = await findBackfills(stores, groupsOf([metrics.kind], AWAITED))
    expect(found.map(({ itemTypes }) => itemTypes)).toEqual([['trace_metric']])
    const page = await found[0]?.reader.read({ segment: 0, offset: 0 }, { records: 10, bytes: 1e9 })
    for (const { record } of page?.records ?? []) {
      if (record.kind !== 'envelope') throw new Error('it is no envelope')
      const parsed = parseEnvelope(record.body)
      if (!parsed.ok) throw new Error(parsed.error.message)
      const { header, items } = parsed.value
      const { receivedAt, sender } = record
      for (const one of items) await metrics.store([{ sender, receivedAt, header, eventId: header.eventId, item: one }])
    }
    expect((await metrics.rowsOf(project)).map(({ name }) => name)).toEqual(['m.c', 'm.g', 'm.d'])
    folder.remove()
  })

  it('T15: metrics of a release that is filtered end as such, all of them', () => {
    const filters = { ...DEFAULT_PROJECT_SETTINGS.filters, releases: ['shop@*'] }
    const attributes = { 'sentry.release': { type: 'string', value: 'shop@2' } }
    const ended = metrics.expand(containerOf(newProject(), [measured('n', 1, { attributes })]), {
      ...DEFAULT_PROJECT_SETTINGS,
      filters,
    })
    expect(ended).toMatchObject({ ok: false, error: { outcome: { kind: 'filtered' } } })
  })

  it('a histogram of OpenTelemetry is a row for each of its parts, and counts as one', async () => {
    const project = newProject()
    const item = exportOf(project, {
      resourceMetrics: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'billing' } }] },
          scopeMetrics: [
            {
              metrics: [
                {
                  name: 'wait',
                  unit: 's',
                  histogram: {
                    aggregationTemporality: 1,
                    dataPoints: [
                      { count: '6', sum: 11, explicitBounds: [1, 2], bucketCounts: ['0', '4', '2'], max: 4 },
                    ],
                  },
                },
              ],
            },
          ],
        },
      ],
    })
    expect(await metrics.store([item])).toEqual([])
    expect(metrics.kind.quantityOf?.(okOf(metrics.expand(item)))).toBe(1)
    expect(await metrics.rowsOf(project)).toMatchObject([
      { name: 'wait', type: 'distribution', unit: 'second', value: 1.5, weight: 4, service: 'billing' },
      { name: 'wait', value: 3, weight: 2, service: 'billing' },
    ])
  })
})

const okOf = <Value>(result: { readonly ok: true; readonly value: Value } | { readonly ok: false }): Value => {
  if (!result.ok) throw new Error('it was refused')
  return result.value
}
