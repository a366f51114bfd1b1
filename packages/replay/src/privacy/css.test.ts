import { describe, expect, it } from 'vitest'
import { maskCss } from './css.ts'

const masked = (css: string): string => maskCss(css, true, true)

describe('R93 Style sheets', () => {
  it.each([
    ['words before and after elements', 'a::after { content: "sold out"; }', 'a::after { content: "**** ***"; }'],
    ['also in other quotes', "a::after{content:'sold out'}", "a::after{content:'**** ***'}"],
    ['signs of fonts are pictures', 'i::before { content: "\uF101"; }', 'i::before { content: "\uF101"; }'],
    ['also when they are written in numbers', 'i::before { content: "\\f101 " }', 'i::before { content: "\\f101 " }'],
    ['letters in numbers are letters', 'i::before { content: "\\48 i" }', 'i::before { content: "**" }'],
    ['quotes in quotes', 'q { content: "a\\"b" "c" }', 'q { content: "***" "*" }'],
    ['nothing at all', 'q { content: none; color: red }', 'q { content: none; color: red }'],
    ['attributes are masked where they stand', 'q { content: attr(title) }', 'q { content: attr(title) }'],
    ['words that are used elsewhere', ':root { --word: "sold out" }', ':root { --word: "**** ***" }'],
    ['names of fonts', ':root { --font-body: "Inter" } p { font-family: "Inter" }', undefined],
    ['pictures', 'p { background: url("data:image/png;base64,AAAA") red }', 'p { background: url("data:,") red }'],
    ['pictures without quotes', 'p { background: url(data:image/svg+xml,x) }', 'p { background: url("data:,") }'],
    ['fonts are shown', '@font-face { src: url(data:font/woff2;base64,AA) }', undefined],
    ['addresses stay', 'p { background: url(https://shop.example/a.png) }', undefined],
    ['declarations that only sound like it', 'p { align-content: "x"; justify-content: center }', undefined],
  ])('%s', (_, css, expected = css) => {
    expect(masked(css)).toBe(expected)
  })

  it('are left as they are where words and pictures may be seen', () => {
    const css = 'a::after { content: "sold out"; background: url(data:image/png;base64,AAAA) }'
    expect(maskCss(css, false, false)).toBe(css)
    expect(maskCss(css, false, true)).toContain('sold out')
    expect(maskCss(css, true, false)).toContain('AAAA')
  })

  it('a sheet that is made to be slow is not', { timeout: 5000 }, () => {
    const sheets = [
      `a{content:${'"'.repeat(200_000)}`,
      `a{${'--a:'.repeat(100_000)}`,
      `a{content:"${'\\'.repeat(200_001)}`,
      'url("data:'.repeat(50_000),
    ]
    expect(sheets.map(masked)).toHaveLength(4)
  })
})
