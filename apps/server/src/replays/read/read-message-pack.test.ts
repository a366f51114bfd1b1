import { describe, expect, it } from 'vitest'
import { readParts } from './read-message-pack.ts'

const text = (word: string): Buffer => Buffer.concat([Buffer.from([0xa0 | word.length]), Buffer.from(word)])
const binary = (bytes: Uint8Array): Buffer => {
  const head = Buffer.from([0xc6, 0, 0, 0, 0])
  head.writeUInt32BE(bytes.byteLength, 1)
  return Buffer.concat([head, bytes])
}
const map = (...values: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.from([0x80 | (values.length / 2)]), ...values])

const partsOf = (bytes: Uint8Array): Record<string, string> | null => {
  const parts = readParts(bytes)
  return parts === null
    ? null
    : Object.fromEntries([...parts].map(([name, part]) => [name, Buffer.from(part).toString()]))
}

describe('recordings of phones', () => {
  it('are maps of names to bytes, in any of the lengths that there are', () => {
    const long = Buffer.alloc(70_000, 'v')
    expect(partsOf(map(text('a'), binary(Buffer.from('one')), text('b'), binary(long)))).toEqual({
      a: 'one',
      b: long.toString(),
    })
    const short = Buffer.concat([Buffer.from([0xc4, 2]), Buffer.from('hi')])
    const middle = Buffer.concat([Buffer.from([0xc5, 0, 2]), Buffer.from('ho')])
    const string = Buffer.concat([Buffer.from([0xda, 0, 3]), Buffer.from('hey')])
    const pairs = Buffer.concat([text('a'), short, text('b'), middle, text('c'), string])
    const expected = { a: 'hi', b: 'ho', c: 'hey' }
    expect(partsOf(Buffer.concat([Buffer.from([0x83]), pairs]))).toEqual(expected)
    expect(partsOf(Buffer.concat([Buffer.from([0xde, 0, 3]), pairs]))).toEqual(expected)
    expect(partsOf(Buffer.concat([Buffer.from([0xdf, 0, 0, 0, 3]), pairs]))).toEqual(expected)
  })

  it('may hold other values, which are passed over', () => {
    const others = [
      [0x01],
      [0xff],
      [0xc0],
      [0xc3],
      [0xcb, 0, 0, 0, 0, 0, 0, 0, 0],
      [0xcd, 1, 2],
      [0xd3, 0, 0, 0, 0, 0, 0, 0, 1],
      [0xd4, 1, 2],
      [0xd8, ...Array(17).fill(0)],
      [0xc7, 2, 5, 1, 2],
      [0x92, 0x01, 0x91, 0xa1, 0x61],
      [0xdc, 0, 2, 0x01, 0x02],
      [0x81, 0xa1, 0x61, 0x92, 0x01, 0x02],
    ]
    for (const other of others) {
      const parts = partsOf(map(text('x'), Uint8Array.from(other), text('a'), binary(Buffer.from('one'))))
      expect([other, parts?.['a']]).toEqual([other, 'one'])
    }
  })

  it('R116 with false lengths are none', () => {
    const whole = map(text('a'), binary(Buffer.from('one')))
    const false_ = [
      Buffer.alloc(0),
      Buffer.from('{"a":1}'),
      whole.subarray(0, whole.byteLength - 1),
      Buffer.from([0x81, 0xa1, 0x61, 0xc6, 0xff, 0xff, 0xff, 0xff, 1]),
      Buffer.from([0xdf, 0xff, 0xff, 0xff, 0xff]),
      Buffer.from([0x81, 0xa1, 0x61, 0xdd, 0xff, 0xff, 0xff, 0xff, 1, 1, 1]),
      Buffer.concat([Buffer.from([0x81, 0xa1, 0x61]), Buffer.alloc(100_000, 0x91)]),
    ]
    for (const bytes of false_) expect(partsOf(bytes)).toBeNull()
  })
})
