import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventType, NodeType, Source, type RecordedEvent } from './events.ts'
import { rewriteEvents } from './rewrite.ts'

const NOW = 1_795_212_282_963
const EVIL = 'http://evil.test/x'
const PNG = 'data:image/png;base64,iVBORw0KGgo='
const SVG = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'

type Node = Record<string, unknown>

let nextId = 0
const element = (tagName: string, attributes: Node = {}, ...childNodes: Node[]): Node => ({
  type: NodeType.Element,
  id: ++nextId,
  tagName,
  attributes,
  childNodes,
})
const svg = (tagName: string, attributes: Node = {}, ...childNodes: Node[]): Node => ({
  ...element(tagName, attributes, ...childNodes),
  isSVG: true,
})
const text = (textContent: string): Node => ({ type: NodeType.Text, id: ++nextId, textContent })

const meta: RecordedEvent = {
  type: EventType.Meta,
  timestamp: NOW,
  data: { href: 'http://site.test/shop/', width: 9, height: 9 },
}
const snapshotOf = (node: Node): RecordedEvent => ({
  type: EventType.FullSnapshot,
  timestamp: NOW,
  data: { node, initialOffset: { top: 0, left: 0 } },
})
const incremental = (data: Node): RecordedEvent => ({ type: EventType.IncrementalSnapshot, timestamp: NOW + 1, data })

const HOST = 9001
const STYLE = 9002
const CANVAS = 9003
const IFRAME = 9004
/** A page with what attacks need: a place for nodes, a style element, a canvas and a frame. */
const pageWith = (...nodes: Node[]): RecordedEvent[] => {
  const html = element(
    'html',
    {},
    element('head', {}, { ...element('style', {}), id: STYLE }),
    element(
      'body',
      {},
      { ...element('div', {}, ...nodes), id: HOST },
      { ...element('canvas'), id: CANVAS },
      { ...element('iframe'), id: IFRAME },
    ),
  )
  return [meta, snapshotOf({ type: NodeType.Document, id: 9000, childNodes: [html] })]
}
const mutation = (data: Node): RecordedEvent =>
  incremental({ source: Source.Mutation, adds: [], removes: [], texts: [], attributes: [], ...data })

interface WrittenMutation {
  readonly adds: readonly { readonly parentId: number; readonly node: Node }[]
  readonly removes: readonly unknown[]
}
const mutationOf = (event: RecordedEvent | undefined): WrittenMutation => {
  if (event === undefined) throw new Error('the event is missing')
  return event.data as WrittenMutation
}

/** All names, attributes and texts of what was written, found without recursion. */
const stringsOf = (events: readonly RecordedEvent[]): { strings: string[]; names: Set<string> } => {
  const strings: string[] = []
  const names = new Set<string>()
  const open: unknown[] = events.map(({ data }) => data)
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') strings.push(value)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, child] of Object.entries(value)) {
        if (name === 'data-fh-href' || name === 'href') {
          if (name === 'href' && typeof child === 'string' && child !== 'http://site.test/shop/') strings.push(child)
          continue
        }
        names.add(name.toLowerCase())
        open.push(child)
      }
    }
  }
  return { strings, names }
}

const REFUSED_TAGS = [
  'script',
  'base',
  'meta',
  'object',
  'embed',
  'applet',
  'frame',
  'portal',
  'template',
  'link',
  'noscript',
]

const expectHarmless = (events: readonly RecordedEvent[]): void => {
  const { strings, names } = stringsOf(events)
  for (const string of strings) {
    expect(string).not.toMatch(/evil\.test|javascript:|text\/html/i)
    expect(REFUSED_TAGS).not.toContain(string.toLowerCase())
  }
  for (const name of names)
    expect(name).not.toMatch(/^on|^(?:srcdoc|srcset|action|formaction|target|ping|autofocus|is|sandbox|attributename)$/)
}

/** The attacks of replay.md B.3, as nodes. Made anew each time: ids are used once. */
const ATTACKS: Readonly<Record<string, () => Node>> = {
  'inline script': () => element('script', {}, text(`fetch("${EVIL}")`)),
  'script src': () => element('SCRIPT', { src: EVIL }),
  'script of SVG': () => svg('svg', {}, svg('script', { 'xlink:href': EVIL }, text(EVIL))),
  handlers: () => element('div', { onclick: EVIL, ONLOAD: EVIL, 'x:onerror': EVIL }),
  'javascript: link': () => element('a', { href: 'javascript:alert("evil.test")' }),
  'javascript: link with blanks': () => element('a', { href: ' java\nscript:alert("evil.test")' }),
  'link elsewhere': () => element('a', { href: EVIL, target: '_top', ping: EVIL, download: '' }),
  'javascript: frame': () => element('iframe', { src: 'javascript:alert(1)' }),
  'srcdoc script': () => element('iframe', { srcdoc: `<script src="${EVIL}">`, sandbox: 'allow-scripts' }),
  frame: () => element('iframe', { src: EVIL, rr_src: EVIL }),
  'frame of data': () => element('iframe', { src: SVG.replace('/>', '><image href="http://evil.test"/></svg>') }),
  'meta refresh': () => element('meta', { 'http-equiv': 'refresh', content: `0;url=${EVIL}` }),
  form: () => element('form', { action: EVIL }, element('button', { formaction: EVIL, autofocus: true })),
  base: () => element('base', { href: EVIL }),
  'link css': () => element('link', { rel: 'stylesheet', href: EVIL }),
  prefetch: () => element('link', { rel: 'prefetch', href: EVIL }),
  preload: () => element('link', { rel: 'preload', as: 'image', imagesrcset: EVIL }),
  img: () => element('img', { src: EVIL, srcset: `${EVIL} 2x`, lowsrc: EVIL }),
  picture: () => element('picture', {}, element('source', { srcset: EVIL })),
  video: () => element('video', { src: EVIL, poster: EVIL, autoplay: '' }, element('track', { src: EVIL })),
  'input image': () => element('input', { type: 'image', src: EVIL }),
  object: () => element('object', { data: EVIL }, element('embed', { src: EVIL })),
  applet: () => element('applet', { code: EVIL, archive: EVIL }),
  background: () => element('table', { background: EVIL }),
  'svg image': () => svg('image', { 'xlink:href': EVIL, href: EVIL }),
  'svg use': () => svg('use', { href: `${EVIL}#a` }),
  'svg filter': () => svg('rect', { fill: `url(${EVIL}#a)`, filter: `\\75rl(${EVIL})` }),
  'svg animation': () => svg('animate', { attributeName: 'href', to: 'a', values: `url(${EVIL})` }),
  'svg set': () => svg('set', { attributename: 'xlink:href', to: '#' }),
  '@import in style': () => element('style', {}, text(`@import "http://example.test"; a{b:url(${EVIL})}`)),
  'url in _cssText': () => element('style', { _cssText: `a{b:url(${EVIL})}` }),
  'link with _cssText': () => element('link', { rel: 'stylesheet', href: EVIL, _cssText: `a{b:url(${EVIL})}` }),
  'inline style': () => element('p', { style: `background:url(${EVIL})` }),
  'font face': () => element('style', {}, text(`@font-face{font-family:a;src:url(${EVIL})}`)),
  rr_dataURL: () => element('img', { rr_dataURL: EVIL }),
  'rr_dataURL of a canvas': () => element('canvas', { rr_dataURL: EVIL }),
  'a size that is CSS': () => element('p', { rr_width: `url(${EVIL})` }),
  template: () => element('template', {}, element('img', { src: EVIL })),
  noscript: () => element('noscript', {}, text(`<img src="${EVIL}">`)),
  'built-in element': () => element('button', { is: 'evil.test' }),
  'name that is none': () => element(`img src=${EVIL}`, {}),
  'attribute that is none': () => element('p', { [`x onload=${EVIL}`]: EVIL, __proto__x: 'a' }),
}

describe('rewriteEvents', () => {
  it.each(Object.keys(ATTACKS))('R61 in a snapshot, %s does nothing', (name) => {
    const attack = ATTACKS[name]?.() ?? {}
    const { events, changed } = rewriteEvents(pageWith(attack))
    expect(events).toHaveLength(2)
    expect(changed).toBeGreaterThan(0)
    expectHarmless(events)
  })

  it.each(Object.keys(ATTACKS))('R62 in a mutation, %s does nothing', (name) => {
    const adds: Node[] = []
    const open = [{ node: ATTACKS[name]?.() ?? {}, parentId: HOST }]
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      const { node, parentId } = next
      const children = (node['childNodes'] as Node[] | undefined) ?? []
      adds.push({ parentId, nextId: null, node: { ...node, childNodes: [] } })
      for (const child of children) open.push({ node: child, parentId: node['id'] as number })
    }
    const { events, changed } = rewriteEvents([...pageWith(), mutation({ adds })])
    expect(events).toHaveLength(3)
    expect(changed).toBeGreaterThan(0)
    expectHarmless(events)
  })

  it.each(Object.keys(ATTACKS))('R62 in the document of a frame, %s does nothing', (name) => {
    const html = element('html', {}, element('body', {}, ATTACKS[name]?.() ?? {}))
    const node = { type: NodeType.Document, id: ++nextId, childNodes: [html] }
    const { events } = rewriteEvents([
      ...pageWith(),
      mutation({ adds: [{ parentId: IFRAME, node }], isAttachIframe: true }),
    ])
    expect(events[2]?.data).toMatchObject({ adds: [{ parentId: IFRAME, node: { type: NodeType.Document } }] })
    expectHarmless(events)
  })

  it.each(Object.keys(ATTACKS))('R62 in attributes that change, %s does nothing', (name) => {
    const { tagName, attributes, isSVG } = ATTACKS[name]?.() ?? element('p')
    const before: Node = { ...element(String(tagName).toLowerCase()), ...(isSVG === true ? { isSVG } : {}) }
    const change = { id: before['id'], attributes }
    const { events } = rewriteEvents([...pageWith(before), mutation({ attributes: [change] })])
    expect(events).toHaveLength(3)
    expectHarmless(events)
  })

  it('R62 nothing is fetched by texts of styles, rules, declarations, adopted sheets and styles that change', () => {
    const css = `a{background:url(${EVIL})}`
    const child = text('a{}')
    const { events, changed } = rewriteEvents([
      ...pageWith(),
      mutation({ adds: [{ parentId: STYLE, nextId: null, node: child }] }),
      mutation({ texts: [{ id: child['id'], value: css }] }),
      mutation({ texts: [{ id: STYLE, value: css }] }),
      mutation({ attributes: [{ id: STYLE, attributes: { _cssText: css } }] }),
      mutation({
        attributes: [{ id: HOST, attributes: { style: { background: `url(${EVIL})`, mask: [`url(${EVIL})`, ''] } } }],
      }),
      incremental({
        source: Source.StyleSheetRule,
        id: STYLE,
        adds: [{ rule: css, index: 0 }],
      }),
      incremental({ source: Source.StyleSheetRule, styleId: 1, replaceSync: css }),
      incremental({ source: Source.StyleSheetRule, styleId: 1, replace: css }),
      incremental({
        source: Source.StyleDeclaration,
        id: STYLE,
        index: [0],
        set: { property: 'background', value: `url(${EVIL})` },
      }),
      incremental({
        source: Source.AdoptedStyleSheet,
        id: HOST,
        styles: [{ styleId: 1, rules: [{ rule: css }] }],
        styleIds: [1],
      }),
    ])
    expect(changed).toBeGreaterThanOrEqual(9)
    expect(events).toHaveLength(12)
    expectHarmless(events)
  })

  it('a sheet of a script is replaced at once, and that of an element is not, as where it was recorded', () => {
    const rule = { source: Source.StyleSheetRule }
    const { events, changed } = rewriteEvents([
      ...pageWith(),
      incremental({ ...rule, styleId: 1, replace: 'a{}' }),
      incremental({ ...rule, styleId: 1, replace: 'a{}', replaceSync: 'b{}' }),
      incremental({ ...rule, id: STYLE, replace: 'a{}' }),
      incremental({ ...rule, id: STYLE, adds: [{ rule: 'c{}' }], replaceSync: 'b{}' }),
    ])
    expect(events.slice(-4).map(({ data }) => data)).toEqual([
      { ...rule, styleId: 1, replaceSync: 'a{}' },
      { ...rule, styleId: 1, replaceSync: 'b{}' },
      { ...rule, id: STYLE },
      { ...rule, id: STYLE, adds: [{ rule: 'c{}' }] },
    ])
    expect(changed).toBe(2)
  })

  it('R62 a function of CSS that is cut over texts, and over the parts of a sheet, is none when they are joined', () => {
    const parts = [text('a{background:u'), text('rl(http://evil.test)}')]
    const cut = 'a{background:u/* rr_split */rl(http://evil.test)}'
    const later = text('rl(http://evil.test)')
    const { events } = rewriteEvents([
      ...pageWith(element('style', {}, ...parts), element('style', { _cssText: cut }, text(''), text(''))),
      mutation({ adds: [{ parentId: STYLE, nextId: null, node: text('a{background:u') }] }),
      mutation({ adds: [{ parentId: STYLE, nextId: null, node: later }] }),
      mutation({ texts: [{ id: later['id'], value: 'rl(http://evil.test/b)' }] }),
    ])
    const styles = stringsOf(events).strings.flatMap((string) => string.split('/* rr_split */'))
    expect(styles.filter((string) => string.endsWith('u/**/'))).toHaveLength(3)
    expect(styles.filter((string) => string.startsWith('rl('))).toHaveLength(4)
  })

  it('R62 a font is kept as bytes, and an address only if nothing is fetched for it', () => {
    const font = (fontSource: string, buffer: boolean): RecordedEvent =>
      incremental({ source: Source.Font, family: 'a', fontSource, buffer, descriptors: { display: `url(${EVIL})` } })
    const { events } = rewriteEvents([
      font(`url(${EVIL})`, false),
      font(`local("a"), url("${EVIL}")`, false),
      font('{"length":4000000000}', true),
      font('[0,1,255]', true),
      font('url("data:font/woff2;base64,d09GMg==")', false),
    ])
    expect(events.map(({ data }) => (data as Node)['fontSource'])).toEqual([
      '[0,1,255]',
      'url("data:font/woff2;base64,d09GMg==")',
    ])
    expectHarmless(events)
  })

  it('R62 of the commands of a canvas, pictures are kept, and no object of the browser is made', () => {
    const blob = { rr_type: 'Blob', data: [{ rr_type: 'ArrayBuffer', base64: 'UklGRg==' }], type: 'image/webp' }
    const draw = { property: 'drawImage', args: [{ rr_type: 'ImageBitmap', args: [blob] }, 0, 0, 10, 10] }
    const clear = { property: 'clearRect', args: [0, 0, 10, 10] }
    const canvas = (...commands: Node[]): RecordedEvent =>
      incremental({ source: Source.CanvasMutation, id: CANVAS, type: 0, commands })
    const { events } = rewriteEvents([
      ...pageWith(),
      canvas(clear, draw),
      canvas({ property: 'drawImage', args: [{ rr_type: 'HTMLImageElement', src: EVIL }, 0, 0] }),
      canvas({ property: 'fillText', args: [{ rr_type: 'WebSocket', args: ['ws://evil.test'] }] }),
      canvas({ property: 'constructor', args: [EVIL] }, { property: 'filter', args: [`url(${EVIL})`], setter: true }),
      incremental({ source: Source.CanvasMutation, id: CANVAS, type: 1, property: 'shaderSource', args: [EVIL] }),
    ])
    expect(events.slice(2).map(({ data }) => (data as Node)['commands'])).toEqual([[clear, draw]])
    expectHarmless(events)
  })

  it('R66 a recorded base does not change where a link leads', () => {
    const link = element('a', { href: 'cart?x=1' })
    const { events } = rewriteEvents(pageWith(element('base', { href: 'http://evil.test/' }), link))
    expect(JSON.stringify(events)).toContain('"data-fh-href":"http://site.test/shop/cart?x=1"')
    expect(JSON.stringify(events)).not.toContain('evil.test')
  })

  it('R66 links keep where they lead when what was written is written again, as in saved files, and nobody makes one up', () => {
    const page = [
      element('a', { href: 'cart?x=1', class: 'a' }),
      element('a', { href: '#top' }),
      element('a', { href: 'mailto:ann@site.test' }),
      svg('a', { 'xlink:href': '/help' }),
      element('style', { _cssText: 'a:link, a[href] { color: red }' }),
    ]
    const once = rewriteEvents([
      ...pageWith(...page),
      mutation({ attributes: [{ id: page[0]?.['id'], attributes: { href: '/other' } }] }),
      mutation({ attributes: [{ id: page[1]?.['id'], attributes: { href: null } }] }),
    ])
    const twice = rewriteEvents(once.events)
    expect(twice).toEqual({ events: once.events, changed: 0 })
    expect(JSON.stringify(twice.events).match(/"data-fh-href":(?:null|"[^"]*")/g)).toEqual([
      '"data-fh-href":"http://site.test/shop/cart?x=1"',
      '"data-fh-href":"#top"',
      '"data-fh-href":"mailto:ann@site.test"',
      '"data-fh-href":"http://site.test/help"',
      '"data-fh-href":"http://site.test/other"',
      '"data-fh-href":null',
    ])
    const made = [
      element('a', { 'data-fh-href': 'javascript:alert(1)' }),
      element('p', { 'data-fh-href': 'http://site.test/' }),
      element('a', { 'DATA-FH-HREF': 'http://site.test/' }),
      element('a', { 'data-fh-href': 'http://site.test/made-up', href: 'http://site.test/real' }),
      element('a', { href: 'http://site.test/real', 'data-fh-href': 'http://site.test/made-up' }),
    ]
    const written = JSON.stringify(rewriteEvents(pageWith(...made)).events)
    expect(written.match(/"data-fh-href":(?:null|"[^"]*")/gi)).toEqual([
      '"data-fh-href":"http://site.test/real"',
      '"data-fh-href":"http://site.test/real"',
    ])
  })

  it('keeps what shows something: pictures in their address, sizes, parts of the same drawing', () => {
    const kept = [
      element('img', { src: PNG, alt: 'A', rr_width: '10px' }),
      element('p', { class: 'a:b', style: 'color: red', 'data-x': EVIL.slice(0, 4), rr_scrollTop: 7 }),
      svg('use', { 'xlink:href': '#a', x: '1' }),
      svg('image', { href: SVG }),
      svg('animate', { attributeName: 'opacity', values: '0;1' }),
      { ...element('x-card', {}, { ...element('p'), isShadow: true }), isShadowHost: true, isCustom: true },
    ]
    const { events, changed } = rewriteEvents(pageWith(...kept))
    expect(changed).toBe(0)
    expect(events).toEqual(pageWith(...kept).map((event, index) => (index === 0 ? event : expect.anything())))
    const written = JSON.stringify(events[1])
    for (const node of kept) expect(written).toContain(JSON.stringify(node['attributes']))
    expect(written).toContain('"isShadow":true')
  })

  describe('what was not recorded', () => {
    const styleOf = (attributes: Record<string, unknown>, node = element('img')): unknown => {
      const [, snapshot] = rewriteEvents(pageWith({ ...node, attributes })).events
      const style = /"style":("(?:[^"\\]|\\.)*")/.exec(JSON.stringify(snapshot))?.[1]
      return style === undefined ? undefined : JSON.parse(style)
    }
    const none = { class: 'a', rr_width: '0px', rr_height: '0px' }
    const some = { rr_width: '100px', rr_height: '80px' }
    const box = styleOf(some) as string

    it('is a box of its outer size, without colours and words of sheets', () => {
      expect(box).toMatch(/^box-sizing:border-box!important;content-visibility:hidden!important;background:#e5e3dd!/)
      for (const one of [
        'border-color:#e5e3dd',
        'border-image:none',
        'box-shadow:none',
        'outline:none',
        'color:transparent',
      ])
        expect(`;${box};`).toContain(`;${one}!important;`)
      expect(styleOf({ class: 'a' })).toBeUndefined()
    })

    it('has its place where it is an image, which may not have come yet, and is else not drawn where it took no room', () => {
      expect(styleOf(none)).toBe(box)
      expect(styleOf({ ...none, style: 'display:none' })).toBe(`display:none;${box}`)
      expect(styleOf({ ...none, style: `display:none;${box}` })).toBe(`display:none;${box}`)
      for (const node of [svg('svg'), element('iframe'), element('div'), element('span')]) {
        expect(styleOf(none, node)).toBe('display:none!important')
        expect(styleOf({ ...none, style: 'display:none!important' }, node)).toBe('display:none!important')
        expect(styleOf({ ...none, rr_width: '100px' }, node)).toContain(box)
      }
    })

    it('shows a picture of nothing where it stands in a line, so that it has its size', () => {
      const inLine = styleOf(some, element('span')) as string
      expect(inLine).toMatch(/^content:url\("data:image\/gif;base64,[^"]*"\)!important;/)
      expect(inLine.endsWith(box)).toBe(true)
      expect(styleOf({ ...some, style: inLine }, element('span'))).toBe(inLine)
      expect(styleOf(some, element('user-chip'))).toBe(inLine)
      for (const node of [element('div'), element('td'), svg('a')]) expect(styleOf(some, node)).toBe(box)
    })
  })

  it('R118 a player gets no id twice, no child without a parent, and nothing that waits for a sibling', () => {
    const one = { ...element('p'), id: 50 }
    const twice = { ...element('b'), id: 50 }
    const { events } = rewriteEvents([
      ...pageWith(one, twice, { ...element('i'), id: HOST }),
      mutation({
        adds: [
          { parentId: 61, nextId: null, node: { ...element('p'), id: 62 } },
          { parentId: HOST, nextId: 99, node: { ...element('p'), id: 61 } },
          { parentId: 77, nextId: null, node: { ...element('p'), id: 63 } },
          { parentId: 64, nextId: null, node: { ...element('p'), id: 65 } },
          { parentId: 65, nextId: null, node: { ...element('p'), id: 64 } },
          { parentId: HOST, nextId: null, node: { ...element('u'), id: 50 } },
        ],
        removes: [{ id: 1234, parentId: 1 }],
      }),
    ])
    const { adds, removes } = mutationOf(events[2])
    expect(adds.map(({ parentId, node }) => [parentId, node['id']])).toEqual([
      [HOST, 50],
      [HOST, 61],
      [61, 62],
    ])
    expect(removes).toEqual([{ parentId: HOST, id: 50 }])
  })

  it('R118 a tree 100,000 deep is cut in a snapshot and over mutations', () => {
    let deep = element('p')
    for (let depth = 0; depth < 100_000; depth++) deep = element('p', {}, deep)
    const chain: RecordedEvent[] = []
    for (let id = 200_000_000; id < 200_020_000; id++) {
      const parentId = id === 200_000_000 ? HOST : id - 1
      chain.push(mutation({ adds: [{ parentId, nextId: null, node: { ...element('p'), id } }] }))
    }
    const { events } = rewriteEvents([...pageWith(deep), ...chain])
    expect(events).toHaveLength(20_002)
    const added = events.slice(2).filter(({ data }) => (data as { adds: unknown[] }).adds.length > 0)
    expect(added.length).toBeLessThan(512)
    // Writing it goes down by recursion, as a player does.
    expect(JSON.stringify(events[1]).split('"p"').length).toBeLessThan(512)
  })

  // A quadratic one would take minutes: the limit of the test is what fails.
  it('R118 many adds that wait for one another take a time that grows with their number', { timeout: 60_000 }, () => {
    const adds = Array.from({ length: 200_000 }, (_, index) => ({
      parentId: HOST,
      nextId: 500_000_000 + index - 1,
      node: { ...element('p'), id: 500_000_000 + index },
    })).reverse()
    const { events } = rewriteEvents([...pageWith(), mutation({ adds })])
    expect(mutationOf(events[2]).adds).toHaveLength(200_000)
  })

  it('R118 more text than a page has is left out', () => {
    const huge = 'x'.repeat(11 * 1024 * 1024)
    const { events, changed } = rewriteEvents(
      pageWith(text(huge), element('img', { src: `${PNG}${huge}` }), text('small')),
    )
    const written = JSON.stringify(events)
    expect(written.length).toBeLessThan(5000)
    expect(written).toContain('small')
    expect(changed).toBe(2)
  })

  it('a page without its element, and what follows it, is left out', () => {
    const events = [meta, snapshotOf({ type: NodeType.Document, id: 1, childNodes: [] }), ...pageWith().slice(2)]
    const add = mutation({ adds: [{ parentId: 1, nextId: null, node: element('p') }] })
    expect(rewriteEvents([...events, add]).events).toEqual([
      meta,
      { ...add, data: expect.objectContaining({ adds: [] }) },
    ])
  })
})

const id = fc.oneof(fc.integer({ min: 9000, max: 9010 }), fc.constantFrom<unknown>(-1, 0, null, '1', 1.5))
const attributes = fc.dictionary(
  fc.constantFrom(
    'src',
    'href',
    'xlink:href',
    'style',
    'onload',
    '_cssText',
    'rr_width',
    '__proto__',
    'constructor',
    'class',
  ),
  fc.oneof(
    fc.constantFrom<unknown>(EVIL, PNG, `url(${EVIL})`, '#a', null, true, 7, ['http://evil.test']),
    fc.object({ maxDepth: 1 }),
  ),
)
const { node: anyNode } = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.record(
    {
      type: fc.constantFrom<unknown>(0, 1, 2, 2, 2, 3, 4, 5, 6, '2'),
      id,
      tagName: fc.constantFrom<unknown>('div', 'style', 'script', 'iframe', 'html', 'A', 'img', 'link', 'x-y', 7, null),
      attributes: fc.oneof(attributes, fc.jsonValue()),
      childNodes: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.jsonValue(),
        fc.array(tie('node'), { maxLength: 3 }),
      ),
      textContent: fc.constantFrom<unknown>(`url(${EVIL})`, 'a', null),
      isSVG: fc.boolean(),
      isShadow: fc.boolean(),
      isShadowHost: fc.boolean(),
      rootId: id,
    },
    { requiredKeys: [] },
  ),
}))
const anyData = fc.record(
  {
    source: fc.integer({ min: -1, max: 18 }),
    id,
    node: anyNode,
    adds: fc.array(
      fc.record({
        parentId: id,
        previousId: id,
        nextId: id,
        node: anyNode,
        rule: fc.constant(EVIL),
        index: fc.jsonValue(),
      }),
      { maxLength: 4 },
    ),
    removes: fc.oneof(fc.array(fc.record({ id, parentId: id, index: fc.jsonValue() })), fc.jsonValue()),
    texts: fc.array(fc.record({ id, value: fc.constantFrom<unknown>(`url(${EVIL})`, null, 7) })),
    attributes: fc.array(fc.record({ id, attributes })),
    positions: fc.jsonValue(),
    styles: fc.jsonValue(),
    styleIds: fc.jsonValue(),
    commands: fc.jsonValue(),
    ranges: fc.jsonValue(),
    set: fc.jsonValue(),
    type: fc.jsonValue(),
  },
  { requiredKeys: [] },
)
const anyEvent = fc.record({
  type: fc.integer({ min: 0, max: 8 }).filter((type) => type !== EventType.Custom),
  timestamp: fc.constant(NOW),
  data: anyData,
})

describe('any recording', () => {
  it('R62 comes out once and for all, without failing', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), fc.boolean(), (recorded, withPage) => {
        const events = withPage ? [...pageWith(), ...recorded] : recorded
        const before = JSON.stringify(events)
        const first = rewriteEvents(events)
        expect(JSON.stringify(events)).toBe(before)
        const ids = new Set<unknown>()
        for (const { type, data } of first.events) {
          if (type !== EventType.FullSnapshot) continue
          ids.clear()
          const open = [(data as { node: Node }).node]
          for (let node = open.pop(); node !== undefined; node = open.pop()) {
            expect(ids.has(node['id'])).toBe(false)
            ids.add(node['id'])
            open.push(...((node['childNodes'] as Node[] | undefined) ?? []))
          }
        }
        const second = rewriteEvents(JSON.parse(JSON.stringify(first.events)) as RecordedEvent[])
        expect(second.events.length).toBe(first.events.length)
      }),
      { numRuns: 200 },
    )
  })
})
