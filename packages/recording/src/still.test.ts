import { describe, expect, it } from 'vitest'
import { Source, type RecordedEvent } from './events.ts'
import { change, element, meta, mutation, NOW, snapshot, text } from './page.fixture.ts'
import { PageState } from './page-state.ts'
import { writeStill } from './still.ts'

const BOUNDS = { nodes: 1000, characters: 100_000 }

const stillOf = (events: readonly RecordedEvent[], bounds = BOUNDS, words = '') => {
  const page = new PageState()
  for (const event of events) page.apply(event)
  return writeStill(page.keyFrame(NOW), bounds, words)
}

const page = (...body: Parameters<typeof element>[3][]) =>
  snapshot(NOW, element(3, 'head'), element(4, 'body', {}, ...body))

const htmlOf = (events: readonly RecordedEvent[], bounds = BOUNDS): string => stillOf(events, bounds)?.html ?? ''

describe('stills', () => {
  it('R35 a page is written with its text, its sheets, its fields and what scripts did to them', () => {
    const events = [
      meta(NOW),
      page(
        element(5, 'style', { _cssText: 'p{color:red}' }),
        element(6, 'p', { class: 'a"b' }, text(7, 'Tea & <cake>')),
        element(8, 'input', { type: 'text' }),
        element(9, 'div', { style: 'top:0' }),
        element(10, 'textarea', {}, text(11, 'before')),
        {
          ...element(12, 'svg', { viewBox: '0 0 1 1' }, { ...element(13, 'linearGradient'), isSVG: true }),
          isSVG: true,
        },
      ),
      change(NOW, Source.Input, { id: 8, text: 'Olle', isChecked: false }),
      change(NOW, Source.Input, { id: 10, text: 'after', isChecked: false }),
      change(NOW, Source.StyleSheetRule, { id: 5, adds: [{ rule: 'b{color:blue}', index: 0 }] }),
      mutation(NOW, { attributes: [{ id: 9, attributes: { style: { color: ['green', 'important'] } } }] }),
      change(NOW, Source.Scroll, { id: 1, x: 0, y: 300 }),
    ]
    const html = htmlOf(events)
    for (const part of [
      'p{color:red}\nb{color:blue}',
      '<p class="a&quot;b">Tea &amp; &lt;cake&gt;</p>',
      '<input type="text" value="Olle">',
      'color:green!important',
      '<textarea>after</textarea>',
      '<linearGradient></linearGradient>',
      'top:-300px!important',
    ]) {
      expect(html).toContain(part)
    }
    expect(stillOf(events)).toMatchObject({ width: 1280, height: 720 })
  })

  it('R30 the element in which searched words stand is outlined, also where they are split over what stands in its line', () => {
    const events = [
      meta(NOW),
      page(
        element(5, 'script', {}, text(6, 'payment failed')),
        element(
          7,
          'main',
          {},
          element(8, 'p', {}, text(9, 'Payment\n  FAILED twice')),
          element(10, 'p', {}, text(11, 'no')),
        ),
        element(12, 'p', {}, text(13, 'your '), element(14, 'b', {}, text(15, 'order')), text(16, ' is late')),
        element(17, 'img', { alt: 'A kettle' }),
      ),
    ]
    const outlined = (words: string) => /<(\w+)[^>]*outline:20px/.exec(stillOf(events, BOUNDS, words)?.html ?? '')?.[1]
    expect(outlined('payment failed')).toBe('p')
    // As lists have found them on the page.
    expect(outlined('Payment FAILED')).toBe('p')
    expect(outlined('Payment\n FAILED ')).toBe('p')
    expect(outlined('your order is late')).toBe('p')
    expect(outlined('order')).toBe('b')
    expect(outlined('kettle')).toBe('img')
    expect(outlined('nothing like it')).toBeUndefined()
    expect(htmlOf(events)).not.toContain('outline')
  })

  it('R35 a canvas is the last picture that was painted on it, and a frame an empty box', () => {
    const picture = (base64: string) => ({
      property: 'drawImage',
      args: [
        {
          rr_type: 'ImageBitmap',
          args: [{ rr_type: 'Blob', data: [{ rr_type: 'ArrayBuffer', base64 }], type: 'image/webp' }],
        },
        0,
        0,
        8,
        8,
      ],
    })
    const html = htmlOf([
      meta(NOW),
      page(element(5, 'canvas', { width: '8' }), element(6, 'iframe', { width: '9' })),
      change(NOW, Source.CanvasMutation, { id: 5, type: 0, commands: [picture('AAAA')] }),
      change(NOW, Source.CanvasMutation, { id: 5, type: 0, commands: [picture('BBBB')] }),
    ])
    expect(html).toContain('<img alt="" src="data:image/webp;base64,BBBB" width="8">')
    expect(html).toContain('<canvas width="9"></canvas>')
  })

  it('R35 shadow roots stand in their hosts with the sheets that they adopted', () => {
    const shadow = { ...element(6, 'b', {}, text(7, 'inside')), isShadow: true }
    const html = htmlOf([
      meta(NOW),
      page({ ...element(5, 'div', {}, shadow, element(8, 'i')), isShadowHost: true }),
      change(NOW, Source.AdoptedStyleSheet, {
        id: 5,
        styles: [{ styleId: 1, rules: [{ rule: 'b{top:0}' }] }],
        styleIds: [1],
      }),
    ])
    expect(html).toContain(
      '<div><template shadowrootmode="open"><style>b{top:0}</style><b>inside</b></template><i></i></div>',
    )
  })

  it('R35 nothing in it runs, fetches, or ends what it stands in', () => {
    const html = htmlOf([
      meta(NOW),
      page(
        element(5, 'script', {}, text(6, 'alert(1)')),
        element(7, 'img', { src: 'https://shop.example/a.png', onerror: 'alert(1)' }),
        element(8, 'style', {
          _cssText: 'p{content:"</style><script>alert(1)</script>"} @import "https://a.example/";',
        }),
        element(9, 'xmp', {}, text(10, '</xmp><b>')),
        element(11, 'meta', { 'http-equiv': 'refresh', content: '0;url=https://a.example' }),
        element(12, 'video', { src: 'https://shop.example/a.mp4', controls: '' }),
      ),
    ])
    // A sheet ends with the first end of its element, and what it says is text until there.
    expect(html.replaceAll(/<style>.*?<\/style>/gs, '')).not.toMatch(/script>|<meta|<xmp>|<video|https:|onerror/)
    expect(html).toContain('@fh-refused')
    expect(html.match(/<style/g)).toHaveLength(2)
    expect(html.match(/<\/style/g)).toHaveLength(2)
    expect(html).toContain('<div>&lt;/xmp&gt;&lt;b&gt;</div>')
  })

  it('R35 of a page that is too large it has the beginning, and closes what is open', () => {
    const words = Array.from({ length: 500 }, (_, index) =>
      element(100 + 2 * index, 'p', {}, text(101 + 2 * index, 'word')),
    )
    const few = htmlOf([meta(NOW), page(...words)], { nodes: 20, characters: 100_000 })
    expect(few.match(/<p>word<\/p>/g)).toHaveLength(8)
    expect(few).toMatch(/<\/body><\/html>$/)
    const short = htmlOf([meta(NOW), page(...words)], { nodes: 10_000, characters: 1000 })
    expect(short.length).toBeLessThan(1600)
    expect(short).toMatch(/<\/body><\/html>$/)
  })

  it('without a page there is nothing', () => {
    expect(stillOf([meta(NOW)])).toBeNull()
  })
})
