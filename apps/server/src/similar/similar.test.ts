import { describe, expect, it } from 'vitest'
import type { Features } from '../issues/index.ts'
import { compare, weightsOf } from './compare.ts'
import { tokensOf } from './tokens.ts'
import { bandsOf, signatureOf } from './signature.ts'

const features = (name: string, frames: number, more: Partial<Features> = {}): Features => ({
  functions: Array.from({ length: frames }, (_, index) => `${name}.f${index}`),
  type: 'TypeError',
  words: ['cannot', 'read', 'properties', 'of', name],
  ...more,
})

const share = (one: readonly string[], other: readonly string[]): number => {
  const [a, b] = [signatureOf(one), signatureOf(other)]
  if (a === null || b === null) throw new Error('There is nothing to compare')
  return a.filter((value, index) => value === b[index]).length / a.length
}

describe('signatures', () => {
  it('agree in as many values as sets have elements in common', () => {
    const words = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `w${from + index}`)
    expect(share(words(0, 200), words(0, 200))).toBe(1)
    // A third in common: 64 values tell it to a few hundredths.
    expect(Math.abs(share(words(0, 200), words(100, 300)) - 1 / 3)).toBeLessThan(0.17)
    expect(share(words(0, 200), words(200, 400))).toBeLessThan(0.1)
    expect(signatureOf([])).toBeNull()
  })

  it('share a band when issues are nearly the same', () => {
    const [one, other] = [features('cart', 10), features('cart', 11)].map((each) => signatureOf(tokensOf(each)))
    if (one == null || other == null) throw new Error('There is nothing to compare')
    const bands = new Set(bandsOf(one))
    expect(bandsOf(other).filter((band, index) => bandsOf(one)[index] === band && bands.has(band))).not.toEqual([])
  })
})

describe('how alike two issues are', () => {
  const even = () => 1

  it('is by functions, type and message, and what neither has does not count', () => {
    const one = features('cart', 4)
    expect(compare(one, one, even)).toEqual({ score: 1, frames: 1, type: 1, message: 1 })
    const silent: Features = { functions: ['a.b'], type: '', words: [] }
    expect(compare(silent, silent, even)).toEqual({ score: 1, frames: 1, type: null, message: null })
    const other = compare(one, features('login', 4, { type: 'RangeError', words: [] }), even)
    expect(other).toEqual({ score: 0, frames: 0, type: 0, message: 0 })
  })

  it('counts what few have for more', () => {
    const common = ['app.main', 'app.run']
    const [one, other, third] = ['x', 'y', 'z'].map((own): Features => ({
      functions: [...common, `${own}.only`],
      type: '',
      words: [],
    }))
    if (one === undefined || other === undefined || third === undefined) throw new Error('Three are made')
    const crowd = Array.from({ length: 50 }, () => ({ functions: common, type: '', words: [] }))
    const plain = compare(one, other, even).score
    expect(compare(one, other, weightsOf([one, other, third, ...crowd])).score).toBeLessThan(plain)
  })
})
