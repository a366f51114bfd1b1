import { describe, expect, it } from 'vitest'
import { dotsOf, dotWords } from './said-words.ts'

describe('the dots of people', () => {
  it('are one for each, while there is room', () => {
    expect(dotsOf(31, 4)).toEqual({ dots: 31, accents: 4, each: 1, eachWriter: 1 })
    expect(dotsOf(0, 3)).toEqual({ dots: 3, accents: 3, each: 1, eachWriter: 1 })
    expect(dotWords(dotsOf(31, 4))).toBe('Each dot is a person.')
  })

  it('stand for several who said nothing, and say so; whoever wrote has their own', () => {
    const many = dotsOf(157, 4)
    expect(many).toEqual({ dots: 81, accents: 4, each: 2, eachWriter: 1 })
    expect(dotWords(many)).toBe('Each grey dot is about 2 people, each coloured one a person who wrote.')
    expect(dotWords(dotsOf(5000, 0))).toBe('Each dot is about 49 people.')
  })

  it('are never more than can be drawn', () => {
    for (const [people, wrote] of [
      [104, 104],
      [100_000, 3],
      [100_000, 90_000],
      [105, 53],
    ] as const) {
      const { accents, dots, each, eachWriter } = dotsOf(people, wrote)
      expect(dots).toBeLessThanOrEqual(104)
      expect(accents * eachWriter).toBeGreaterThanOrEqual(wrote)
      expect((dots - accents) * each).toBeGreaterThanOrEqual(people - wrote)
    }
  })
})
