import { describe, expect, it } from 'vitest'
import { isAllowedOrigin } from './allowed-domains.ts'

describe('allowed domains', () => {
  it.each([
    ['https://a.example', ['*'], true],
    [null, ['a.example'], true],
    ['https://a.example', ['a.example'], true],
    ['https://A.Example:8443', ['a.example'], true],
    ['https://b.example', ['a.example'], false],
    ['https://a.example', ['*.example'], true],
    ['https://shop.example', ['*.shop.example'], true],
    ['https://evilshop.example', ['*.shop.example'], false],
    ['https://a.example', ['http://a.example'], false],
    ['http://a.example', ['http://a.example:80'], true],
    ['http://a.example:81', ['http://a.example:80'], false],
    ['http://localhost:5173', ['localhost:*'], true],
    ['https://preview-12.app.example', ['preview-*.app.example'], true],
    ['https://a.example/path?x', ['a.example'], true],
    ['https://a.example.evil.com', ['a.example'], false],
    ['null', ['a.example'], false],
    ['', ['a.example'], true],
    ['https://a.example', [], false],
    ['app://shop', ['app://*'], true],
    ['http://[::1]:3000', ['[::1]'], true],
  ])('%j against %j: %s', (origin, patterns, expected) => {
    expect(isAllowedOrigin(origin, patterns)).toBe(expected)
  })

  it('takes linear time for hostile input', () => {
    expect(isAllowedOrigin(`https://${'a'.repeat(100_000)}`, [`${'*a'.repeat(500)}b`])).toBe(false)
  })
})
