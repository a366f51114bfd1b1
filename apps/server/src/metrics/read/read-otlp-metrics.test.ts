import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { makeItem } from '../../ingest/index.ts'
import { otlpAnswer } from '../../ingest/door/otlp-answer.ts'
import { describe, expect, it } from 'vitest'
import { RECEIVED_AT } from '../../event/normalise/digest-item.fixture.ts'
import { LIMITS } from '../limits.ts'
import type { ReadMetrics } from '../metric.ts'
import { METRIC_EXPORTS } from '../serve.ts'
import { exportOf } from '../test-metrics.ts'
import { readOtlpMetrics } from './read-otlp-metrics.ts'

/** Exports of OpenTelemetry, in JSON and in protobuf. */

const NANOS = BigInt(RECEIVED_AT - 5000) * 1_000_000n + 123_456n

const wrapped = (metrics: readonly object[]) => ({
  resourceMetrics: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'billing' } }] },
      scopeMetrics: [{ scope: { name: 'meter' }, metrics }],
    },
  ],
})

const read = (payload: Uint8Array | object): ReadMetrics => {
  const found = readOtlpMetrics(exportOf(1, payload))
  if (!found.ok) throw new Error(found.error.detail)
  return found.value
}

const readAll = (metrics: readonly object[]): ReadMetrics => read(wrapped(metrics))
const valuesOf = ({ metrics }: ReadMetrics) =>
  metrics.map(({ values }) => values.map(({ value, weight }) => [value, weight]))

const DELIMITED = WireType.LengthDelimited
const message = (write: (writer: BinaryWriter) => BinaryWriter): Uint8Array => write(new BinaryWriter()).finish()
const inside = (field: number, bytes: Uint8Array) => (writer: BinaryWriter) => writer.tag(field, DELIMITED).bytes(bytes)
const all = (...parts: readonly ((writer: BinaryWriter) => BinaryWriter)[]): Uint8Array =>
  message((writer) => parts.reduce((one, part) => part(one), writer))
const text = (field: number, value: string) => (writer: BinaryWriter) => writer.tag(field, DELIMITED).string(value)
const double = (field: number, value: number) => (writer: BinaryWriter) =>
  writer.tag(field, WireType.Bit64).double(value)
const fixed = (field: number, value: bigint) => (writer: BinaryWriter) =>
  writer.tag(field, WireType.Bit64).fixed64(value)
const number = (field: number, value: number) => (writer: BinaryWriter) =>
  writer.tag(field, WireType.Varint).int32(value)
const signed = (field: number, value: number) => (writer: BinaryWriter) =>
  writer.tag(field, WireType.Varint).sint32(value)

const PAIR = all(text(1, 'queue'), inside(2, all(text(1, 'mail'))))
const EXEMPLAR = all(double(3, 1.5), inside(4, Buffer.alloc(8, 0xcd)), inside(5, Buffer.alloc(16, 0xab)))
const NUMBER_POINT = all(
  fixed(3, NANOS),
  (writer) => writer.tag(6, WireType.Bit64).sfixed64(-3n),
  inside(7, PAIR),
  inside(5, EXEMPLAR),
)
const packedDoubles = (values: readonly number[]): Uint8Array =>
  message((writer) => values.reduce((one, value) => one.double(value), writer))
const packedFixed = (values: readonly bigint[]): Uint8Array =>
  message((writer) => values.reduce((one, value) => one.fixed64(value), writer))
const packedVarints = (values: readonly number[]): Uint8Array =>
  message((writer) => values.reduce((one, value) => one.uint32(value), writer))

const HISTOGRAM_POINT = all(
  fixed(3, NANOS),
  fixed(4, 6n),
  double(5, 11),
  inside(6, packedFixed([1n, 3n, 2n])),
  inside(7, packedDoubles([1, 2])),
  inside(8, EXEMPLAR),
  inside(9, PAIR),
  double(11, 0.5),
  double(12, 4),
)
const EXPONENTIAL_POINT = all(
  inside(1, PAIR),
  fixed(3, NANOS),
  fixed(4, 6n),
  double(5, 11),
  signed(6, 0),
  fixed(7, 1n),
  inside(8, all(signed(1, 1), inside(2, packedVarints([2, 0, 1])))),
  inside(9, all(signed(1, 0), inside(2, packedVarints([2])))),
)
const PROTOBUF = all(
  inside(
    1,
    all(
      inside(1, all(inside(1, all(text(1, 'service.name'), inside(2, all(text(1, 'billing'))))))),
      inside(
        2,
        all(
          inside(1, all(text(1, 'meter'))),
          inside(2, all(text(1, 'jobs'), text(3, '{job}'), inside(7, all(inside(1, NUMBER_POINT), number(2, 1))))),
          inside(2, all(text(1, 'wait'), text(3, 's'), inside(9, all(inside(1, HISTOGRAM_POINT), number(2, 1))))),
          inside(2, all(text(1, 'size'), text(3, 'By'), inside(10, all(inside(1, EXPONENTIAL_POINT), number(2, 1))))),
        ),
      ),
    ),
  ),
)

const ATTRIBUTES = [{ key: 'queue', value: { stringValue: 'mail' } }]
const EXEMPLARS = [{ asDouble: 1.5, traceId: 'AB'.repeat(16), spanId: Buffer.alloc(8, 0xcd).toString('base64') }]
const timeUnixNano = NANOS.toString()
const JSON_EXPORT = wrapped([
  {
    name: 'jobs',
    unit: '{job}',
    sum: {
      aggregationTemporality: 'AGGREGATION_TEMPORALITY_DELTA',
      dataPoints: [{ timeUnixNano, asInt: '-3', attributes: ATTRIBUTES, exemplars: EXEMPLARS }],
    },
  },
  {
    name: 'wait',
    unit: 's',
    histogram: {
      aggregationTemporality: 1,
      dataPoints: [
        {
          timeUnixNano,
          count: '6',
          sum: 11,
          bucketCounts: ['1', '3', '2'],
          explicitBounds: [1, 2],
          min: 0.5,
          max: 4,
          attributes: ATTRIBUTES,
          exemplars: EXEMPLARS,
        },
      ],
    },
  },
  {
    name: 'size',
    unit: 'By',
    exponentialHistogram: {
      aggregationTemporality: 1,
      dataPoints: [
        {
          timeUnixNano,
          count: '6',
          sum: 11,
          scale: 0,
          zeroCount: '1',
          positive: { offset: 1, bucketCounts: ['2', '0', '1'] },
          negative: { offset: 0, bucketCounts: ['2'] },
          attributes: ATTRIBUTES,
        },
      ],
    },
  },
])

const answerOf = (payload: Uint8Array | object) => {
  const isBytes = payload instanceof Uint8Array
  const contentType = isBytes ? 'application/x-protobuf' : 'application/json'
  const bytes = isBytes ? payload : Buffer.from(JSON.stringify(payload))
  const checks = new Map(Object.entries(METRIC_EXPORTS))
  return otlpAnswer(contentType, makeItem('otel_metrics_data', bytes, { content_type: contentType }), checks)
}

const gauge = (point: object) => ({ name: 'g', gauge: { dataPoints: [point] } })
const histogram = (point: object, aggregationTemporality = 1) => ({
  name: 'h',
  histogram: { aggregationTemporality, dataPoints: [point] },
})

describe('exports of metrics', () => {
  it('the same metrics in JSON and protobuf are the same', () => {
    const fromJson = read(JSON_EXPORT)
    expect(read(PROTOBUF)).toEqual(fromJson)
    expect(fromJson).toMatchObject({ unreadable: 0, unaddable: 0, beyondLimit: 0 })
    const trace = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) }
    const none = { traceId: '', spanId: '' }
    const shared = {
      at: RECEIVED_AT - 5000,
      nanos: 123_456,
      attributes: { queue: 'mail', 'otel.scope.name': 'meter', 'service.name': 'billing' },
      notes: [],
    }
    expect(fromJson.metrics).toEqual([
      {
        ...shared,
        name: 'jobs',
        type: 'counter',
        unit: 'job',
        sequence: 0,
        values: [{ value: -3, weight: 1, ...trace }],
      },
      {
        ...shared,
        name: 'wait',
        type: 'distribution',
        unit: 'second',
        sequence: 1,
        values: [
          { value: 0.75, weight: 1, ...none },
          { value: 1.5, weight: 3, ...trace },
          { value: 3, weight: 2, ...none },
        ],
      },
      {
        ...shared,
        name: 'size',
        type: 'distribution',
        unit: 'byte',
        sequence: 2,
        values: [
          { value: -1.5, weight: 2, ...none },
          { value: 0, weight: 1, ...none },
          { value: 3, weight: 2, ...none },
          { value: 12, weight: 1, ...none },
        ],
      },
    ])
  })

  it('what counts from its beginning on is a gauge; such a histogram, and a summary, are refused with their reason', () => {
    const sum = (more: object) => ({ name: 's', sum: { dataPoints: [{ asDouble: 5 }], ...more } })
    const found = readAll([
      sum({ aggregationTemporality: 2, isMonotonic: true }),
      sum({ aggregationTemporality: 2 }),
      sum({ aggregationTemporality: 1, isMonotonic: true }),
      histogram({ count: '1', sum: 1 }, 2),
      { name: 'q', summary: { dataPoints: [{ count: '1', sum: 1 }] } },
    ])
    expect(found.metrics.map(({ type, notes }) => [type, notes.length])).toEqual([
      ['gauge', 2],
      ['gauge', 1],
      ['counter', 1],
    ])
    expect(found.metrics[0]?.notes.join()).toContain('kept as a gauge')
    expect(found).toMatchObject({ unreadable: 0, unaddable: 2 })
  })

  it('values that are no numbers, and histograms whose parts do not fit, are refused', () => {
    const points = [
      { asDouble: 'NaN' },
      { asDouble: 'Infinity' },
      { asDouble: '-Infinity' },
      {},
      { asDouble: 1, flags: 1 },
    ]
    const histograms = [
      { count: '1', bucketCounts: ['1'], explicitBounds: [1, 2] },
      { count: '2', bucketCounts: ['1', '1', '0'], explicitBounds: [2, 1] },
      { count: '2', bucketCounts: ['-1', '1'], explicitBounds: [1] },
      { count: '-2', sum: 1 },
      { count: '2' },
      { count: '2', sum: 'NaN' },
      { count: '2', bucketCounts: Array.from({ length: LIMITS.METRIC_BUCKETS + 1 }, () => '1') },
    ]
    const found = readAll([
      ...points.map(gauge),
      ...histograms.map((one) => histogram(one)),
      { gauge: {} },
      { name: 'x' },
    ])
    expect(found).toMatchObject({ metrics: [], unreadable: points.length + histograms.length, unaddable: 0 })
    const wild = {
      name: 'e',
      exponentialHistogram: {
        aggregationTemporality: 1,
        dataPoints: [
          { count: '2', scale: -1000, positive: { offset: 5, bucketCounts: ['1', '1'] } },
          { count: '2', scale: 'NaN', positive: { bucketCounts: ['1', '1'] } },
        ],
      },
    }
    expect(readAll([wild])).toMatchObject({ metrics: [], unreadable: 2 })
  })

  it('a histogram in which nothing happened is read, and of one part or none the average is known', () => {
    expect(
      valuesOf(
        readAll([
          histogram({ count: '0', sum: 0, bucketCounts: ['0', '0'], explicitBounds: [1] }),
          histogram({ count: '4', sum: 10 }),
          histogram({ count: '4', sum: 3, bucketCounts: ['4', '0'], explicitBounds: [1] }),
        ]),
      ),
    ).toEqual([[], [[2.5, 4]], [[0.75, 4]]])
  })

  it('a small export with much beside each part does not become a large one', () => {
    const bucketCounts = Array.from({ length: LIMITS.METRIC_BUCKETS }, () => '1')
    const explicitBounds = bucketCounts.slice(1).map((_, index) => index)
    const attributes = [{ key: 'long', value: { stringValue: 'x'.repeat(60_000) } }]
    const found = readAll([
      histogram({ count: '500', sum: 1, bucketCounts, explicitBounds, min: 0, max: 499, attributes }),
    ])
    expect(found.metrics[0]?.values).toMatchObject([{ weight: LIMITS.METRIC_BUCKETS }])
    expect(found.metrics[0]?.notes.join()).toContain('as their average')
  })

  it('what goes beyond an item is counted, and millions of empty points are no export', () => {
    const dataPoints = Array.from({ length: LIMITS.METRICS_PER_ITEM + 2 }, () => ({ asInt: '1' }))
    const found = readAll([{ name: 'g', gauge: { dataPoints } }])
    expect([found.metrics.length, found.beyondLimit]).toEqual([LIMITS.METRICS_PER_ITEM, 2])
    const empty = new Uint8Array(2_100_000).map((_, index) => (index % 2 === 0 ? 0x0a : 0))
    const metric = all(text(1, 'g'), inside(5, empty))
    const flood = all(inside(1, all(inside(2, all(inside(2, metric))))))
    expect(readOtlpMetrics(exportOf(1, flood))).toMatchObject({
      ok: false,
      error: { outcome: { reason: 'invalid_metric' } },
    })
  })

  it('any bytes are an export or none', () => {
    let seed = 11
    const random = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648)
    let numbers = 0
    for (let round = 0; round < 500; round += 1) {
      const bytes = Uint8Array.from(PROTOBUF)
      for (let change = 0; change < 4; change += 1) bytes[random() % bytes.length] = random() % 256
      const found = readOtlpMetrics(exportOf(1, bytes))
      if (!found.ok) continue
      for (const { values } of found.value.metrics) {
        expect(values.every(({ value, weight }) => Number.isFinite(value) && Number.isFinite(weight))).toBe(true)
        numbers += values.length
      }
    }
    expect(numbers).toBeGreaterThan(500)
  })

  it('T9: data points that are not kept are told in the encoding of the request', () => {
    expect(answerOf(JSON_EXPORT).body).toBe('{}')
    expect(answerOf(PROTOBUF).body).toBe('')
    const points = [{ asInt: '1' }, { asDouble: 'NaN' }]
    const { body } = answerOf(
      wrapped([{ name: 'g', gauge: { dataPoints: points } }, histogram({ count: '1', sum: 1 }, 2)]),
    )
    expect(JSON.parse(String(body))).toEqual({
      partialSuccess: {
        rejectedDataPoints: '2',
        errorMessage: expect.stringContaining('TEMPORALITY_PREFERENCE=delta'),
      },
    })
    const metric = all(text(1, 'g'), inside(5, all(inside(1, all()), inside(1, all(double(4, 1))))))
    const protobuf = answerOf(all(inside(1, all(inside(2, all(inside(2, metric)))))))
    const reader = new BinaryReader(Buffer.from(protobuf.body))
    reader.tag()
    const inner = new BinaryReader(reader.bytes())
    inner.tag()
    expect(Number(inner.int64())).toBe(1)
  })
})
