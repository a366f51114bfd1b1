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
  readSpanId,
  readTraceId,
  secondsOf,
  textOf,
  type KeyValue,
  type OtlpFields,
  type OtlpForm,
  type OtlpJson,
  type OtlpReader,
} from '../../event/index.ts'
import { drop } from '../../ingest/index.ts'
import { LIMITS } from '../limits.ts'

/** Spans of an export: only the fields that are shown. Numbers are those of `opentelemetry/proto/trace/v1/trace.proto`. */

export interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly kind: number
  /** Nanoseconds since the epoch, in decimal digits. */
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly KeyValue[]
  readonly events: readonly OtlpEvent[]
  readonly links: readonly OtlpLink[]
  readonly statusCode: number
  readonly statusMessage: string
  readonly flags: number
}

export interface OtlpEvent {
  readonly timeUnixNano: string
  readonly name: string
  readonly attributes: readonly KeyValue[]
}

export interface OtlpLink {
  readonly traceId: string
  readonly spanId: string
  readonly attributes: readonly KeyValue[]
}

const DELIMITED = WireType.LengthDelimited

const readLink = (reader: OtlpReader): OtlpLink => {
  reader.countValue()
  const attributes: KeyValue[] = []
  let traceId = ''
  let spanId = ''
  readFields(reader, reader.uint32(), (field, type) => {
    if (type !== DELIMITED) return false
    if (field === 1) traceId = hex(reader.bytes())
    else if (field === 2) spanId = hex(reader.bytes())
    else if (field === 4) attributes.push(readPair(reader))
    else return false
    return true
  })
  return { traceId, spanId, attributes }
}

const readEvent = (reader: OtlpReader): OtlpEvent => {
  reader.countValue()
  const attributes: KeyValue[] = []
  let timeUnixNano = '0'
  let name = ''
  readFields(reader, reader.uint32(), (field, type) => {
    if (field === 1 && type === WireType.Bit64) timeUnixNano = String(reader.fixed64())
    else if (field === 2 && type === DELIMITED) name = reader.string()
    else if (field === 3 && type === DELIMITED) attributes.push(readPair(reader))
    else return false
    return true
  })
  return { timeUnixNano, name, attributes }
}

type Draft = {
  -readonly [Key in keyof OtlpSpan]: OtlpSpan[Key] extends readonly (infer Each)[] ? Each[] : OtlpSpan[Key]
}

const emptySpan = (): Draft => ({
  traceId: '',
  spanId: '',
  parentSpanId: '',
  name: '',
  kind: 0,
  startTimeUnixNano: '0',
  endTimeUnixNano: '0',
  attributes: [],
  events: [],
  links: [],
  statusCode: 0,
  statusMessage: '',
  flags: 0,
})

const SPAN_FIELDS: OtlpFields<Draft> = new Map<number, readonly [WireType, (reader: OtlpReader, span: Draft) => void]>([
  [1, [DELIMITED, (reader, span) => (span.traceId = hex(reader.bytes()))]],
  [2, [DELIMITED, (reader, span) => (span.spanId = hex(reader.bytes()))]],
  [4, [DELIMITED, (reader, span) => (span.parentSpanId = hex(reader.bytes()))]],
  [5, [DELIMITED, (reader, span) => (span.name = reader.string())]],
  [6, [WireType.Varint, (reader, span) => (span.kind = reader.int32())]],
  [7, [WireType.Bit64, (reader, span) => (span.startTimeUnixNano = String(reader.fixed64()))]],
  [8, [WireType.Bit64, (reader, span) => (span.endTimeUnixNano = String(reader.fixed64()))]],
  [9, [DELIMITED, (reader, span) => span.attributes.push(readPair(reader))]],
  [11, [DELIMITED, (reader, span) => span.events.push(readEvent(reader))]],
  [13, [DELIMITED, (reader, span) => span.links.push(readLink(reader))]],
  [15, [DELIMITED, (reader, span) => readStatus(reader, span)]],
  [16, [WireType.Bit32, (reader, span) => (span.flags = reader.fixed32())]],
])

const readStatus = (reader: OtlpReader, span: Draft): void =>
  readFields(reader, reader.uint32(), (field, type) => {
    if (field === 2 && type === DELIMITED) span.statusMessage = reader.string()
    else if (field === 3 && type === WireType.Varint) span.statusCode = reader.int32()
    else return false
    return true
  })

const spanOfMessage = (reader: OtlpReader): OtlpSpan => readMessage(reader, emptySpan(), SPAN_FIELDS)

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']
const CODES = ['UNSET', 'OK', 'ERROR']

const spanOfJson = (sent: OtlpJson): OtlpSpan => {
  const status = isObject(sent['status']) ? sent['status'] : {}
  return {
    traceId: idOf(sent['traceId'], 16),
    spanId: idOf(sent['spanId'], 8),
    parentSpanId: idOf(sent['parentSpanId'], 8),
    name: textOf(sent['name']),
    kind: numberOf(sent['kind'], KINDS),
    startTimeUnixNano: digitsOf(sent['startTimeUnixNano']),
    endTimeUnixNano: digitsOf(sent['endTimeUnixNano']),
    attributes: pairsOf(sent['attributes']),
    events: listOf(sent['events']).map((event) => ({
      timeUnixNano: digitsOf(event['timeUnixNano']),
      name: textOf(event['name']),
      attributes: pairsOf(event['attributes']),
    })),
    links: listOf(sent['links']).map((link) => ({
      traceId: idOf(link['traceId'], 16),
      spanId: idOf(link['spanId'], 8),
      attributes: pairsOf(link['attributes']),
    })),
    statusCode: numberOf(status['code'], CODES),
    statusMessage: textOf(status['message']),
    flags: typeof sent['flags'] === 'number' ? sent['flags'] : 0,
  }
}

export const SPAN_EXPORT: OtlpForm<OtlpSpan> = {
  names: { resources: 'resourceSpans', scopes: 'scopeSpans', things: 'spans' },
  single: 'otel_span',
  limit: LIMITS.SPANS_PER_ITEM,
  ofJson: spanOfJson,
  ofMessage: spanOfMessage,
  unreadable: (error) => drop('invalid', 'invalid_span', `It is no export of spans: ${error}`),
}

type Needed = Pick<OtlpSpan, 'traceId' | 'spanId' | 'startTimeUnixNano' | 'endTimeUnixNano'>

const isReadable = ({ traceId, spanId, startTimeUnixNano, endTimeUnixNano }: Needed): boolean =>
  readTraceId(traceId) !== null &&
  readSpanId(spanId) !== null &&
  secondsOf(startTimeUnixNano) !== null &&
  secondsOf(endTimeUnixNano) !== null

const NEEDED = new Set([1, 2, 7, 8])
const NEEDED_FIELDS: OtlpFields<Draft> = new Map([...SPAN_FIELDS].filter(([field]) => NEEDED.has(field)))

/** Only whether each span can be read, at a fraction of the cost: what its sender is told at once. */
export const SPAN_CHECK: OtlpForm<boolean> = {
  ...SPAN_EXPORT,
  ofJson: (sent) =>
    isReadable({
      traceId: idOf(sent['traceId'], 16),
      spanId: idOf(sent['spanId'], 8),
      startTimeUnixNano: digitsOf(sent['startTimeUnixNano']),
      endTimeUnixNano: digitsOf(sent['endTimeUnixNano']),
    }),
  ofMessage: (reader) => isReadable(readMessage(reader, emptySpan(), NEEDED_FIELDS)),
}
