import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import { LIMITS } from '../limits.ts'

/**
 * What exports of OpenTelemetry have in common, in protobuf: things (spans, log records) of instrumentations of resources.
 * A field that is not known is skipped.
 */

export interface KeyValue {
  readonly key: string
  readonly value: unknown
}

/** Things of one resource, by one instrumentation. */
export interface OtlpScope<Thing> {
  readonly resource: readonly KeyValue[]
  readonly scopeName: string
  readonly things: Iterable<Thing>
}

export interface OtlpExport<Thing> {
  readonly scopes: readonly OtlpScope<Thing>[]
  /** Things that were skipped, because there had been as many as one item may hold. */
  readonly beyondLimit: number
}

/** Values may hold values; deeper ones are left out. */
const DEPTH = 16

/** An empty thing or value takes two bytes of a message, and a hundred times as much once it is read. */
export class OtlpReader extends BinaryReader {
  /** How many more attributes, values of lists and parts of things may be read. */
  values: number = LIMITS.OTLP_VALUES
  beyondLimit = 0
  private things: number

  /** @param things how many one item may hold */
  constructor(bytes: Uint8Array, things: number) {
    super(bytes)
    this.things = things
  }

  /** @throws when there are too many */
  countValue(): void {
    this.values -= 1
    if (this.values < 0) throw new Error(`more than ${LIMITS.OTLP_VALUES} attributes`)
  }

  hasRoom(): boolean {
    this.things -= 1
    if (this.things >= 0) return true
    this.beyondLimit += 1
    return false
  }
}

/** How a field of a message is read, with its wire type, by its number. */
export type OtlpFields<Draft> = ReadonlyMap<number, readonly [WireType, (reader: OtlpReader, draft: Draft) => void]>

/** Reads the known fields of a message of so many bytes. */
export const readMessage = <Draft>(reader: OtlpReader, draft: Draft, fields: OtlpFields<Draft>): Draft => {
  readFields(reader, reader.uint32(), (field, type) => {
    const [wanted, read] = fields.get(field) ?? []
    if (read === undefined || wanted !== type) return false
    read(reader, draft)
    return true
  })
  return draft
}

/** Calls `take` with the number of each field; it reads the field, or answers false to have it skipped. */
export const readFields = (
  reader: OtlpReader,
  length: number,
  take: (field: number, type: WireType) => boolean,
): void => {
  const end = reader.pos + length
  while (reader.pos < end) {
    const [field, type] = reader.tag()
    if (!take(field, type)) reader.skip(type, field)
  }
}

const DELIMITED = WireType.LengthDelimited

export const hex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')

export const readValue = (reader: OtlpReader, depth = 0): unknown => {
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

const readList = (reader: OtlpReader, depth: number): unknown[] => {
  const list: unknown[] = []
  readFields(reader, reader.uint32(), (field, type) => {
    if (field !== 1 || type !== DELIMITED) return false
    list.push(readValue(reader, depth))
    return true
  })
  return list
}

const readMap = (reader: OtlpReader, depth: number): object => {
  const pairs: [string, unknown][] = []
  readFields(reader, reader.uint32(), (field, type) => {
    if (field !== 1 || type !== DELIMITED) return false
    const { key, value } = readPair(reader, depth)
    pairs.push([key, value])
    return true
  })
  return Object.fromEntries(pairs)
}

export const readPair = (reader: OtlpReader, depth = 0): KeyValue => {
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

const readScope = <Thing>(
  reader: OtlpReader,
  resource: readonly KeyValue[],
  readThing: (reader: OtlpReader) => Thing,
): OtlpScope<Thing> => {
  const things: Thing[] = []
  let scopeName = ''
  readFields(reader, reader.uint32(), (field, type) => {
    if (field === 2 && type === DELIMITED && !reader.hasRoom()) return false
    if (field === 2 && type === DELIMITED) things.push(readThing(reader))
    else if (field === 1 && type === DELIMITED) scopeName = readScopeName(reader)
    else return false
    return true
  })
  return { resource, scopeName, things }
}

const readScopeName = (reader: OtlpReader): string => {
  let name = ''
  readFields(reader, reader.uint32(), (field, type) => {
    if (field !== 1 || type !== DELIMITED) return false
    name = reader.string()
    return true
  })
  return name
}

const readResource = (reader: OtlpReader, resource: KeyValue[]): void =>
  readFields(reader, reader.uint32(), (field, type) => {
    if (field !== 1 || type !== DELIMITED) return false
    resource.push(readPair(reader))
    return true
  })

/**
 * @param limit things that one item may hold
 * @throws when the bytes are no such message, or hold too many attributes
 */
export const readOtlpProtobuf = <Thing>(
  bytes: Uint8Array,
  limit: number,
  readThing: (reader: OtlpReader) => Thing,
): OtlpExport<Thing> => {
  const reader = new OtlpReader(bytes, limit)
  const scopes: OtlpScope<Thing>[] = []
  readFields(reader, bytes.byteLength, (field, type) => {
    if (field !== 1 || type !== DELIMITED) return false
    // Exporters write the resource first; who does not has things without it.
    const resource: KeyValue[] = []
    readFields(reader, reader.uint32(), (part, partType) => {
      if (part === 1 && partType === DELIMITED) readResource(reader, resource)
      else if (part === 2 && partType === DELIMITED) scopes.push(readScope(reader, resource, readThing))
      else return false
      return true
    })
    return true
  })
  return { scopes, beyondLimit: reader.beyondLimit }
}
