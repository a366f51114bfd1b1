import { expect, it } from 'vitest'
import { highestOf, roomOf, tickTexts } from './ticks.ts'

const seconds = (value: number): string => `${(value / 1000).toFixed(2)} s`

it('labels an axis with its shortest texts, and one of nothing with none', () => {
  expect(tickTexts([0, 500, 1000, 1250], 1300, seconds)).toEqual(['0', '0.5 s', '1 s', '1.25 s'])
  expect(tickTexts([0, 10, 100], 120, String)).toEqual(['0', '10', '100'])
  expect(tickTexts([0, 0.5, 1], 0, String)).toEqual(['0', '', ''])
  expect(tickTexts([0, 0.5, 1], null, String)).toEqual(['', '', ''])
})

it('finds the highest value, and none among gaps', () => {
  expect(highestOf([[1, null, 3], [2]])).toBe(3)
  expect(highestOf([[0, null]])).toBe(0)
  expect(highestOf([[null, undefined], []])).toBeNull()
})

it('an axis has room for its longest text', () => {
  const widthOf = (text: string): number => text.length * 6.5
  expect(roomOf(['0', '2.5 /min', '5 /min'], widthOf, 6)).toBe(58)
  expect([roomOf(['0', '1 s'], widthOf, 6), roomOf([], widthOf, 6)]).toEqual([44, 44])
})
