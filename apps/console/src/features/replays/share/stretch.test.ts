import { describe, expect, it } from 'vitest'
import { readStretch, stretchFrom, stretchWords, WHOLE } from './stretch.ts'

const BOUNDS = { startedAt: 1_000_000, finishedAt: 1_252_040 }

describe('a stretch that is shared', () => {
  it('goes from the moment of the cursor to the end, and from the beginning where hardly anything follows', () => {
    expect(stretchFrom(1_109_640, BOUNDS)).toEqual({ from: '1:49.6', to: '4:12.1' })
    expect(stretchFrom(1_252_000, BOUNDS)).toEqual({ from: '0:00.0', to: '4:12.1' })
  })

  it('is read as it is typed, and ends with the replay', () => {
    expect(readStretch({ from: '1:49.6', to: '4:12.1' }, BOUNDS)).toEqual({
      stretch: { from: 1_109_600, to: 1_252_040 },
      problems: {},
    })
    expect(readStretch({ from: ' 5 ', to: '0:01:30' }, BOUNDS).stretch).toEqual({ from: 1_005_000, to: 1_090_000 })
  })

  it('is refused with a word at the field that is wrong', () => {
    const problem = (from: string, to: string) => Object.keys(readStretch({ from, to }, BOUNDS).problems)
    expect(problem('soon', '1:00')).toEqual(['from'])
    expect(problem('', '-1')).toEqual(['from', 'to'])
    expect(problem('1:00', '1:00.9')).toEqual(['to'])
    expect(problem('4:12', '9:00')).toEqual(['to'])
    expect(readStretch({ from: '1:00', to: '0:30' }, BOUNDS).stretch).toBeNull()
  })

  it('is told in words', () => {
    expect(stretchWords(WHOLE, BOUNDS)).toBe('Whole replay')
    expect(stretchWords({ from: 1_005_000, to: null }, BOUNDS)).toBe('From 0:05.0 to 4:12.0')
  })
})
