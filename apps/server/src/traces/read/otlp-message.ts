import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import { LIMITS } from '../limits.ts'

/**
 * What OpenTelemetry exporters send, as plain data, from JSON or protobuf: only the fields that spans are made of. In
 * protobuf a field that is not known is skipped; numbers are those of `opentelemetry/proto/trace/v1/trace.proto`.
 */

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

export interface KeyValue {
  readonly key: string
  readonly value: unknown
}

/** Spans of one resource, by one instrumentation. */
export interface OtlpScope {
  readonly resource: readonly KeyValue[]
  readonly scopeName: string
  readonly spans: Iterable<OtlpSpan>
}

/** Values may hold values; deeper ones are left out. */
const DEPTH = 16

/** An empty span or value takes two bytes of a message, and a hundred times as much once it is read. */
class BoundedReader extends BinaryReader {
  /** How many more attributes, values of lists, events and links may be read. */
  values: number = LIMITS.OTLP_VALUES
  spans: number = LIMITS.SPANS_PER_ITEM
  /** Spans that were skipped, because there had been as many as one item may hold. */
  beyondLimit = 0

  /** @throws when there are too many */
  countValue(): void {
    this.values -= 1
    if (this.values < 0) throw new Error(`more than ${LIMITS.OTLP_VALUES} attributes`)
  }
}

/** Calls `take` with the number of each field; it reads the field, or answers false to have it skipped. */
const readFields = (reader: BoundedReader, length: number, take: (field: number, type: WireType) => boolean): void => {
  const end = reader.pos + length
  while (reader.pos < end) {
    const [field, type] = reader.tag()
    if (!take(field, type)) reader.skip(type, field)
  }
}

const DELIMITED = WireType.LengthDelimited

const hex = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')

const readValue = (reader: BoundedReader, depth = 0): unknown => {
  reader.countValue()
  let value: unknown = null
  readFields(reader, reader.uint32(), (field, type) => {
    if (field === 1 && type === DELIMITED) value = reader.string()
    else if (field === 2 && type === WireType.Varint) value = reader.bool()
    else if (field === 3 && type === WireType.Varint) value = Number(reader.int64())
    else if (field === 4 && type === WireType.Bit64) value = reader.double()
    else if (field === 5 && type === DELIMITED && depth < DEPTH) value = readList(reader, depth + 1)
    else if (field === 6 && type === DELIMITED && depth < DEPTH) value = readMap(reader, depth + 1)
    else if (field === 7 && type === DELIMITED) value = Buffer.from(reader.bytes()).toString('base64')
    else return false
    return true
  })
  return value
}

const readList = (reader: BoundedReader, depth: number): unknown[] => {
  const list: unknown[] = []
  readFields(reader, reader.uint32(), (field, type) => {
    if (field !== 1 || type !== DELIMITED) return false
    list.push(readValue(reader, depth))
    return true
  })
  return list
}

const readMap = (reader: BoundedReader, depth: number): object => {
  const pairs: [string, unknown][] = []
  readFields(reader, reader.uint32(), (field, type) => {
    if (field !== 1 || type !== DELIMITED) return false
    const { key, value } = readPair(reader, depth)
    pairs.push([key, value])
    return true
  })
  return Object.fromEntries(pairs)
}

const readPair = (reader: BoundedReader, depth = 0): KeyValue => {
  let key = ''
  let value: unknown = null
  readFields(reader, reader.uint32(), (field, type) => {
    if (field === 1 && type === DELIMITED) key = reader.string()
    else if (field === 2 && type === DELIMITED) value = readValue(reader, depth)
    else return false
    return true
  })
  return { key, value }
}

const readLink = (reader: BoundedReader): OtlpLink => {
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

const readEvent = (reader: BoundedReader): OtlpEvent => {
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

/** How each field of a span is read, with its wire type. */
const SPAN_FIELDS: ReadonlyMap<number, readonly [WireType, (reader: BoundedReader, span: Draft) => void]> = new Map<
  number,
  readonly [WireType, (reader: BoundedReader, span: Draft) => void]
>([
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

const readStatus = (reader: BoundedReader, span: Draft): void =>
  readFields(reader, reader.uint32(), (field, type) => {
    if (field === 2 && type === DELIMITED) span.statusMessage = reader.string()
    else if (field === 3 && type === WireType.Varint) span.statusCode = reader.int32()
    else return false
    return true
  })

const readSpan = (reader: BoundedReader): OtlpSpan => {
  const span = emptySpan()
  readFields(reader, reader.uint32(), (field, type) => {
    const [wanted, read] = SPAN_FIELDS.get(field) ?? []
    if (read === undefined || wanted !== type) return false
    read(reader, span)
    return true
  })
  return span
}

const hasRoom = (reader: BoundedReader): boolean => {
  reader.spans -= 1
  if (reader.spans >= 0) return true
  reader.beyondLimit += 1
  return false
}

const readScope = (reader: BoundedReader, resource: readonly KeyValue[]): OtlpScope => {
  const spans: OtlpSpan[] = []
  let scopeName = ''
  readFields(reader, reader.uint32(), (field, type) => {
    if (field === 2 && type === DELIMITED && !hasRoom(reader)) return false
    if (field === 2 && type === DELIMITED) spans.push(readSpan(reader))
    else if (field === 1 && type === DELIMITED) scopeName = readScopeName(reader)
    else return false
    return true
  })
  return { resource, scopeName, spans }
}

const readScopeName = (reader: BoundedReader): string => {
  let name = ''
  readFields(reader, reader.uint32(), (field, type) => {
    if (field !== 1 || type !== DELIMITED) return false
    name = reader.string()
    return true
  })
  return name
}

const readResource = (reader: BoundedReader, resource: KeyValue[]): void =>
  readFields(reader, reader.uint32(), (field, type) => {
    if (field !== 1 || type !== DELIMITED) return false
    resource.push(readPair(reader))
    return true
  })

/** @throws when the bytes are no such message, or hold too many attributes */
export const readProtobuf = (
  bytes: Uint8Array,
): { readonly scopes: readonly OtlpScope[]; readonly beyondLimit: number } => {
  const reader = new BoundedReader(bytes)
  const scopes: OtlpScope[] = []
  readFields(reader, bytes.byteLength, (field, type) => {
    if (field !== 1 || type !== DELIMITED) return false
    // Exporters write the resource first; who does not has spans without it.
    const resource: KeyValue[] = []
    readFields(reader, reader.uint32(), (part, partType) => {
      if (part === 1 && partType === DELIMITED) readResource(reader, resource)
      else if (part === 2 && partType === DELIMITED) scopes.push(readScope(reader, resource))
      else return false
      return true
    })
    return true
  })
  return { scopes, beyondLimit: reader.beyondLimit }
}
