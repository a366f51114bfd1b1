import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWordFinder, withoutCase } from './word-finder.ts'

const unit = fc.constantFrom('a', 'b', 'A', 'k', 'K', 's', 'ſ', '\u212a', 'σ', 'ς', 'ß', 'İ')
const word = fc.string({ unit, minLength: 1, maxLength: 5 })
const text = fc.string({ unit, maxLength: 30 })

describe('word finder', () => {
  it('finds what a regular expression of the same words finds, in any case', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), text, (words, given) => {
        expect(createWordFinder(words, withoutCase).isIn(given)).toBe(
          words.some((one) => new RegExp(one, 'i').test(given)),
        )
      }),
      { numRuns: 2000 },
    )
  })

  it('names the first of the list that is in the text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit, maxLength: 4 }), { maxLength: 6 }), text, (words, given) => {
        const expected = words.findIndex((one) => one !== '' && given.includes(one))
        expect(createWordFinder(words).first(given)).toBe(expected)
      }),
      { numRuns: 2000 },
    )
  })

  it('finds the same with more words than fit into its table', () => {
    const words = Array.from({ length: 3000 }, (_, index) => `${index}`.padStart(4, '0') + 'Ä'.repeat(index % 50))
    const finder = createWordFinder(words, withoutCase)
    expect(finder.first(`xx${words[2977]?.toLowerCase()}`)).toBe(2977)
    expect(finder.first('0049ä'.padEnd(60, 'Ä'))).toBe(49)
    expect(finder.first('0049 Ä')).toBe(-1)
  })

  it('looks at each character about once, however much the text resembles the words', () => {
    let looks = 0
    // Beyond ASCII: of plain letters the class is known beforehand, so that they are not even looked at one by one.
    const words = Array.from({ length: 200 }, (_, index) => `${'ä'.repeat(395)}${index}`)
    const finder = createWordFinder(words, (code) => {
      looks++
      return code
    })
    looks = 0
    expect(finder.isIn('ä'.repeat(65_536))).toBe(false)
    expect(looks).toBe(65_536)
  })
})
