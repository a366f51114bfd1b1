import type { Item } from '@firsthand/protocol'
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { makeItem } from '../ingest/index.ts'
import { otlpAnswer } from '../ingest/door/otlp-answer.ts'
import { describe, expect, it } from 'vitest'
import { countUnreadable } from '../event/index.ts'
import { SPAN_CHECK } from '../traces/read/otlp-span.ts'
import { LOG_CHECK } from './read/otlp-log.ts'

/** What exporters of OpenTelemetry are told, as the door answers it for both capabilities. */

const CHECKS = new Map([
  [
    'otel_traces_data',
    { field: 'rejectedSpans', message: 'no', countRejected: (item: Item) => countUnreadable(item, SPAN_CHECK) },
  ],
  [
    'otel_log',
    { field: 'rejectedLogRecords', message: 'no', countRejected: (item: Item) => countUnreadable(item, LOG_CHECK) },
  ],
])

const JSON_TYPE = 'application/json'
const PROTOBUF = 'application/x-protobuf'
const DELIMITED = WireType.LengthDelimited

const answerTo = (type: string, payload: Uint8Array, contentType: string) =>
  otlpAnswer(contentType, makeItem(type, payload, { content_type: contentType }), CHECKS)

const jsonOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

const wrapped = (things: readonly Uint8Array[]): Uint8Array => {
  const scope = new BinaryWriter()
  for (const thing of things) scope.tag(2, DELIMITED).bytes(thing)
  const resource = new BinaryWriter().tag(2, DELIMITED).bytes(scope.finish()).finish()
  return new BinaryWriter().tag(1, DELIMITED).bytes(resource).finish()
}

const readPartial = (body: string | Buffer): unknown => {
  const reader = new BinaryReader(Buffer.from(body))
  reader.tag()
  const inner = new BinaryReader(reader.bytes())
  inner.tag()
  const rejected = Number(inner.int64())
  inner.tag()
  return { rejected, message: inner.string() }
}

const spanJson = (more: object = {}) => ({
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  startTimeUnixNano: '1795000000000000000',
  endTimeUnixNano: '1795000000100000000',
  ...more,
})

const spanBytes = (traceBytes: number): Uint8Array =>
  new BinaryWriter()
    .tag(1, DELIMITED)
    .bytes(Buffer.alloc(traceBytes, 1))
    .tag(2, DELIMITED)
    .bytes(Buffer.alloc(8, 2))
    .tag(7, WireType.Bit64)
    .fixed64(1_795_000_000_000_000_000n)
    .tag(8, WireType.Bit64)
    .fixed64(1_795_000_000_100_000_000n)
    .finish()

describe('answers to exports', () => {
  it('T9: 2 bad of 10 spans are told in the encoding of the request', () => {
    const spans = Array.from({ length: 8 }, () => spanJson())
    const sent = [...spans, spanJson({ traceId: 'short' }), spanJson({ endTimeUnixNano: '0' })]
    const json = answerTo('otel_traces_data', jsonOf({ resourceSpans: [{ scopeSpans: [{ spans: sent }] }] }), JSON_TYPE)
    expect(json).toEqual({
      contentType: JSON_TYPE,
      body: '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"no"}}',
    })
    const things = [...Array.from({ length: 8 }, () => spanBytes(16)), spanBytes(15), new Uint8Array()]
    const protobuf = answerTo('otel_traces_data', wrapped(things), PROTOBUF)
    expect(protobuf.contentType).toBe(PROTOBUF)
    expect(readPartial(protobuf.body)).toEqual({ rejected: 2, message: 'no' })
  })

  it('T9: log records that say nothing are told as well', () => {
    const records = [...Array.from({ length: 298 }, () => ({})), { body: { stringValue: 'x' } }, { eventName: 'y' }]
    const sent = jsonOf({ resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] })
    expect(JSON.parse(String(answerTo('otel_log', sent, JSON_TYPE).body))).toMatchObject({
      partialSuccess: { rejectedLogRecords: '298' },
    })
    const empty = Array.from({ length: 300 }, () => new Uint8Array())
    expect(readPartial(answerTo('otel_log', wrapped(empty), PROTOBUF).body)).toEqual({ rejected: 300, message: 'no' })
  })

  it('what can be read whole, or not at all, has the empty answer', () => {
    const good = jsonOf({ resourceSpans: [{ scopeSpans: [{ spans: [spanJson()] }] }] })
    expect(answerTo('otel_traces_data', good, JSON_TYPE)).toEqual({ contentType: JSON_TYPE, body: '{}' })
    expect(answerTo('otel_traces_data', wrapped([spanBytes(16)]), PROTOBUF)).toEqual({
      contentType: PROTOBUF,
      body: '',
    })
    expect(answerTo('otel_traces_data', Buffer.from([0x0a, 0x7f]), PROTOBUF)).toEqual({
      contentType: PROTOBUF,
      body: '',
    })
  })
})
