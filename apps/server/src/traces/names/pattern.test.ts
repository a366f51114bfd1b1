import { describe, expect, it } from 'vitest'
import { applyPattern, byPrecision, readPattern, type NamePattern } from './pattern.ts'

const pattern = (text: string): NamePattern => {
  const read = readPattern(text)
  if (!read.ok) throw new Error(read.error)
  return read.value
}
const applied = (text: string, path: string): string | null => applyPattern(pattern(text), path.split('/'))

describe('a rule for names', () => {
  it.each([
    ['/shop/*', '/shop/red', '/shop/*'],
    ['/shop/*', '/shop/', null],
    ['/shop/*', '/shop/red/reviews', null],
    ['/shop/*', '/shops/red', null],
    ['/shop/*/**', '/shop/red', '/shop/*'],
    ['/shop/*/**', '/shop/red/reviews/2', '/shop/*/reviews/2'],
    ['/shop/*/reviews', '/shop/red/reviews', '/shop/*/reviews'],
    ['/shop/order-*', '/shop/order-17a', '/shop/order-*'],
    ['/shop/order-*.html', '/shop/order-.html', null],
    ['/shop/*.html', '/shop/17.html', '/shop/*.html'],
    ['/shop/cart', '/shop/cart', '/shop/cart'],
    ['send * mails', 'send 17 mails', 'send * mails'],
  ])('%s makes of %s: %s', (rule, path, name) => {
    expect(applied(rule, path)).toBe(name)
  })

  it.each([
    '*',
    '/*/**',
    '/a/**/b',
    '/a*b*c',
    'GET /shop/*',
    '/shop?page=*',
    ' /shop',
    `/${'a'.repeat(200)}`,
    '/a'.repeat(21),
    '/a\u0000b',
  ])('is not %j', (text) => {
    expect(readPattern(text)).toMatchObject({ ok: false, error: expect.stringMatching(/\.$/) })
  })

  it('comes before those that say less', () => {
    const texts = ['/shop/*/**', '/shop/*', '/shop/cart', '/shop/*/reviews', '/shop/*/*']
    expect(
      texts
        .map(pattern)
        .toSorted(byPrecision)
        .map(({ text }) => text),
    ).toEqual(['/shop/*/reviews', '/shop/*/*', '/shop/cart', '/shop/*', '/shop/*/**'])
  })

  it('T114: takes one look at each part, whatever it is asked', () => {
    const hostile = `/${'a'.repeat(100)}*${'a'.repeat(90)}`
    const path = Array.from({ length: 10_000 }, () => 'a'.repeat(200))
    for (const part of path) expect(applyPattern(pattern(hostile), ['', `${part}b`])).toBeNull()
    expect(applyPattern(pattern('/a*/**'), ['', ...path])).toMatch(/^\/a\*\/a+\//)
  })
})
