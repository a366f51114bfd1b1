import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createGlob } from './glob.ts'

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
    ['a**', 'a', true],
  ])('%s on %s is %s', (pattern, value, expected) => {
    expect(createGlob(pattern).matches(value)).toBe(expected)
  })

  it.each([
    ['**/node_modules/**', '/srv/node_modules/x/y.js', true],
    ['**/node_modules/**', 'node_modules/x/y.js', true],
    ['/src/*/a.js', '/src/x/a.js', true],
    ['/src/*/a.js', '/src/x/y/a.js', false],
    ['C:\\app\\**', 'c:/app/x', false],
  ])('path %s on %s is %s', (pattern, value, expected) => {
    expect(createGlob(pattern, { path: true }).matches(value)).toBe(expected)
  })

  it('agrees with the regular expression that means the same', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 12 })
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 6 })
    fc.assert(
      fc.property(pattern, text, (glob, value) => {
        const regex = new RegExp(`^${glob.replaceAll('?', '[^]').replaceAll('*', '[^]*')}$`)
        expect(createGlob(glob).matches(value)).toBe(regex.test(value))
      }),
    )
  })

  it('answers a pattern that makes a backtracking matcher explode', () => {
    expect(createGlob(`${'*a'.repeat(50)}b`).matches('a'.repeat(8000))).toBe(false)
  })
})
