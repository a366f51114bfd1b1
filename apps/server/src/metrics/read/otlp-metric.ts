import { WireType } from '@bufbuild/protobuf/wire'
import { isObject } from '@firsthand/protocol'
import {
  digitsOf,
  hex,
  idOf,
  listOf,
  numberOf,
  pairsOf,
  readFields,
  readMessage,
  readPair,
  textOf,
  type KeyValue,
  type OtlpFields,
  type OtlpForm,
  type OtlpJson,
  type OtlpReader,
} from '../../event/index.ts'
import { drop } from '../../ingest/index.ts'
import { LIMITS } from '../limits.ts'

/** Metrics of an export. Numbers are those of `opentelemetry/proto/metrics/v1/metrics.proto`. */
export interface OtlpMetric {
  readonly name: string
  readonly unit: string
  readonly kind: 'gauge' | 'sum' | 'histogram' | 'exponential' | 'summary' | 'unknown'
  /** Each export has what was since the last one, and not since the beginning. */
  readonly isDelta: boolean
  readonly isMonotonic: boolean
  readonly points: readonly OtlpPoint[]
}

/** A data point of any kind: fields that its kind has not are as if it had not been sent. */
export interface OtlpPoint {
  readonly timeUnixNano: string
  readonly attributes: readonly KeyValue[]
  /** The lowest bit: that there is no value. */
  readonly flags: number
  readonly value: number | null
  readonly count: number
  readonly sum: number | null
  readonly min: number | null
  readonly max: number | null
  readonly bounds: readonly number[]
  readonly counts: readonly number[]
  readonly scale: number
  readonly zeroCount: number
  readonly positive: Buckets
  readonly negative: Buckets
  readonly exemplars: readonly Exemplar[]
}

export interface Buckets {
  readonly offset: number
  readonly counts: readonly number[]
}

/** One of the things that were measured, by its trace. */
export interface Exemplar {
  readonly value: number | null
  readonly traceId: string
  readonly spanId: string
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] }
type PointDraft = Writable<Omit<OtlpPoint, 'attributes' | 'exemplars'>> & {
  readonly attributes: KeyValue[]
  readonly exemplars: Exemplar[]
}
type MetricDraft = Writable<Omit<OtlpMetric, 'points'>> & { readonly points: OtlpPoint[] }

const NO_BUCKETS: Buckets = { offset: 0, counts: [] }

const emptyPoint = (): PointDraft => ({
  timeUnixNano: '0',
  attributes: [],
  flags: 0,
  value: null,
  count: 0,
  sum: null,
  min: null,
  max: null,
  bounds: [],
  counts: [],
  scale: 0,
  zeroCount: 0,
  positive: NO_BUCKETS,
  negative: NO_BUCKETS,
  exemplars: [],
})

const emptyMetric = (): MetricDraft => ({
  name: '',
  unit: '',
  kind: 'unknown',
  isDelta: false,
  isMonotonic: false,
  points: [],
})

const DELIMITED = WireType.LengthDelimited
const { Bit64, Varint } = WireType

type Fields<Draft> = OtlpFields<Draft>
type Field<Draft> = readonly [number, readonly [WireType, (reader: OtlpReader, draft: Draft) => void]]

const fields = <Draft>(...list: readonly Field<Draft>[]): Fields<Draft> => new Map(list)

/** One too many is read, so that it shows that there were more; the rest is only skipped. */
const packed = (reader: OtlpReader, read: () => number): number[] => {
  const end = reader.uint32() + reader.pos
  const numbers: number[] = []
  while (reader.pos < end && numbers.length <= LIMITS.METRIC_BUCKETS) numbers.push(read())
  reader.pos = Math.max(reader.pos, end)
  return numbers
}

const EXEMPLAR: Fields<Writable<Exemplar>> = fields<Writable<Exemplar>>(
  [3, [Bit64, (reader, draft) => (draft.value = reader.double())]],
  [6, [Bit64, (reader, draft) => (draft.value = Number(reader.sfixed64()))]],
  [4, [DELIMITED, (reader, draft) => (draft.spanId = hex(reader.bytes()))]],
  [5, [DELIMITED, (reader, draft) => (draft.traceId = hex(reader.bytes()))]],
)

const readExemplar = (reader: OtlpReader, { exemplars }: PointDraft): void => {
  reader.countValue()
  exemplars.push(readMessage<Writable<Exemplar>>(reader, { value: null, traceId: '', spanId: '' }, EXEMPLAR))
}

const BUCKETS: Fields<Writable<Buckets>> = fields<Writable<Buckets>>(
  [1, [Varint, (reader, draft) => (draft.offset = reader.sint32())]],
  [2, [DELIMITED, (reader, draft) => (draft.counts = packed(reader, () => Number(reader.uint64())))]],
)

const readBuckets = (reader: OtlpReader): Buckets => readMessage<Writable<Buckets>>(reader, { ...NO_BUCKETS }, BUCKETS)

const time: Field<PointDraft> = [3, [Bit64, (reader, point) => (point.timeUnixNano = String(reader.fixed64()))]]
const pairs = (field: number): Field<PointDraft> => [
  field,
  [DELIMITED, (reader, point) => point.attributes.push(readPair(reader))],
]
const exemplars = (field: number): Field<PointDraft> => [field, [DELIMITED, readExemplar]]
const flags = (field: number): Field<PointDraft> => [
  field,
  [Varint, (reader, point) => (point.flags = reader.uint32())],
]
const count: Field<PointDraft> = [4, [Bit64, (reader, point) => (point.count = Number(reader.fixed64()))]]
const sum: Field<PointDraft> = [5, [Bit64, (reader, point) => (point.sum = reader.double())]]
const min = (field: number): Field<PointDraft> => [field, [Bit64, (reader, point) => (point.min = reader.double())]]
const max = (field: number): Field<PointDraft> => [field, [Bit64, (reader, point) => (point.max = reader.double())]]

const NUMBER_POINT = fields<PointDraft>(
  time,
  pairs(7),
  exemplars(5),
  flags(8),
  [4, [Bit64, (reader, point) => (point.value = reader.double())]],
  [6, [Bit64, (reader, point) => (point.value = Number(reader.sfixed64()))]],
)

const HISTOGRAM_POINT = fields<PointDraft>(
  time,
  pairs(9),
  exemplars(8),
  flags(10),
  count,
  sum,
  min(11),
  max(12),
  [6, [DELIMITED, (reader, point) => (point.counts = packed(reader, () => Number(reader.fixed64())))]],
  [7, [DELIMITED, (reader, point) => (point.bounds = packed(reader, () => reader.double()))]],
)

const EXPONENTIAL_POINT = fields<PointDraft>(
  time,
  pairs(1),
  exemplars(11),
  flags(10),
  count,
  sum,
  min(12),
  max(13),
  [6, [Varint, (reader, point) => (point.scale = reader.sint32())]],
  [7, [Bit64, (reader, point) => (point.zeroCount = Number(reader.fixed64()))]],
  [8, [DELIMITED, (reader, point) => (point.positive = readBuckets(reader))]],
  [9, [DELIMITED, (reader, point) => (point.negative = readBuckets(reader))]],
)

const SUMMARY_POINT = fields<PointDraft>(time, pairs(7), flags(8), count, sum)

const DELTA = 1

const readData = (
  reader: OtlpReader,
  metric: MetricDraft,
  kind: OtlpMetric['kind'],
  point: Fields<PointDraft>,
): void => {
  metric.kind = kind
  readFields(reader, reader.uint32(), (field, type) => {
    if (field === 1 && type === DELIMITED) {
      reader.countValue()
      metric.points.push(readMessage(reader, emptyPoint(), point))
    } else if (field === 2 && type === Varint) metric.isDelta = reader.int32() === DELTA
    else if (field === 3 && type === Varint) metric.isMonotonic = reader.bool()
    else return false
    return true
  })
}

const METRIC = fields<MetricDraft>(
  [1, [DELIMITED, (reader, metric) => (metric.name = reader.string())]],
  [3, [DELIMITED, (reader, metric) => (metric.unit = reader.string())]],
  [5, [DELIMITED, (reader, metric) => readData(reader, metric, 'gauge', NUMBER_POINT)]],
  [7, [DELIMITED, (reader, metric) => readData(reader, metric, 'sum', NUMBER_POINT)]],
  [9, [DELIMITED, (reader, metric) => readData(reader, metric, 'histogram', HISTOGRAM_POINT)]],
  [10, [DELIMITED, (reader, metric) => readData(reader, metric, 'exponential', EXPONENTIAL_POINT)]],
  [11, [DELIMITED, (reader, metric) => readData(reader, metric, 'summary', SUMMARY_POINT)]],
)

const KINDS = [
  ['gauge', 'gauge'],
  ['sum', 'sum'],
  ['histogram', 'histogram'],
  ['exponentialHistogram', 'exponential'],
  ['summary', 'summary'],
] as const

const TEMPORALITIES = ['UNSPECIFIED', '_DELTA', '_CUMULATIVE']

/** `NaN` and `Infinity` are words in JSON; 64-bit numbers are text. */
const numeric = (sent: unknown): number | null =>
  typeof sent === 'number' || (typeof sent === 'string' && sent !== '') ? Number(sent) : null

const numbersOf = (sent: unknown): number[] =>
  Array.isArray(sent) ? sent.slice(0, LIMITS.METRIC_BUCKETS + 1).map((one) => numeric(one) ?? NaN) : []

const bucketsOf = (sent: unknown): Buckets =>
  isObject(sent) ? { offset: numeric(sent['offset']) ?? 0, counts: numbersOf(sent['bucketCounts']) } : NO_BUCKETS

const pointOf = (sent: OtlpJson): OtlpPoint => ({
  timeUnixNano: digitsOf(sent['timeUnixNano']),
  attributes: pairsOf(sent['attributes']),
  flags: numeric(sent['flags']) ?? 0,
  value: numeric(sent['asDouble'] ?? sent['asInt']),
  count: numeric(sent['count']) ?? 0,
  sum: numeric(sent['sum']),
  min: numeric(sent['min']),
  max: numeric(sent['max']),
  bounds: numbersOf(sent['explicitBounds']),
  counts: numbersOf(sent['bucketCounts']),
  scale: numeric(sent['scale']) ?? 0,
  zeroCount: numeric(sent['zeroCount']) ?? 0,
  positive: bucketsOf(sent['positive']),
  negative: bucketsOf(sent['negative']),
  exemplars: listOf(sent['exemplars']).map((one) => ({
    value: numeric(one['asDouble'] ?? one['asInt']),
    traceId: idOf(one['traceId'], 16),
    spanId: idOf(one['spanId'], 8),
  })),
})

const metricOfJson = (sent: OtlpJson): OtlpMetric => {
  const [name, kind] = KINDS.find(([one]) => isObject(sent[one])) ?? ['', 'unknown' as const]
  const data = isObject(sent[name]) ? sent[name] : {}
  return {
    name: textOf(sent['name']),
    unit: textOf(sent['unit']),
    kind,
    isDelta: numberOf(data['aggregationTemporality'], TEMPORALITIES) === DELTA,
    isMonotonic: data['isMonotonic'] === true,
    points: listOf(data['dataPoints']).map(pointOf),
  }
}

export const METRIC_EXPORT: OtlpForm<OtlpMetric> = {
  names: { resources: 'resourceMetrics', scopes: 'scopeMetrics', things: 'metrics' },
  limit: LIMITS.METRICS_PER_ITEM,
  ofJson: metricOfJson,
  ofMessage: (reader) => readMessage(reader, emptyMetric(), METRIC),
  unreadable: (error) => drop('invalid', 'invalid_metric', `It is no export of metrics: ${error}`),
}
