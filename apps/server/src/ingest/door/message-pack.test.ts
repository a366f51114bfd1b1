import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readMessagePack } from './message-pack.ts'

const read = (...bytes: readonly number[]): unknown[] | null => readMessagePack(Uint8Array.from(bytes), 128)

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Writes JSON values with the widest forms, as a counterpart to the reader. */
const write = (value: fc.JsonValue): Buffer => {
  const sized = (tag: number, size: number): Buffer => {
    const header = Buffer.alloc(5)
    header[0] = tag
    header.writeUInt32BE(size, 1)
    return header
  }
  if (value === null) return Buffer.of(0xc0)
  if (typeof value === 'boolean') return Buffer.of(value ? 0xc3 : 0xc2)
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9)
    bytes[0] = 0xcb
    bytes.writeDoubleBE(value, 1)
    return bytes
  }
  if (typeof value === 'string') {
    const text = Buffer.from(value)
    return Buffer.concat([sized(0xdb, text.byteLength), text])
  }
  if (Array.isArray(value)) return Buffer.concat([sized(0xdd, value.length), ...value.map(write)])
  const entries = Object.entries(value as Record<string, fc.JsonValue>)
  return Buffer.concat([sized(0xdf, entries.length), ...entries.flatMap(([key, entry]) => [write(key), write(entry)])])
}

describe('MessagePack', () => {
  it('reads the short forms', () => {
    expect(read(0x07, 0xff, 0xa2, 0x68, 0x69, 0xc0, 0xc3, 0xcc, 0xc8, 0xd1, 0xff, 0x00)).toEqual([
      7,
      -1,
      'hi',
      null,
      true,
      200,
      -256,
    ])
    expect(plain(read(0x82, 0xa1, 0x61, 0x92, 0x01, 0x02, 0xa1, 0x62, 0x80))).toEqual([{ a: [1, 2], b: {} }])
  })

  it('binary and extensions are null', () => {
    expect(read(0xc4, 0x02, 0x00, 0x00, 0xd4, 0x01, 0x00, 0xc7, 0x01, 0x05, 0x00)).toEqual([null, null, null])
  })

  it.each([
    [[0xc1]],
    [[0xa5, 0x61]],
    [[0x91]],
    [[0xdd, 0xff, 0xff, 0xff, 0xff]],
    [[0xc6, 0xff, 0xff, 0xff, 0xff]],
    [[0x81, 0x80, 0x00]],
    [[0x81, 0x90, 0x00]],
  ])('%j is not readable', (bytes) => expect(read(...bytes)).toBeNull())

  it('deep nesting is not readable', () => {
    expect(read(...Array.from({ length: 100_000 }, () => 0x91))).toBeNull()
  })

  it('check 104: __proto__ is a key like any other', () => {
    const [value] = readMessagePack(write(JSON.parse('{"__proto__":{"admin":true}}')), 8) ?? []
    expect(Object.keys(value as object)).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
  })

  it('is read back as it was written', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(plain(readMessagePack(write(value), 128))).toEqual([plain(JSON.parse(JSON.stringify(value)))])
      }),
    )
  })

  it('is never a throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(() => readMessagePack(bytes, 128)).not.toThrow()
      }),
      { numRuns: 5_000 },
    )
  })
})
