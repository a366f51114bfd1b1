import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { complaintsOf, found, numbersIn, PAGES, written } from './numbered-statements.mjs'

const row = (number: number, held: string): string => `| T${number} | it does so | ${held} |\n`

describe('numbered statements', () => {
  it('each have a test that bears their number, or a reason for having none', () => {
    const tests = found()
    for (const { letter, last, path } of PAGES) {
      const page = readFileSync(path, 'utf8')
      expect(complaintsOf(letter, page, tests.get(letter) ?? new Map())).toEqual([])
      const numbers = [...page.matchAll(new RegExp(`^\\| ${letter}(\\d+) `, 'gm'))].map(([, number]) => Number(number))
      expect(numbers).toEqual(Array.from({ length: last }, (_, index) => index + 1))
    }
  })

  it('are found at the beginning of titles, and alone in tables of cases', () => {
    expect(numbersIn('T', `it('T54, T99: both', …); describe("T7 one", …); [['T24', '/a']]`)).toEqual([54, 99, 7, 24])
    expect(numbersIn('R', `it('R1 R12 both', …); it('T5 another page', …)`)).toEqual([1, 12])
    expect(numbersIn('T', `it('as in T54: elsewhere', …); const T5 = 'T-shirt'; 'T1000x'`)).toEqual([])
  })

  it('complain about a file that has no such test, a row with nothing, and a number that is not there', () => {
    const tests = new Map([
      [1, ['a.test.ts']],
      [9, ['b.test.ts']],
    ])
    expect(
      complaintsOf('T', row(1, '`a.test.ts`, `c.test.ts`') + row(2, '–') + row(3, 'none: a speed'), tests),
    ).toEqual([
      'T1: c.test.ts has no test that begins with its number.',
      'T2 has neither a test nor a reason.',
      'A test names T9, which is not there.',
    ])
  })

  it('are written with the files that hold them; what is left to do stays, a reason that is none any more goes', () => {
    const tests = new Map([[1, ['a.test.ts', 'b.test.ts']]])
    const both = row(1, '`a.test.ts`, `b.test.ts`')
    for (const held of ['–', 'none: a speed, measured by `npm run bench`', '`old.test.ts`', '`a.test.ts`, `b.test.ts`'])
      expect(written('T', row(1, held), tests)).toBe(both)
    expect(written('T', row(1, '`old.test.ts`; not yet at night'), tests)).toBe(
      row(1, '`a.test.ts`, `b.test.ts`; not yet at night'),
    )
    expect(written('T', row(2, 'none: a speed'), tests)).toBe(row(2, 'none: a speed'))
  })
})
