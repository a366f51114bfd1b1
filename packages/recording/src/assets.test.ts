import { describe, expect, it } from 'vitest'
import { MAX_ADDRESS } from './bounds.ts'
import { Source, type RecordedEvent } from './events.ts'
import { isFields } from './fields.ts'
import { keptAssets, type KeptSheet } from './kept-assets.ts'
import { change, element, meta, mutation, NOW, snapshot, text } from './page.fixture.ts'
import { PageState } from './page-state.ts'
import { readAssetAddresses } from './read-assets.ts'
import { readSheet } from './read-sheet.ts'
import { isMasked } from './repro/element.ts'
import { rewriteEvents } from './rewrite.ts'
import { candidateOf } from './srcset.ts'
import { MISSING_PICTURE } from './urls.ts'

const CDN = 'https://cdn.example'
const PNG = 'data:image/png;base64,iVBORw0KGgo='
const FONT = 'data:font/woff2;base64,d09GMg=='

const page = (...body: ReturnType<typeof element>[]): RecordedEvent[] => [
  meta(NOW, 'https://shop.example/cart/'),
  snapshot(NOW, ...body),
]

const addressesOf = (events: readonly RecordedEvent[], more: object = {}) =>
  readAssetAddresses(events, { characters: 2048, addresses: 100, allows: () => true, ...more })

const drawn = (
  events: readonly RecordedEvent[],
  data: Readonly<Record<string, string>>,
  sheets: Readonly<Record<string, KeptSheet>> = {},
): string =>
  JSON.stringify(
    rewriteEvents(events, keptAssets(new Map(Object.entries(data)), new Map(Object.entries(sheets)))).events,
  )

describe('what pages name and was not recorded', () => {
  it('an address without its secret is none to fetch', () => {
    const filtered = '/file?key=%5BFiltered%5D'
    const events = page(
      element(3, 'img', { src: filtered }),
      element(4, 'img', { src: `/login?next=${encodeURIComponent(filtered)}` }),
      element(5, 'div', { style: `background:url(${filtered})` }),
      element(6, 'img', { src: '/b.png?q=Filtered' }),
    )
    expect(addressesOf(events)).toEqual({ addresses: ['https://shop.example/b.png?q=Filtered'], leftOut: [] })
  })

  const named = [
    ...page(
      element(3, 'img', { src: `${CDN}/a.png#top` }),
      element(4, 'img', { src: '../b.png' }),
      element(5, 'video', { poster: `${CDN}/poster.jpg`, src: `${CDN}/film.mp4` }),
      element(6, 'link', { rel: 'stylesheet', href: `${CDN}/linked.css` }),
      element(7, 'link', {
        rel: 'stylesheet',
        href: `${CDN}/inlined.css`,
        _cssText: `i{background:url(${CDN}/c.png)}`,
      }),
      element(8, 'style', {}, text(9, `@font-face{src:url("${CDN}/f.woff2")}`)),
      element(10, 'div', { style: `background:url('${CDN}/d.png')` }),
      element(11, 'script', { src: `${CDN}/app.js` }),
      element(12, 'a', { href: `${CDN}/page` }),
      element(13, 'iframe', { src: `${CDN}/frame` }),
      { ...element(14, 'image', { 'xlink:href': `${CDN}/svg.png` }), isSVG: true },
    ),
    mutation(NOW + 1, {
      adds: [{ parentId: 2, nextId: null, node: element(20, 'img', { src: `${CDN}/added.png` }) }],
      attributes: [
        { id: 3, attributes: { src: `${CDN}/changed` } },
        { id: 13, attributes: { src: `${CDN}/frame.png` } },
        { id: 99, attributes: { src: `${CDN}/unknown.png?1` } },
        { id: 98, attributes: { src: `${CDN}/unknown` } },
        { id: 10, attributes: { style: { 'background-image': [`url(${CDN}/e.png)`, 'important'] } } },
      ],
    }),
    change(NOW + 2, Source.StyleSheetRule, { id: 8, adds: [{ rule: `b{background:url(${CDN}/rule.png)}` }] }),
    change(NOW + 3, Source.StyleDeclaration, {
      id: 8,
      index: [0],
      set: { property: 'x', value: `url(${CDN}/set.png)` },
    }),
    change(NOW + 4, Source.AdoptedStyleSheet, {
      id: 1,
      styles: [{ styleId: 1, rules: [{ rule: `u{background:u\\72l(${CDN}/adopted.png)}` }] }],
    }),
    change(NOW + 5, Source.Font, { family: 'F', fontSource: `url(${CDN}/g.woff2)`, buffer: false }),
  ]

  it('R69 are collected from snapshots, changes, sheets and fonts, resolved by the page, each once', () => {
    const { addresses, leftOut } = addressesOf([...named, ...named])
    expect(addresses.toSorted()).toEqual(
      [
        'https://shop.example/b.png',
        ...[
          'a.png',
          'poster.jpg',
          'linked.css',
          'c.png',
          'f.woff2',
          'd.png',
          'svg.png',
          'added.png',
          'changed',
          'unknown.png?1',
          'e.png',
          'rule.png',
          'set.png',
          'adopted.png',
          'g.woff2',
        ].map((name) => `${CDN}/${name}`),
      ].toSorted(),
    )
    expect(leftOut).toEqual([])
  })

  it('R69 are bounded in number and length; what nobody wants does not count', () => {
    const images = Array.from({ length: 10 }, (_, index) => element(10 + index, 'img', { src: `${CDN}/${index}` }))
    expect(addressesOf(page(...images), { addresses: 3 })).toEqual({
      addresses: [9, 8, 7].map((index) => `${CDN}/${index}`),
      leftOut: [6, 5, 4, 3, 2, 1, 0].map((index) => `${CDN}/${index}`),
    })
    expect(addressesOf([...page(...images), ...page(...images)], { characters: 10 }).leftOut).toHaveLength(10)
    expect(addressesOf(page(...images), { addresses: 3, allows: (url: string) => url.endsWith('/1') })).toEqual({
      addresses: [`${CDN}/1`],
      leftOut: [],
    })
  })

  it('R69 a page whose own address is too long resolves none; the others of it are read', () => {
    const longest = 'https://shop.example/'.padEnd(MAX_ADDRESS, 'x')
    const events = (href: string) => [
      meta(NOW, href),
      snapshot(
        NOW,
        element(3, 'img', { src: 'a.png' }),
        element(4, 'img', { src: `${CDN}/b.png` }),
        element(5, 'a', { href: '/cart' }),
      ),
    ]
    const data = { 'https://shop.example/a.png': `${PNG}a`, [`${CDN}/b.png`]: `${PNG}b` }
    expect(addressesOf(events(longest)).addresses).toEqual([`${CDN}/b.png`, 'https://shop.example/a.png'])
    expect(drawn(events(longest), data)).toContain(`${PNG}a`)
    expect(drawn(events(longest), data)).toContain('https://shop.example/cart')
    expect(addressesOf(events(`${longest}x`)).addresses).toEqual([`${CDN}/b.png`])
    expect(drawn(events(`${longest}x`), data)).not.toContain(`${PNG}a`)
    expect(drawn(events(`${longest}x`), data)).toContain(`${PNG}b`)
    expect(drawn(events(`${longest}x`), data)).not.toContain('https://shop.example/cart')
  })

  it('R69 are none that only look like addresses of the web', () => {
    const hostile = [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'https://ada:secret@cdn.example/',
      'data:,x',
      '#x',
      '',
      'http://[',
    ]
    expect(addressesOf(page(...hostile.map((src, index) => element(10 + index, 'img', { src })))).addresses).toEqual([])
  })
})

describe('texts that are nearly what is looked for', () => {
  // A pattern that tries all ways to divide the blanks between two of its parts needs minutes for these.
  const blanks = ' '.repeat(600_000)

  it('R69 sheets with blanks at the wrong place are read in one go', () => {
    for (const css of [`@import url(${blanks}x "`, `@import "a.css"${blanks}{}`, `@import url(x${blanks}x)`]) {
      expect(readSheet(css, `${CDN}/`, 9).imports).toEqual([])
    }
    expect(readSheet(`@import url(${blanks}x) ${blanks}print;`, `${CDN}/`, 9).imports).toEqual([
      { url: `${CDN}/x`, condition: 'print' },
    ])
  })

  it('R69 so are fonts, and text that could be masked', () => {
    const font = change(NOW, Source.Font, { family: 'F', fontSource: `url(${blanks}x y`, buffer: false })
    expect(rewriteEvents([...page(), font]).events).toHaveLength(2)
    expect(isMasked(`${'* '.repeat(300_000)}x`)).toBe(false)
    expect(['*', ' • ', '* *', '**x', ' ', '', 'x*'].map(isMasked)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })
})

describe('what was kept of a page', () => {
  it('R69 is shown in the place of its addresses: pictures, backgrounds, fonts, sheets; nothing else is', () => {
    const events = [
      ...page(
        element(3, 'img', { src: `${CDN}/a.png#top` }),
        element(4, 'img', { src: `${CDN}/other.png` }),
        element(5, 'div', { style: `background:url(/b.png)` }),
        element(6, 'link', { rel: 'stylesheet', href: `${CDN}/linked.css` }),
        element(7, 'iframe', { src: `${CDN}/a.png` }),
        element(8, 'object', { data: `${CDN}/a.png` }),
      ),
      change(NOW + 5, Source.Font, { family: 'F', fontSource: `url(${CDN}/g.woff2)`, buffer: false, descriptors: {} }),
    ]
    const written = drawn(
      events,
      {
        [`${CDN}/a.png`]: PNG,
        'https://shop.example/b.png': `${PNG}b`,
        [`${CDN}/g.woff2`]: FONT,
        [`${CDN}/h.woff2`]: FONT,
      },
      { [`${CDN}/linked.css`]: { text: `p{src:url("${CDN}/h.woff2")}q{color:red}`, imports: [] } },
    )
    expect(written.split(PNG)).toHaveLength(3)
    expect(written).toContain(`"src":"${MISSING_PICTURE}"`)
    expect(written).toContain(`url(\\"${PNG}b\\")`)
    expect(written).toContain(`"_cssText":"p{src:url(\\"${FONT}\\")}q{color:red}"`)
    expect(written).toContain(`"fontSource":"url(\\"${FONT}\\")"`)
    expect(written).not.toContain('cdn.example')
  })

  it('R69, R61 is judged as what was recorded: no page, no script, no SVG that grows, no sheet that fetches', () => {
    const growing = `data:image/svg+xml,<svg>${'<use href="%23a"/>'.repeat(30)}</svg>`
    const written = drawn(
      page(
        element(3, 'img', { src: `${CDN}/page` }),
        element(4, 'img', { src: `${CDN}/grows` }),
        element(5, 'img', { src: `${CDN}/address` }),
        element(6, 'link', { rel: 'stylesheet', href: `${CDN}/hostile.css` }),
      ),
      {
        [`${CDN}/page`]: 'data:text/html,<script>run()</script>',
        [`${CDN}/grows`]: growing,
        [`${CDN}/address`]: 'https://evil.example/x.png',
      },
      { [`${CDN}/hostile.css`]: { text: '@import "/late.css";p{background:url(//evil.example/y)}', imports: [] } },
    )
    expect(written.split(MISSING_PICTURE)).toHaveLength(4)
    expect(written).not.toMatch(/text\/html|evil\.example|svg|@import/)
  })

  it('R69 is put in only so often: a page that names one picture a million times does not become as large', () => {
    const large = `${PNG}${'A'.repeat(1024 * 1024)}`
    const rules = Array.from({ length: 200 }, (_, index) => `p${index}{background:url(${CDN}/a)}`).join('')
    const written = drawn(page(element(3, 'style', {}, text(4, rules))), { [`${CDN}/a`]: large })
    expect(written.length).toBeLessThan(33 * 1024 * 1024)
    expect(written.length).toBeGreaterThan(30 * 1024 * 1024)
  })

  it('R69 sheets inside of sheets keep their conditions, and end in a ring', () => {
    const sheet = (written: string, ...imports: KeptSheet['imports']): KeptSheet => ({ text: written, imports })
    const { events } = rewriteEvents(
      page(element(3, 'link', { rel: 'stylesheet', href: `${CDN}/a.css` })),
      keptAssets(
        new Map(),
        new Map([
          [
            `${CDN}/a.css`,
            sheet(
              'a{}',
              { url: `${CDN}/b.css`, condition: 'layer(base) supports(display: grid) print' },
              { url: `${CDN}/gone.css`, condition: '' },
            ),
          ],
          [`${CDN}/b.css`, sheet('b{}', { url: `${CDN}/a.css`, condition: '' })],
        ]),
      ),
    )
    const written = JSON.stringify(events)
    expect(written).toContain('@layer base{@supports (display: grid){@media print{')
    expect(written.split('a{}').length).toBeLessThan(5)
    expect(written).toContain('}a{}"'.replace('}', String.raw`}\n`))
  })

  it('R69 sheets that import one another in all ways are put in only so often, also empty ones and their conditions', () => {
    let looked = 0
    class Sheets extends Map<string, KeptSheet> {
      override get(url: string): KeptSheet | undefined {
        if (++looked > 200_000) throw new Error('Sheets are followed without end.')
        return super.get(url)
      }
    }
    const addresses = Array.from({ length: 200 }, (_, index) => `${CDN}/${index}.css`)
    const [first = ''] = addresses
    const each = (urls: readonly string[], condition: string) => urls.map((url) => ({ url, condition }))
    const sheet = (written: string, urls: readonly string[], condition = ''): KeptSheet => ({
      text: written,
      imports: each(urls, condition),
    })
    const itself = new Sheets([[first, sheet('a{}', Array<string>(200).fill(first))]])
    expect(keptAssets(new Map(), itself).sheet(first, null)).toBe('a{}')
    expect(looked).toBe(1)
    const everyone = new Sheets(addresses.map((url) => [url, sheet('', addresses)]))
    expect(keptAssets(new Map(), everyone).sheet(first, null)?.trim()).toBe('')
    looked = 0
    const long = `(min-width: ${'1'.repeat(10_000)}px)`
    const conditional = new Sheets(addresses.map((url) => [url, sheet('', addresses, long)]))
    expect(keptAssets(new Map(), conditional).sheet(first, null)?.length).toBeLessThan(33 * 1024 * 1024)
  })

  it('R69, R44 is shown of a linked sheet in pages that we wrote as well', () => {
    const link = element(3, 'link', { rel: 'stylesheet', href: `${CDN}/linked.css` })
    const state = new PageState()
    for (const event of page(link, element(4, 'link', { rel: 'stylesheet', href: CDN, _cssText: 'q{}' })))
      state.apply(event)
    const frame = state.keyFrame(NOW)
    const sheets = { [`${CDN}/linked.css`]: { text: 'p{color:red}', imports: [] } }
    expect(drawn(frame, {}, sheets)).toContain('"_cssText":"p{color:red}"')
    // Without what was kept it is what it always was.
    expect(drawn(frame, {})).toBe(drawn(page(link, element(4, 'link', { rel: 'stylesheet', _cssText: 'q{}' })), {}))
  })

  it('is nothing where nothing was kept: the rewriting is what it was', () => {
    const events = page(element(3, 'img', { src: `${CDN}/a.png` }))
    expect(drawn(events, {})).toBe(JSON.stringify(rewriteEvents(events).events))
    const [, shown] = rewriteEvents(events).events
    expect(isFields(shown?.data)).toBe(true)
  })
})

describe('a picture with several addresses', () => {
  it.each([
    ['/a.png 320w, /b.png 800w, /c.png 1600w', '/b.png'],
    ['/a.png 320w,/b.png 480w', '/b.png'],
    ['/a.png 2x, /b.png', '/b.png'],
    ['/a.png, /b.png 2x', '/a.png'],
    [' , /a,b.png 1x', '/a,b.png'],
    ['/a.png,', '/a.png'],
    ['/a.png nonsense', '/a.png'],
    [' ,, ', null],
    ['', null],
  ])('R69 has one of them: %j', (srcset, expected) => {
    expect(candidateOf(srcset)).toBe(expected)
  })

  it('R69 is read in a time that grows with its text', () => {
    for (const part of [',', ' ', 'a,', 'a 1x,', ', ,', 'a\t'])
      expect(() => candidateOf(part.repeat(300_000))).not.toThrow()
  })

  it('R69 is fetched and shown from the same one, only where its own address shows nothing', () => {
    const srcset = `${CDN}/s.png 320w, ${CDN}/m.png 800w`
    const events = [
      ...page(
        element(3, 'img', { srcset }),
        element(4, 'img', { src: PNG, srcset: `${CDN}/lazy.png 1x, ${CDN}/lazy2.png 2x` }),
        element(5, 'img', { src: `${CDN}/own.png`, srcset: `${CDN}/never.png` }),
        element(6, 'source', { srcset: `${CDN}/source.png` }),
        element(7, 'img', { src: PNG }),
      ),
      mutation(NOW + 1, { attributes: [{ id: 7, attributes: { srcset: `${CDN}/late.png` } }] }),
    ]
    const { addresses } = addressesOf(events)
    expect(addresses.toSorted()).toEqual(['late.png', 'lazy.png', 'm.png', 'own.png'].map((name) => `${CDN}/${name}`))
    const data = Object.fromEntries(addresses.map((url) => [url, `${PNG}${url.slice(CDN.length + 1, -4)}`]))
    const written = drawn(events, data)
    for (const name of ['late', 'lazy', 'm', 'own']) expect(written).toContain(`"src":"${PNG}${name}"`)
    expect(written).not.toMatch(/cdn\.example|srcset/)
  })

  it('R69 of CSS is its first address, as a string or not; where that was not kept, what stands before it holds', () => {
    const sheet = [
      `a{background:image-set("${CDN}/a.png" 1x,"${CDN}/a2.png" 2x)}`,
      `b{background:-webkit-image-set(url( '${CDN}/b.png' ) 1x, url(${CDN}/b2.png) 2x) no-repeat}`,
      `c{background:image-set(url(${CDN}/c.png) type("image/png"))}`,
      `d{background:red;background:image-set("${CDN}/gone.png" 1x)}`,
      'e{background:image-set(linear-gradient(red,blue) 1x)}',
    ].join('')
    const events = page(element(3, 'style', {}, text(4, sheet)))
    expect(addressesOf(events).addresses).toEqual(
      expect.arrayContaining(['a', 'b', 'c', 'gone'].map((name) => `${CDN}/${name}.png`)),
    )
    const data = Object.fromEntries(['a', 'b', 'c'].map((name) => [`${CDN}/${name}.png`, `${PNG}${name}`]))
    const written = drawn(events, data)
    expect(written).toContain(`a{background:url(\\"${PNG}a\\")}b{background:url(\\"${PNG}b\\") no-repeat}`)
    expect(written).toContain(`c{background:url(\\"${PNG}c\\")}d{background:red;background:fh-refused(`)
    expect(written).toContain('e{background:fh-refused(linear-gradient(red,blue) 1x)}')
    expect(written).not.toMatch(/[^-]image-set\(/)
    const fetched = readSheet(sheet, `${CDN}/site.css`, 9)
    expect(fetched.text).toContain(`a{background:url("${CDN}/a.png")}`)
  })
})

describe('sheets that recorded sheets import', () => {
  const imported = {
    [`${CDN}/a.css`]: { text: 'a{}', imports: [] },
    'https://shop.example/b.css': { text: 'b{}', imports: [] },
  }

  it('R69 are fetched, and shown in their places with their conditions', () => {
    const css = `@charset "utf-8";@import "${CDN}/a.css";@import url(/b.css) print;@import "/gone.css";p{color:red}`
    for (const node of [
      element(3, 'style', {}, text(4, css)),
      element(3, 'style', { _cssText: css }),
      element(3, 'link', { rel: 'stylesheet', href: CDN, _cssText: css }),
    ]) {
      expect(addressesOf(page(node)).addresses).toEqual([
        `${CDN}/a.css`,
        'https://shop.example/b.css',
        'https://shop.example/gone.css',
      ])
      const written = drawn(page(node), {}, imported)
      expect(written).toContain(String.raw`a{}\n@media print{b{}\n}\np{color:red}`)
      expect(written).not.toContain('import')
    }
  })

  it('R69 are shown at the beginning of a sheet and nowhere else; what they hide is rewritten', () => {
    const late = page(element(3, 'style', {}, text(4, 'p{}'), text(5, `@import "${CDN}/a.css";`)))
    expect(drawn(late, {}, imported)).not.toContain('a{}')
    const split = `@import "${CDN}/a.css";/* rr_split */@import "/b.css";p{}`
    const written = drawn(page(element(3, 'style', { _cssText: split })), {}, imported)
    expect(written).toContain(String.raw`a{}\n/**//* rr_split */@fh-refused`)
    const hostile = { [`${CDN}/a.css`]: { text: '@import "/b.css";a{background:url(//evil.example/x)}', imports: [] } }
    expect(drawn(page(element(3, 'style', {}, text(4, `@import "${CDN}/a.css";`))), {}, hostile)).not.toMatch(
      /@import|evil\.example/,
    )
  })
})

describe('a style sheet that was fetched', () => {
  const read = (css: string, most = 10) => readSheet(css, `${CDN}/css/site.css`, most)

  it('R69 has whole addresses, and says which it has; data addresses stay', () => {
    const {
      addresses,
      imports,
      text: written,
    } = read(
      `p{background:url(../a.png)}q{background:url("b.png#x")}r{background:url(${PNG})}s{src:url(javascript:run)}t{fill:url(#part)}`,
    )
    expect(addresses).toEqual([`${CDN}/a.png`, `${CDN}/css/b.png`])
    expect(written).toBe(
      `p{background:url("${CDN}/a.png")}q{background:url("${CDN}/css/b.png")}r{background:url("${PNG}")}s{src:url("data:,")}t{fill:url("#part")}`,
    )
    expect(imports).toEqual([])
  })

  it('R69 its imports are read where browsers read them, and nowhere else', () => {
    const { imports, text: written } = read(
      `\uFEFF@charset "utf-8"; /* one; */ @layer base, more;\n@import url(one.css) screen;@import 'two.css' layer(x);@import "https://other.example/3.css";p{}@import "late.css";`,
    )
    expect(imports).toEqual([
      { url: `${CDN}/css/one.css`, condition: 'screen' },
      { url: `${CDN}/css/two.css`, condition: 'layer(x)' },
      { url: 'https://other.example/3.css', condition: '' },
    ])
    expect(written).toMatch(/^@layer base, more;p\{\}@fh-refused/)
  })

  it('R69 has each import once, as it stands last', () => {
    const { imports, leftOut } = read(`@import "a.css" screen;@import "b.css";${'@import "a.css";'.repeat(200)}`)
    expect(imports).toEqual([
      { url: `${CDN}/css/b.css`, condition: '' },
      { url: `${CDN}/css/a.css`, condition: '' },
    ])
    expect(leftOut).toEqual([])
  })

  it('R69 is bounded, whatever is in it', () => {
    const many = Array.from({ length: 50 }, (_, index) => `p{background:url(${index})}`).join('')
    expect(read(many).addresses).toHaveLength(10)
    expect(read(many).text.split('url("data:,")')).toHaveLength(41)
    const imports = Array.from({ length: 50 }, (_, index) => `@import "${index}.css";`).join('')
    expect(read(imports).imports).toHaveLength(10)
    expect(read(imports).leftOut).toHaveLength(40)
    expect(read(`${imports}@import "x.css";`.repeat(2)).leftOut).toHaveLength(41)
    expect(read(many).leftOut).toHaveLength(40)
    for (const hostile of [
      '/*'.repeat(100_000),
      '@import '.repeat(100_000),
      `@import "${' '.repeat(200_000)}`,
      '@layer '.repeat(100_000),
    ]) {
      expect(read(hostile).addresses).toEqual([])
    }
  })
})
