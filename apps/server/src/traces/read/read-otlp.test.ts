import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countUnreadable } from '../../event/index.ts'
import { digestItem, RECEIVED_AT } from '../../event/normalise/digest-item.fixture.ts'
import { LIMITS as EVENT_LIMITS } from '../../event/limits.ts'
import type { DigestItem } from '../../ingest/index.ts'
import { LIMITS } from '../limits.ts'
import { SPAN_CHECK } from './otlp-span.ts'
import { readOtlp } from './read-otlp.ts'

const exported = (payload: Uint8Array, contentType = 'application/x-protobuf'): DigestItem => {
  const item = digestItem(payload, { type: 'otel_traces_data' })
  return { ...item, item: { ...item.item, header: { ...item.item.header, contentType } } }
}

/** @param spans the bytes of each */
const message = (spans: readonly Uint8Array[]): Uint8Array => {
  const scope = new BinaryWriter()
  for (const span of spans) scope.tag(2, WireType.LengthDelimited).bytes(span)
  const resource = new BinaryWriter().tag(2, WireType.LengthDelimited).bytes(scope.finish()).finish()
  return new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(resource).finish()
}

const START = BigInt(RECEIVED_AT - 5000) * 1_000_000n

const span = (id: number, more: (writer: BinaryWriter) => void = () => {}): Uint8Array => {
  const spanId = Buffer.alloc(8)
  spanId.writeUInt32BE(id, 4)
  const writer = new BinaryWriter()
  writer.tag(1, WireType.LengthDelimited).bytes(Buffer.alloc(16, 0xab))
  writer.tag(2, WireType.LengthDelimited).bytes(spanId)
  writer.tag(5, WireType.LengthDelimited).string('work')
  writer.tag(7, WireType.Bit64).fixed64(START + 123_000n)
  writer.tag(8, WireType.Bit64).fixed64(START + 1_123_000n)
  more(writer)
  return writer.finish()
}

describe('exports of OpenTelemetry in protobuf', () => {
  it('have times to the microsecond', () => {
    const read = readOtlp(exported(message([span(7)])))
    expect(read).toMatchObject({
      ok: true,
      value: { spans: [{ spanId: '0000000000000007', start: (RECEIVED_AT - 5000) * 1000 + 123, duration: 1000 }] },
    })
  })

  it('skip what is not known: fields, and known fields of another type', () => {
    const more = (writer: BinaryWriter): void => {
      writer.tag(99, WireType.LengthDelimited).string('of tomorrow')
      writer.tag(5, WireType.Varint).uint32(3)
    }
    expect(readOtlp(exported(message([span(7, more)])))).toMatchObject({
      ok: true,
      value: { spans: [{ name: 'work' }] },
    })
  })

  it('T115: a million empty spans are counted, not kept', () => {
    const payload = message(Array.from({ length: 1_000_000 }, () => new Uint8Array()))
    const read = readOtlp(exported(payload))
    expect(read).toMatchObject({
      ok: true,
      value: { spans: [], unreadable: LIMITS.SPANS_PER_ITEM, beyondLimit: 1_000_000 - LIMITS.SPANS_PER_ITEM },
    })
  })

  it('those that cannot be read count against the limit, as the sender is told at once', () => {
    const sent = Array.from({ length: LIMITS.SPANS_PER_ITEM + 10 }, (_, index) => ({
      traceId: index < 5 ? '' : 'a'.repeat(32),
      spanId: (index + 1).toString(16).padStart(16, '0'),
      startTimeUnixNano: '1760000000000000000',
      endTimeUnixNano: '1760000001000000000',
    }))
    const payload = Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: sent }] }] }))
    const json = exported(payload, 'application/json')
    const read = readOtlp(json)
    if (!read.ok) throw new Error(read.error.detail)
    const { spans, unreadable, beyondLimit } = read.value
    expect([spans.length, unreadable, beyondLimit]).toEqual([LIMITS.SPANS_PER_ITEM - 5, 5, 10])
    expect(countUnreadable(json.item, SPAN_CHECK)).toBe(15)
  })

  it('too many attributes end it with a reason', () => {
    const pairs = new Uint8Array(
      Buffer.alloc(2 * (EVENT_LIMITS.OTLP_VALUES + 1), Buffer.from([0x4a, 0x02, 0x12, 0x00])),
    )
    const read = readOtlp(exported(message([Buffer.concat([span(1), pairs, pairs])])))
    expect(read).toMatchObject({ ok: false, error: { outcome: { reason: 'invalid_span' } } })
  })

  it('values that hold each other a thousand times are cut', () => {
    let value = new BinaryWriter().tag(1, WireType.LengthDelimited).string('deep').finish()
    for (let level = 0; level < 1000; level += 1) {
      const list = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(value).finish()
      value = new BinaryWriter().tag(5, WireType.LengthDelimited).bytes(list).finish()
    }
    const pair = new BinaryWriter().tag(1, WireType.LengthDelimited).string('nested')
    const bytes = pair.tag(2, WireType.LengthDelimited).bytes(value).finish()
    const read = readOtlp(
      exported(message([span(1, (writer) => void writer.tag(9, WireType.LengthDelimited).bytes(bytes))])),
    )
    expect(read).toMatchObject({ ok: true, value: { spans: [{ attributes: { nested: expect.any(Array) } }] } })
  })

  it('T112: 50,000 spans in a chain, without a root or in a circle, are each looked at once', () => {
    const chain = (parentOf: (id: number) => number) =>
      Array.from({ length: LIMITS.SPANS_PER_ITEM }, (_, index) =>
        span(index + 1, (writer) => {
          const parentId = Buffer.alloc(8)
          parentId.writeUInt32BE(parentOf(index + 1), 4)
          writer.tag(4, WireType.LengthDelimited).bytes(parentId)
        }),
      )
    for (const parentOf of [
      (id: number) => id + 1,
      (id: number) => id - 1 || LIMITS.SPANS_PER_ITEM + 7,
      (id: number) => (id % LIMITS.SPANS_PER_ITEM) + 1,
    ]) {
      const read = readOtlp(exported(message(chain(parentOf))))
      if (!read.ok) throw new Error(read.error.detail)
      expect(read.value.spans).toHaveLength(LIMITS.SPANS_PER_ITEM)
      expect(new Set(read.value.spans.map(({ segmentId }) => segmentId))).toEqual(new Set(['']))
    }
  })

  it('spans belong to the nearest root of a transaction above them, in whatever order they came', () => {
    const below = (id: number, parent: number, more: (writer: BinaryWriter) => void = () => {}) =>
      span(id, (writer) => {
        const parentId = Buffer.alloc(8)
        parentId.writeUInt32BE(parent, 4)
        writer.tag(4, WireType.LengthDelimited).bytes(parentId)
        more(writer)
      })
    const server = (writer: BinaryWriter): void => void writer.tag(6, WireType.Varint).int32(2)
    const read = readOtlp(exported(message([below(4, 3), below(3, 2, server), below(2, 1), span(1)])))
    if (!read.ok) throw new Error(read.error.detail)
    expect(read.value.spans.map(({ segmentId }) => Number(segmentId))).toEqual([3, 3, 1, 1])
  })

  it('whatever the bytes are, it ends with spans or a reason', () => {
    const whole = message([span(1), span(2), span(3)])
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 8 }),
        fc.nat(whole.length),
        (changes, length) => {
          const bytes = Uint8Array.from(whole.subarray(0, length))
          for (const [at, value] of changes) if (at < length) bytes[at] = value
          expect(typeof readOtlp(exported(bytes)).ok).toBe('boolean')
        },
      ),
      { numRuns: 2000 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readOtlp(exported(bytes))),
      { numRuns: 2000 },
    )
  })
})
