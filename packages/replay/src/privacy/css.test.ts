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
    [
      'no declaration is believed to be silent',
      'p { align-content: "x"; color: red }',
      'p { align-content: "*"; color: red }',
    ],
  ])('%s', (_, css, expected = css) => {
    expect(masked(css)).toBe(expected)
  })

  it.each([
    'a::after{content:"Dear Ann; you owe 5 EUR"}',
    'a::after{content:"Dear {Ann} Lee"}',
    'a::after{content:"{" "Ann" "}" "Lee"}',
    "li{list-style-type:'Ann Lee '}",
    'ul{list-style:"Ann Lee"}',
    'q{quotes:"Ann Lee" "x"}',
    '@counter-style x{system:cyclic;symbols:"Ann" "Lee"}',
    '@counter-style x{prefix:"Ann";suffix:"Lee";negative:"Ann" "Lee";pad:3 "Ann";additive-symbols:1 "Lee"}',
    ':root{--fontlabel:"Ann Lee"}',
    ':root{--font-label:"Ann Lee"}',
    'a::after{content/**/:"Ann Lee"}',
    'a::after{/*"*/content:"Ann Lee"}',
    'a::after{/*;font:*/content:"Ann Lee"}',
    'a::after{c\\6fntent:"Ann Lee"}',
    'p{text-overflow:"Ann Lee"}',
    'a::after{content:url(a.png) "Ann Lee"}',
    'a::after{content:"x" attr(data-tip) "Ann"}',
    'a::after{content:"x\n;content:"Ann"}',
    'a::after{content:"\\41\nAnn"}',
    'a::after{content:"Ann Lee',
    'p{background:url(a"b)}a::after{content:"Ann Lee"}',
    'p{background:url(DATA:image/png;base64,SECRET)}',
    'p{background:url("DATA:image/png;base64,SECRET")}',
    'p{background:url("\\64 ata:image/png;base64,SECRET")}',
    'p{background:url( data:image/png;base64,SECRET )}',
    'p{background:u\\72l(data:image/png;base64,SECRET)}',
    'p{background:image-set("data:image/png;base64,SECRET" 1x)}',
    'p{background:url("data:image/svg+xml;utf8,<text>a)SECRET</text>")}',
  ])('say nothing: %s', (css) => {
    expect(masked(css)).not.toMatch(/Ann|Lee|SECRET/)
    expect(masked(`@media print{${css}`)).not.toMatch(/Ann|Lee|SECRET/)
  })

  it.each([
    'p{font:12px "Inter"}',
    '@font-face{font-family:"Inter";src:local("Inter"),url("/inter.woff2") format("woff2")}',
    ':root{--bs-font-sans-serif:"Inter";--default-font-family:"Inter"}',
    '@charset "utf-8";@import "other.css";@import url("more.css");',
    'input[type="text"]:hover,a[data-state=\'open\' i]{color:red}',
    'main{grid-template-areas:"head head" "side main"}',
    'p{background:url("/a;b{c}.png"),image-set("a.png" 1x, "b.png" 2x)}',
    'p{background:url(/a\\)b.png)}',
    '@property --x{syntax:"<color>"}',
    '@font-face{src:url("data:font/woff2;base64,AA")}',
  ])('keep what shows nothing: %s', (css) => {
    expect(masked(css)).toBe(css)
  })

  it.each([
    'p{background:url(/a.png?X-Amz-Signature=SECRET&v=2)}',
    'p{background:url( "/a.png?X-Amz-Signature=SECRET&v=2" )}',
    "p{background:image-set('/a.png?token=SECRET&v=2' 1x, url(/b.png?token=SECRET&v=2) 2x)}",
    '@import "/a.css?token=SECRET&v=2";',
    '@import url(/a.css?token=SECRET&v=2) screen;',
    'p{background:url("/a.png?\\74 oken=SECRET&v=2")}',
    'p{background:url(https://ann:SECRET@shop.example/a.png?v=2)}',
  ])('addresses keep no secrets, with every option: %s', (css) => {
    for (const isMasked of [true, false]) {
      const said = maskCss(css, isMasked, false)
      expect(said).not.toContain('SECRET')
      expect(said).toContain('v=2')
      expect(said.at(-1)).toBe(css.at(-1))
    }
  })

  it('what only looks like a secret stays', () => {
    const css =
      'a[href="?token=x"]{color:red}@font-face{src:url("data:font/woff2;base64,tokenAA==")}b{background:url(/a.png?v=2)}'
    expect(maskCss(css, false, false)).toBe(css)
    expect(masked(css)).toBe(css)
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
      `${'url('.repeat(50_000)}"`,
      `${'/*'.repeat(100_000)}"`,
      `url(${' '.repeat(100_000)}"`.repeat(2),
      `${'--a-font-sans'.repeat(20_000)}:${'"a"'.repeat(20_000)}`,
      `"${'a'.repeat(200_000)}`,
    ]
    expect(sheets.map(masked)).toHaveLength(9)
    expect(sheets.map((sheet) => maskCss(`${sheet}=\\`, false, false))).toHaveLength(9)
  })
})
