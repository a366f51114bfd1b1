import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createGatheredPieces } from './gathered-pieces.ts'

describe('pieces of a body', () => {
  it('are the same bytes together, however they were cut, also when more come after they were looked at', () => {
    const cut = fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 30 })
    fc.assert(
      fc.property(cut, cut, (before, after) => {
        let next = 0
        const gathered = createGatheredPieces()
        const sent: Buffer[] = []
        const add = (length: number): void => {
          const piece = Buffer.from(Uint8Array.from({ length }, () => (next = (next * 31 + 7) % 251)))
          sent.push(piece)
          gathered.add(piece)
        }
        before.forEach(add)
        expect(Buffer.concat(gathered.all()).equals(Buffer.concat(sent))).toBe(true)
        after.forEach(add)
        const all = gathered.all()
        expect(Buffer.concat(all).equals(Buffer.concat(sent))).toBe(true)
        expect(all.every((piece) => piece.byteLength > 0)).toBe(true)
        expect(gathered.bytes()).toBe(Buffer.concat(sent).byteLength)
      }),
      { numRuns: 50 },
    )
  })

  it('that are one byte each become few', () => {
    const gathered = createGatheredPieces()
    for (let byte = 0; byte < 1_000_000; byte += 1) gathered.add(Buffer.of(byte % 256))
    expect(gathered.all().length).toBeLessThan(25)
  })

  it('that are large are not copied, nor is a single one', () => {
    const [large, single] = [Buffer.alloc(20_000, 1), Buffer.from('{}')]
    const gathered = createGatheredPieces()
    gathered.add(large)
    gathered.add(large)
    expect(gathered.all().map(({ buffer }) => buffer)).toEqual([large.buffer, large.buffer])
    const one = createGatheredPieces()
    one.add(single)
    expect(one.all()[0]?.buffer).toBe(single.buffer)
  })
})
