import { describe, expect, it } from 'vitest'
import { piecesWithin, readRange, type ByteRange } from './byte-range.ts'

describe('parts of files', () => {
  it.each<[string | undefined, ByteRange | 'none' | null]>([
    [undefined, null],
    ['bytes=0-9', { from: 0, to: 9 }],
    ['bytes=4-4', { from: 4, to: 4 }],
    ['Bytes=10-', { from: 10, to: 99 }],
    ['bytes=90-1000', { from: 90, to: 99 }],
    ['bytes=-10', { from: 90, to: 99 }],
    ['bytes=-1000', { from: 0, to: 99 }],
    ['bytes=99-', { from: 99, to: 99 }],
    // There are no such bytes.
    ['bytes=100-', 'none'],
    ['bytes=100-200', 'none'],
    ['bytes=-0', 'none'],
    // No range of bytes, or several.
    ['bytes=9-4', null],
    ['bytes=-', null],
    ['bytes=0-1,5-6', null],
    ['bytes=1.5-3', null],
    ['items=0-9', null],
    [`bytes=${'9'.repeat(40)}-`, null],
    ['', null],
  ])('R11 %s of a hundred bytes', (header, range) => {
    expect(readRange(header, 100)).toEqual(range)
  })

  it('R11 no part of an empty file can be asked for', () => {
    expect(readRange('bytes=0-', 0)).toBe('none')
    expect(readRange('bytes=-5', 0)).toBe('none')
  })

  it('R11 a part has just its bytes, wherever pieces begin, and nothing behind it is read', async () => {
    const whole = Buffer.from('0123456789')
    let read = 0
    const pieces = async function* () {
      for (const piece of [whole.subarray(0, 3), whole.subarray(3, 4), whole.subarray(4, 8), whole.subarray(8)]) {
        read += 1
        yield piece
      }
    }
    const all = async (range: ByteRange): Promise<string> => {
      const taken: Uint8Array[] = []
      for await (const piece of piecesWithin(pieces(), range)) taken.push(piece)
      return Buffer.concat(taken).toString()
    }
    for (let from = 0; from < 10; from += 1) {
      for (let to = from; to < 10; to += 1) {
        expect(await all({ from, to })).toBe('0123456789'.slice(from, to + 1))
      }
    }
    read = 0
    await all({ from: 1, to: 2 })
    expect(read).toBe(1)
  })
})
