import { expect, it } from 'vitest'
import { checkLines, fromLines, toLines } from './lines.ts'

it('reads one entry per line, without blanks and repetitions', () => {
  expect(fromLines(' a\r\n\nb \na')).toEqual(['a', 'b'])
  expect(fromLines(toLines(['x', 'y']))).toEqual(['x', 'y'])
})

it('refuses more and longer entries than the server takes', () => {
  expect(checkLines('a')).toBeUndefined()
  expect(checkLines(Array.from({ length: 201 }, (_, index) => `p${index}`).join('\n'))).toMatch(/200/)
  expect(checkLines('x'.repeat(401))).toMatch(/400/)
})
