import fc from 'fast-check'
import { transform } from 'lightningcss'
import { describe, expect, it } from 'vitest'
import { rewriteCss, rewriteSheet } from './css.ts'
import { NOTHING } from './urls.ts'

const PIXEL = 'data:image/png;base64,iVBORw0KGgo='

/** What a browser's parser finds in a sheet that it would fetch. */
const fetchedBy = (css: string): string[] => {
  const { dependencies } = transform({
    filename: 'sheet.css',
    code: Buffer.from(css.replaceAll('\0', '\uFFFD')),
    analyzeDependencies: true,
    errorRecovery: true,
  })
  return (dependencies ?? [])
    .flatMap((found) => ('url' in found ? [found.url] : []))
    .filter((url) => !url.startsWith('data:') && !url.startsWith('#'))
}

describe('rewriteCss', () => {
  it.each([
    ['a function', 'a{background:url(http://evil.test/a)}'],
    ['quotation marks', `a{background:url("http://evil.test/a") no-repeat, url('http://evil.test/b')}`],
    ['the beginning of a comment of HTML', '<!--url(http://evil.test/a){}a{--b:<!--url(http://evil.test/a)}'],
    ['an unknown closing', 'a{background:url(http://evil.test/a'],
    ['an open string', 'a{background:url("http://evil.test/a'],
    ['escapes', 'a{background:\\75rl(http://evil.test/a)}'],
    ['escapes with blanks', 'a{background:\\000075\r\n\\72 \\6c(http://evil.test/a)}'],
    ['an escaped letter', 'a{background:ur\\l(http://evil.test/a)}'],
    ['capitals', 'a{background:URL(http://evil.test/a)}'],
    ['blanks', 'a{background:url( \n\t "http://evil.test/a" \n )}'],
    ['an escaped parenthesis', 'a{background:url(http://evil.test/\\)a)}'],
    ['a comment before', 'a{/* "*/background:url(http://evil.test/a)/*"*/}'],
    ['a string before', 'a{content:"/*";background:url(http://evil.test/a);color:red/**/}'],
    ['a string that its line ends', 'a{content:"x\nbackground:url(http://evil.test/a);}'],
    ['a string that goes on', 'a{content:"x\\\n\\"";background:url(http://evil.test/a)}'],
    ['a character beyond ASCII', 'a{background:\u0080url(http://evil.test/a);b:url(http://evil.test/b)}'],
    ['a font', '@font-face{font-family:a;src:local("b"),url(http://evil.test/a) format("woff2")}'],
    ['an import', '@import "http://evil.test/a";'],
    ['an import with a function', '@IMPORT url(http://evil.test/a) screen;'],
    ['an import with escapes', '@\\69mport "http://evil.test/a";'],
    ['a set of images', 'a{background:image-set("http://evil.test/a" 1x, url(http://evil.test/b) 2x)}'],
    ['an old set of images', 'a{background:-webkit-image-set(url(http://evil.test/a) 1x)}'],
    ['a set with escapes', 'a{background:\\69mage-se\\74("http://evil.test/a" 1x)}'],
    ['an address in a variable', 'a{--b:url(http://evil.test/a);background:var(--b)}'],
    ['a fallback', 'a{background:var(--none, url(http://evil.test/a))}'],
    ['a cursor', 'a{cursor:url(http://evil.test/a), auto}'],
    ['a cross-fade', 'a{background:-webkit-cross-fade(url(http://evil.test/a), url(http://evil.test/b), 50%)}'],
    ['a nested rule', '@media screen{@supports (display:grid){a{&:hover{background:url(//evil.test/a)}}}}'],
    ['a relative address', 'a{background:url(/a.png)}'],
    ['a script', 'a{background:url(javascript:alert(1))}'],
    ['a document', 'a{background:url(data:text/html,<script>alert(1)</script>)}'],
    ['an old binding', 'a{-moz-binding:url(http://evil.test/a#b);behavior:url(http://evil.test/c)}'],
    ['a new function', 'a{background:src("http://evil.test/a");b:image("http://evil.test/c")}'],
  ])('fetches nothing for %s', (_, css) => {
    const { text, changed } = rewriteCss(css)
    expect(fetchedBy(text)).toEqual([])
    expect(changed).toBeGreaterThan(0)
    expect(text).not.toMatch(/url\((?!\s*["']?(?:data:|#))/i)
    expect(text).not.toMatch(/@import|[^-]\b(?:image-set|src|image|expression)\(/i)
    // What is written once stays as it is.
    expect(rewriteCss(text)).toMatchObject({ text, changed: 0 })
  })

  it('leaves what a browser has already', () => {
    for (const css of [
      'a { color: red; width: calc(1px + (2px * 3)) }',
      `a{background:url("${PIXEL}") no-repeat;content:"url(http://a)" attr(data-x)}`,
      '@font-face{font-family:a;src:url("data:font/woff2;base64,d09GMg==") format("woff2")}',
      'rect{fill:url("#gradient")}',
      '/* a comment: url(x) */ @media (min-width: 10px) { a::before { content: "\\201C" } }',
      '.behavior, #url, .image { scroll-behavior: smooth }',
    ]) {
      expect(rewriteCss(css)).toEqual({ text: css, changed: 0, depth: 0 })
    }
  })

  it('keeps rules for links, which have no address any more', () => {
    expect(rewriteCss('a:link,a:not([href]),a:any-link:hover,::link{color:blue}').text).toBe(
      'a[data-fh-href],a:not([data-fh-href]),a[data-fh-href]:hover,::link{color:blue}',
    )
  })

  it('puts an address that fetches nothing in the place of one', () => {
    expect(rewriteCss('background: url(a.png) red').text).toBe(`background: url("${NOTHING}") red`)
  })

  it('cuts off what lies too deep for a parser that goes down by recursion', () => {
    const css = `${'a{'.repeat(100_000)}color:red`
    expect(rewriteCss(css)).toMatchObject({ text: 'a{'.repeat(64) + 'a', changed: 1 })
  })

  // A quadratic one would take minutes: the limit of the test is what fails.
  it('takes a time that grows with the text', { timeout: 60_000 }, () => {
    for (const part of [
      '"\\',
      'url(',
      '\\',
      '/*',
      'a:link ',
      '@import "',
      "url('",
      '   behavior',
      '</',
      'x(\\)',
      '\\6',
    ]) {
      const sheet = part.repeat(400_000)
      expect(rewriteSheet(sheet, 0).text.length).toBeLessThan(100 * sheet.length)
    }
  })
})

const PIECES = [
  ...'u r l url ( ) " \' \\ / * ; : { } a 1 - @ [ ] # . , % ! U+ e3 /* */ /**/ <!-- --> src import image-set background'.split(
    ' ',
  ),
  '\n',
  '\r',
  '\f',
  ' ',
  '\0',
  'é',
  '\u0080',
  '\\75',
  '\\72 ',
  '\\6c',
  '\\\n',
  '@import ',
  'a{background:',
  'http://evil.test/',
  '//e.t',
]
const piece = fc.constantFrom(...PIECES)
const css = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''))

describe('any CSS', () => {
  it('fetches nothing', () => {
    fc.assert(
      fc.property(css, (text) => {
        const written = rewriteCss(text).text
        expect(fetchedBy(written)).toEqual([])
        expect(fetchedBy(`a{background:${written}}`)).toEqual([])
        expect(fetchedBy(`a{${written}}`)).toEqual([])
      }),
      { numRuns: 4000 },
    )
  })

  it('fetches nothing when a browser joins the texts of one element', () => {
    fc.assert(
      fc.property(fc.array(css, { minLength: 2, maxLength: 4 }), fc.boolean(), (texts, inOne) => {
        const joined = inOne
          ? rewriteSheet(texts.join('/* rr_split */'), 0).text.split('/* rr_split */').join('')
          : texts.map((text) => rewriteSheet(text, 0).text).join('')
        expect(fetchedBy(joined)).toEqual([])
      }),
      { numRuns: 4000 },
    )
  })

  it('is found to fetch by this test where it is not rewritten', () => {
    expect(fetchedBy('@import "http://e.t";a{background:\\75 rl(http://evil.test/)}')).toHaveLength(2)
  })
})
