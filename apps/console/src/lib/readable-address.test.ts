import { describe, expect, it } from 'vitest'

import { addressParts, readableAddress } from './readable-address.ts'

describe('an address as people read it', () => {
  it('has letters of any script, and no others than it had', () => {
    expect(readableAddress('/k%C3%BCche/wei%C3%9F?q=%D8%B3%D9%84%D8%A9')).toBe('/küche/weiß?q=سلة')
    expect(readableAddress('/plain?x=1%202')).toBe('/plain?x=1%202')
    // Signs with a meaning, a broken one, and letters that anybody could have written.
    for (const same of ['/a%2Fb%3Fc%23d%26e%3D%25', '/%C3%28', '/%61%62', '/%e2%82'])
      expect(readableAddress(same)).toBe(same)
  })

  it('never shows what is not seen, or turns what follows round', () => {
    const tricks = ['\u202e', '\u2066', '\u200f', '\u061c', '\u200b', '\u2060', '\ufeff', '\u00a0', '\u2044', '\u2028']
    for (const trick of tricks) {
      const written = `/a${encodeURIComponent(trick)}b`
      expect(readableAddress(written)).toBe(written)
    }
    expect(addressParts('/سلة/شراء?a=b')).toEqual(['/', 'سلة', '/', 'شراء', '?', 'a', '=', 'b'])
  })
})
