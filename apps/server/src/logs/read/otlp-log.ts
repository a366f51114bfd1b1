import { WireType } from '@bufbuild/protobuf/wire'
import {
  digitsOf,
  hex,
  idOf,
  listOf,
  numberOf,
  pairsOf,
  readMessage,
  readPair,
  readValue,
  textOf,
  valueOf,
  type KeyValue,
  type OtlpFields,
  type OtlpForm,
  type OtlpJson,
  type OtlpReader,
} from '../../event/index.ts'
import { drop } from '../../ingest/index.ts'
import { LIMITS } from '../limits.ts'

/** Log records of an export. Numbers are those of `opentelemetry/proto/logs/v1/logs.proto`. */
export interface OtlpLog {
  /** Nanoseconds since the epoch, in decimal digits. */
  readonly timeUnixNano: string
  readonly observedTimeUnixNano: string
  readonly severityNumber: number
  readonly severityText: string
  readonly body: unknown
  readonly attributes: readonly KeyValue[]
  readonly traceId: string
  readonly spanId: string
  readonly eventName: string
}

type Draft = { -readonly [Key in keyof OtlpLog]: Key extends 'attributes' ? KeyValue[] : OtlpLog[Key] }

const emptyLog = (): Draft => ({
  timeUnixNano: '0',
  observedTimeUnixNano: '0',
  severityNumber: 0,
  severityText: '',
  body: null,
  attributes: [],
  traceId: '',
  spanId: '',
  eventName: '',
})

const DELIMITED = WireType.LengthDelimited

const LOG_FIELDS: OtlpFields<Draft> = new Map<number, readonly [WireType, (reader: OtlpReader, log: Draft) => void]>([
  [1, [WireType.Bit64, (reader, log) => (log.timeUnixNano = String(reader.fixed64()))]],
  [2, [WireType.Varint, (reader, log) => (log.severityNumber = reader.int32())]],
  [3, [DELIMITED, (reader, log) => (log.severityText = reader.string())]],
  [5, [DELIMITED, (reader, log) => (log.body = readValue(reader))]],
  [6, [DELIMITED, (reader, log) => log.attributes.push(readPair(reader))]],
  [9, [DELIMITED, (reader, log) => (log.traceId = hex(reader.bytes()))]],
  [10, [DELIMITED, (reader, log) => (log.spanId = hex(reader.bytes()))]],
  [11, [WireType.Bit64, (reader, log) => (log.observedTimeUnixNano = String(reader.fixed64()))]],
  [12, [DELIMITED, (reader, log) => (log.eventName = reader.string())]],
])

/** The names of its severities, by number: `SEVERITY_NUMBER_WARN2`. */
const SEVERITIES = [
  'UNSPECIFIED',
  ...['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'].flatMap((word) => [
    `_${word}`,
    `${word}2`,
    `${word}3`,
    `${word}4`,
  ]),
]

const logOfJson = (sent: OtlpJson): OtlpLog => ({
  timeUnixNano: digitsOf(sent['timeUnixNano']),
  observedTimeUnixNano: digitsOf(sent['observedTimeUnixNano']),
  severityNumber: numberOf(sent['severityNumber'], SEVERITIES),
  severityText: textOf(sent['severityText']),
  body: valueOf(sent['body']),
  attributes: pairsOf(sent['attributes']),
  traceId: idOf(sent['traceId'], 16),
  spanId: idOf(sent['spanId'], 8),
  eventName: textOf(sent['eventName']),
})

export const LOG_EXPORT: OtlpForm<OtlpLog> = {
  names: { resources: 'resourceLogs', scopes: 'scopeLogs', things: 'logRecords' },
  limit: LIMITS.LOGS_PER_ITEM,
  ofJson: logOfJson,
  ofMessage: (reader) => readMessage(reader, emptyLog(), LOG_FIELDS),
  unreadable: (error) => drop('invalid', 'invalid_log', `It is no export of log records: ${error}`),
}

/** A record without a body still says something by its attributes or by its name. */
export const saysSomething = (body: unknown, attributes: number, eventName: string): boolean =>
  (body !== null && body !== undefined && body !== '') || attributes > 0 || eventName !== ''

/** Only whether each record says something: what its sender is told at once. */
export const LOG_CHECK: OtlpForm<boolean> = {
  ...LOG_EXPORT,
  ofJson: (sent) => saysSomething(valueOf(sent['body']), listOf(sent['attributes']).length, textOf(sent['eventName'])),
  ofMessage: (reader) => {
    const { body, attributes, eventName } = readMessage(reader, emptyLog(), LOG_FIELDS)
    return saysSomething(body, attributes.length, eventName)
  },
}
