import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatShortId, parseShortId } from './short-id.ts'

describe('short ids', () => {
  it.each([
    ['web', 1, 'WEB-1'],
    ['shop-web', 132, 'SHOP-WEB-44'],
    ['web', 31, 'WEB-Z'],
    ['web', 32, 'WEB-10'],
  ])('%s %i is %s', (slug, number, text) => {
    expect(formatShortId(slug, number)).toBe(text)
  })

  it('can be read back, in any case', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 32 }), (number) => {
        const text = formatShortId('shop-web', number)
        expect(parseShortId(text)).toEqual({ projectSlug: 'shop-web', number })
        expect(parseShortId(text.toLowerCase())).toEqual({ projectSlug: 'shop-web', number })
      }),
    )
  })

  it.each(['', 'web', '-1', 'web-', 'web-U', 'web-123456789'])('refuses %j', (text) => {
    expect(parseShortId(text)).toBeNull()
  })
})
