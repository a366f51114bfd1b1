import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createGlob, type GlobOptions } from './glob.ts'
import { Work } from './work.ts'

const PLENTY = 1_000_000_000
const matches = (pattern: string, value: string, options?: GlobOptions): boolean =>
  createGlob(pattern, options).matches(value, new Work(PLENTY))

const stepsOf = (pattern: string, value: string): number => {
  const work = new Work(PLENTY)
  createGlob(pattern).matches(value, work)
  return PLENTY - work.left
}

/** The matcher that grouping was shipped with: sets of positions, one after each token. */
const shipped = (pattern: string, given: string, { ignoreCase = false, path = false }: GlobOptions): boolean => {
  const prepare = (text: string): string => {
    const cased = ignoreCase ? text.toLowerCase() : text
    return path ? cased.replaceAll('\\', '/') : cased
  }
  const prepared = prepare(pattern)
  const value = prepare(given)
  if (!/[*?]/.test(prepared)) return value === prepared
  let reachable = new Set([0])
  let begun = false
  for (let index = 0; index < prepared.length; index++) {
    const character = prepared.charAt(index)
    const next = new Set<number>()
    if (character === '?') {
      for (const at of reachable) if (at < value.length) next.add(at + 1)
    } else if (character === '*') {
      let stars = 1
      while (prepared.charAt(index + 1) === '*') {
        stars++
        index++
      }
      const any = !path || stars > 1
      if (any && path && prepared.charAt(index + 1) === '/' && !begun) index++
      for (const start of reachable) {
        for (let at = start; at <= value.length; at++) {
          next.add(at)
          if (!any && value.charAt(at) === '/') break
        }
      }
    } else {
      for (const at of reachable) if (value.charAt(at) === character) next.add(at + 1)
    }
    begun = true
    reachable = next
  }
  return reachable.has(value.length)
}

describe('createGlob', () => {
  it.each([
    ['*', 'anything', true],
    ['a*c', 'abc', true],
    ['a*c', 'abd', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['com.shop.*', 'com.shop.Cart', true],
    ['.*', 'x', false],
    ['', '', true],
    ['*', '', true],
    ['a**', 'a', true],
  ])('%s on %s is %s', (pattern, value, expected) => {
    expect(matches(pattern, value)).toBe(expected)
  })

  it.each([
    ['**/node_modules/**', '/srv/node_modules/x/y.js', true],
    ['**/node_modules/**', 'node_modules/x/y.js', true],
    ['/src/*/a.js', '/src/x/a.js', true],
    ['/src/*/a.js', '/src/x/y/a.js', false],
    ['C:\\app\\**', 'c:/app/x', false],
  ])('path %s on %s is %s', (pattern, value, expected) => {
    expect(matches(pattern, value, { path: true })).toBe(expected)
  })

  it('agrees with the regular expression that means the same', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 12 })
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 6 })
    fc.assert(
      fc.property(pattern, text, (glob, value) => {
        const regex = new RegExp(`^${glob.replaceAll('?', '[^]').replaceAll('*', '[^]*')}$`)
        expect(matches(glob, value)).toBe(regex.test(value))
      }),
    )
  })

  it('answers as the matcher did that grouping was shipped with', () => {
    const options = fc.record({ ignoreCase: fc.boolean(), path: fc.boolean() })
    const unit = fc.constantFrom('a', 'B', 'b', '/', '\\', 'İ', 'é')
    const pattern = fc.string({ unit: fc.oneof(unit, fc.constantFrom('*', '**', '?', '**/')), maxLength: 12 })
    fc.assert(
      fc.property(pattern, fc.string({ unit, maxLength: 14 }), options, (glob, value, how) => {
        expect(matches(glob, value, how)).toBe(shipped(glob, value, how))
      }),
      { numRuns: 3000 },
    )
    // Patterns and values of more than one machine word, which mostly match.
    const piece = fc.oneof(fc.constantFrom('*', '**', '?'), fc.string({ unit, maxLength: 30 }))
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }),
        fc.string({ unit, maxLength: 40 }),
        options,
        (pieces, more, how) => {
          const value = pieces.map((part) => (part.startsWith('*') ? more : part)).join('')
          expect(matches(pieces.join(''), value, how)).toBe(shipped(pieces.join(''), value, how))
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('costs a step for each character and 32 of the pattern between two stars, whatever they hold', () => {
    const value = 'a'.repeat(8192)
    expect(stepsOf(`*${'a'.repeat(395)}b`, value)).toBeLessThan(15 * 8192)
    expect(stepsOf(`${'*a'.repeat(200)}b`, value)).toBeLessThan(4 * 8192)
    expect(stepsOf(`*b${'a'.repeat(30)}`, value)).toBeLessThan(3 * 8192)
    expect(stepsOf('b*', value)).toBeLessThan(20)
  })

  it('matches nothing when the work does not suffice, and tells by its budget', () => {
    const work = new Work(100)
    expect(createGlob('*a').matches('a'.repeat(8192), work)).toBe(false)
    expect(work.isSpent).toBe(true)
    expect(createGlob('a').matches('a', work)).toBe(false)
  })
})
