import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keysOf, MAX_NESTED } from './column-nesting.ts'
import { Source, type RecordedEvent } from './events.ts'
import { fieldsOf, isFields, type Fields } from './fields.ts'
import { change, element, meta, mutation, NOW, snapshot } from './page.fixture.ts'
import { PageState } from './page-state.ts'
import { childrenOf, type PageNode } from './page-tree.ts'
import { rewriteEvents } from './rewrite.ts'
import { MAX_EXPANDED } from './svg-references.ts'

const svg = (id: number, tagName: string, attributes: Fields = {}, ...childNodes: Fields[]): Fields => ({
  ...element(id, tagName, attributes, ...childNodes),
  isSVG: true,
})

const pageAfter = (events: readonly RecordedEvent[]): PageState => {
  const page = new PageState()
  for (const event of events) page.apply(event)
  return page
}

const attributesOf = ({ data }: PageNode): Fields => fieldsOf(data['attributes'])

const nodesOf = (page: PageState): PageNode[] => {
  const nodes = page.document === null ? [] : [page.document]
  for (const node of nodes) nodes.push(...childrenOf(node))
  return nodes
}

/** Ids that an element refers to itself. */
const referredBy = (node: PageNode): string[] =>
  Object.entries(attributesOf(node)).flatMap(([name, value]) => {
    if (typeof value !== 'string') return []
    if (name === 'href') return value.startsWith('#') ? [value.slice(1)] : []
    return Array.from(value.matchAll(/url\("#([^"]*)"\)/g), ([, id = '']) => id)
  })

/** Nodes that a browser makes of all references, as it does: each stands for the first element of that id. */
const drawn = (page: PageState): number => {
  const named = new Map<unknown, PageNode>()
  for (const node of nodesOf(page)) {
    const { id } = attributesOf(node)
    if (id !== undefined && !named.has(id)) named.set(id, node)
  }
  const sizes = new Map<PageNode, number>()
  const sizeOf = (node: PageNode, within: ReadonlySet<PageNode>): number => {
    const known = sizes.get(node)
    if (known !== undefined) return known
    let size = 1
    for (const id of referredBy(node)) {
      const target = named.get(id)
      if (target !== undefined && !within.has(target)) size += sizeOf(target, new Set([...within, target]))
    }
    for (const child of childrenOf(node)) size += sizeOf(child, within)
    sizes.set(node, size)
    return size
  }
  return page.document === null ? 0 : sizeOf(page.document, new Set()) - nodesOf(page).length
}

/** Each stands twice for the one before it. */
const doubling = (times: number, refer: (id: number, to: number) => Fields): Fields[] =>
  Array.from({ length: times }, (_, step) =>
    svg(
      1000 + step * 10,
      'g',
      { id: `n${step}` },
      refer(1001 + step * 10, step - 1),
      refer(1002 + step * 10, step - 1),
    ),
  )

const use = (id: number, to: number): Fields => svg(id, 'use', { href: `#n${to}` })

const WAYS: Readonly<Record<string, (id: number, to: number) => Fields>> = {
  use,
  'use by an escaped address': (id, to) => svg(id, 'use', { 'xlink:href': ` #%6e${to}` }),
  mask: (id, to) => svg(id, 'rect', { mask: `url(#n${to})` }),
  style: (id, to) => svg(id, 'rect', { style: `clip-path: u\\72l( '#n${to}' )` }),
  marker: (id, to) => svg(id, 'path', { 'marker-start': `url(#n${to})` }),
}

describe('references in SVGs', () => {
  for (const [way, refer] of Object.entries(WAYS)) {
    it(`R118: ${way} of ${way} of … stands for so many nodes and no more, in a snapshot and in mutations`, () => {
      const parts = doubling(40, refer)
      const whole = [meta(NOW), snapshot(NOW, svg(10, 'svg', {}, ...parts, refer(11, 39)))]
      const page = [meta(NOW), snapshot(NOW, svg(10, 'svg', {}))]
      const added = parts.map(({ childNodes, ...node }) => [
        { parentId: 10, nextId: null, node },
        ...(childNodes as Fields[]).map((child) => ({ parentId: node['id'], nextId: null, node: child })),
      ])
      const changed = [...page, ...added.toReversed().map((adds, index) => mutation(NOW + index, { adds }))]
      for (const events of [whole, changed]) {
        const rewritten = rewriteEvents(events)
        expect(rewritten.changed).toBeGreaterThan(0)
        expect(drawn(pageAfter(rewritten.events))).toBeLessThanOrEqual(MAX_EXPANDED)
      }
    })
  }

  it('R118: whatever is added, named and referred to in whatever order, references stand for so many nodes and no more', () => {
    const id = fc.integer({ min: 20, max: 60 })
    const name = fc.integer({ min: 0, max: 25 }).map((number) => `n${number}`)
    const attributes = fc.record(
      { id: name, href: name.map((to) => `#${to}`), mask: name.map((to) => `url(#${to})`) },
      { requiredKeys: [] },
    )
    const added = fc.record({
      parentId: fc.oneof(id, fc.constant(10)),
      nextId: fc.constant(null),
      node: fc
        .record({ id, tag: fc.constantFrom('g', 'use', 'mask'), attributes })
        .map((one) => svg(one.id, one.tag, one.attributes)),
    })
    const step = fc.record({
      adds: fc.array(added, { maxLength: 12 }),
      attributes: fc.array(fc.record({ id, attributes }), { maxLength: 12 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12, size: 'max' }), (steps) => {
        const events = [
          meta(NOW),
          snapshot(NOW, svg(10, 'svg', {}, ...doubling(8, use))),
          ...steps.map((one, index) => mutation(NOW + index, one)),
        ]
        expect(drawn(pageAfter(rewriteEvents(events).events))).toBeLessThanOrEqual(MAX_EXPANDED)
      }),
      { numRuns: 100 },
    )
  })

  it('R118: rules of sheets refer to masks inside of masks only so often', () => {
    const rules = Array.from({ length: 30 }, (_, step) => `.c${step} { mask: url(#n${step - 1}) }`)
    const parts = doubling(30, (id, to) => svg(id, 'rect', { class: `c${to + 1}` }))
    const { events } = rewriteEvents([
      meta(NOW),
      snapshot(NOW, element(5, 'style', { _cssText: rules.join(' ') }), svg(10, 'svg', {}, ...parts)),
    ])
    const named = nodesOf(pageAfter(events)).filter((node) => attributesOf(node)['id'] !== undefined)
    expect(named.length).toBeGreaterThan(5)
    expect(named.length).toBeLessThan(15)
  })

  it('icons, clip paths and gradients of ordinary pages stay as they are', () => {
    const icons = Array.from({ length: 400 }, (_, index) =>
      svg(
        1000 + index * 10,
        'svg',
        {},
        svg(1001 + index * 10, 'clipPath', { id: 'a' }, svg(1002 + index * 10, 'use', { 'xlink:href': '#p' })),
        svg(1003 + index * 10, 'path', { id: 'p' }),
        svg(1004 + index * 10, 'g', { 'clip-path': 'url("#a")' }, svg(1005 + index * 10, 'use', { href: '#p' })),
        svg(1006 + index * 10, 'rect', { fill: 'url("#g")' }),
      ),
    )
    const gradient = svg(20, 'linearGradient', { id: 'g' }, svg(21, 'stop', {}), svg(22, 'stop', {}))
    const markers = Array.from({ length: 2000 }, (_, index) => use(10_000 + index, 0))
    const chart = svg(30, 'svg', { id: 'figure' }, svg(31, 'path', { id: 'n0' }), ...markers)
    const sheet = Array.from({ length: 40 }, (_, index) => `.k${index}{fill:url("#g");clip-path:url("#a${index}")}`)
    const events = [
      meta(NOW),
      snapshot(NOW, element(5, 'style', { _cssText: sheet.join('') }), svg(10, 'svg', {}, gradient), chart, ...icons),
    ]
    expect(rewriteEvents(events)).toEqual({ events, changed: 0 })
  })
})

/** Elements whose style was changed to one column after they came: it does not stand in their attributes. */
const changedToOne = (page: PageState): ReadonlySet<unknown> => {
  const changes = page
    .keyFrame(NOW)
    .flatMap(({ data }) =>
      isFields(data) && Array.isArray(data['attributes']) ? (data['attributes'] as Fields[]) : [],
    )
  const toOne = changes.filter(({ attributes }) =>
    JSON.stringify(attributes).includes('"columns":["auto","important"]'),
  )
  return new Set(toOne.map(({ id }) => id))
}

/** Elements with columns inside one another, as a browser decides it for these rules. */
const nestedColumns = (page: PageState, ruled: ReadonlySet<string>): number => {
  const depths = new Map<PageNode, number>()
  const changed = changedToOne(page)
  let deepest = 0
  for (const node of nodesOf(page)) {
    const { style, class: classes } = attributesOf(node)
    const hasOne = changed.has(node.id) || (typeof style === 'string' && style.includes('columns:auto!important'))
    const isRuled = [node.tag, ...(typeof classes === 'string' ? classes.split(' ').map((one) => `.${one}`) : [])].some(
      (key) => ruled.has(key),
    )
    const has = !hasOne && (isRuled || (typeof style === 'string' && /^columns:\s*2/.test(style)))
    const depth = (node.parent === null ? 0 : (depths.get(node.parent) ?? 0)) + (has ? 1 : 0)
    depths.set(node, depth)
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

const nested = (times: number, attributes: Fields): Fields => {
  let node = element(1000, 'p')
  for (let level = 1; level <= times; level++) node = element(1000 + level, 'div', attributes, node)
  return node
}

describe('columns', () => {
  it('R118: columns inside of columns stop being columns, by styles, classes and tags, in sheets and rules that come later', () => {
    const style = (css: string): Fields => element(5, 'style', { _cssText: css })
    const rule = (css: string): RecordedEvent =>
      change(NOW + 1, Source.StyleSheetRule, { id: 5, adds: [{ rule: css }] })
    const pages: readonly (readonly [RecordedEvent[], string[]])[] = [
      [[snapshot(NOW, nested(40, { style: 'columns: 2' }))], []],
      [[snapshot(NOW, style('.a .b:not(.c) { -webkit-column-count: 2 }'), nested(40, { class: 'x b' }))], ['.b']],
      [[snapshot(NOW, style('@media all { div { c\\6f lumns: 2 } }'), nested(40, {}))], ['div']],
    ]
    for (const [events, ruled] of pages) {
      const rewritten = rewriteEvents([meta(NOW), ...events])
      expect(nestedColumns(pageAfter(rewritten.events), new Set(ruled))).toBe(MAX_NESTED)
    }
    const refused = [
      [snapshot(NOW, style(''), nested(40, {})), rule('div { columns: 2 }')],
      [snapshot(NOW, style(''), nested(40, {})), rule('@media all { * { columns: 2 } }')],
      [snapshot(NOW, style('@keyframes k { to { columns: 2 } }'), nested(40, {}))],
      [
        snapshot(NOW, style('div { color: red }'), nested(40, {})),
        change(NOW, Source.StyleDeclaration, { id: 5, index: [0], set: { property: 'columns', value: '2' } }),
      ],
    ]
    for (const events of refused) {
      expect(JSON.stringify(rewriteEvents([meta(NOW), ...events]).events)).not.toMatch(/"columns"|[^-]columns:/)
    }
  })

  it('R118: whatever classes and styles come and go, columns are nested so deeply and no deeper', () => {
    const id = fc.integer({ min: 20, max: 40 })
    const attributes = fc.record(
      {
        class: fc.constantFrom('a', 'b', 'a b', ''),
        style: fc.constantFrom('columns: 2', 'columns: 2 !important', 'color: red'),
      },
      { requiredKeys: [] },
    )
    const step = fc.record({
      adds: fc.array(
        fc.record({
          parentId: fc.oneof(id, fc.constant(10)),
          nextId: fc.constant(null),
          node: fc.record({ id, attributes }).map((one) => element(one.id, 'div', one.attributes)),
        }),
        { maxLength: 8 },
      ),
      attributes: fc.array(fc.record({ id, attributes }), { maxLength: 4 }),
    })
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 10, size: 'max' }),
        fc.constantFrom('.a', '.b', '.a, .b'),
        (steps, selector) => {
          const rewritten = rewriteEvents([
            meta(NOW),
            snapshot(NOW, element(5, 'style', { _cssText: `${selector} { columns: 2 }` }), element(10, 'section')),
            ...steps.map((one, index) => mutation(NOW + index, one)),
          ])
          const ruled = new Set(selector.split(', '))
          expect(nestedColumns(pageAfter(rewritten.events), ruled)).toBeLessThanOrEqual(MAX_NESTED)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('reads of which elements a selector is', () => {
    const cases: Readonly<Record<string, readonly string[] | null>> = {
      '/* a */ .x > LI.Y:hover::before, main  a#b': ['.y', '#b'],
      '.md\\:columns-2': ['.md:columns-2'],
      'div:is(.a, .b) ~ p:nth-child(2n + 1)': ['p'],
      '*': null,
      ':is(.a, .b)': null,
      '&': null,
      '@media print': null,
      '50%': null,
      from: null,
      '.a::part(b)': null,
      '.a [b="c"]': null,
      '.\\31 0': null,
    }
    for (const [selector, keys] of Object.entries(cases))
      expect({ selector, keys: keysOf(selector) }).toEqual({ selector, keys })
  })

  it('a gallery and its list keep their columns', () => {
    const events = [
      meta(NOW),
      snapshot(
        NOW,
        element(5, 'style', { _cssText: '.gallery { columns: 3 } ul { column-count: 2 }' }),
        element(10, 'div', { class: 'gallery' }, element(11, 'ul', {}, element(12, 'li'))),
        element(13, 'div', { style: 'columns: 2' }),
      ),
    ]
    expect(rewriteEvents(events)).toEqual({ events, changed: 0 })
  })
})

describe('pictures in addresses', () => {
  const bomb = Array.from(
    { length: 30 },
    (_, step) => `<g id="a${step + 1}"><use href="#a${step}"/><use href="#a${step}"/></g>`,
  ).join('')
  const wrap = (inside: string): string => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`
  const entities = `<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><svg><text>&c;</text></svg>`
  const pageWith = (src: string): RecordedEvent[] => [meta(NOW), snapshot(NOW, element(10, 'img', { src }))]
  const addressesOf = (text: string): string[] => [
    `data:image/svg+xml,${encodeURIComponent(text)}`,
    `data:image/svg+xml;charset=utf-8;base64,${btoa(text)}`,
  ]

  it('R118: an SVG that doubles over and over is not shown', () => {
    for (const src of [...addressesOf(wrap(bomb)), ...addressesOf(entities)]) {
      expect(JSON.stringify(rewriteEvents(pageWith(src)).events)).not.toContain(src.slice(0, 60))
    }
  })

  it('an ordinary SVG is', () => {
    for (const src of addressesOf(wrap('<g id="a"/><use href="#a"/><path fill="#fff" d="M0 0"/>'))) {
      expect(rewriteEvents(pageWith(src)).changed).toBe(0)
    }
    // What browsers read although it is not written as it should be.
    const raw = "data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' width='100%'/>"
    expect(rewriteEvents(pageWith(raw)).changed).toBe(0)
  })
})

describe('layers', () => {
  const list = (times: number, layer: string, between: string): string =>
    Array.from({ length: times }, () => layer).join(between)
  const many = [
    ['box-shadow', list(65, '0 0 9px red', ',')],
    ['-WEBKIT-filter', list(16, 'blur(9px)', ' ')],
    ['--f', list(16, 'blur(9px)', ' ')],
    ['b\\6fx-shadow', list(65, '0 0 9px rgb(0,0,0)', ' , ')],
    ['--x', list(65, '0 0 9px red', ',')],
    ['background', list(65, 'conic-gradient(red,blue)', ',')],
  ] as const
  const shown = (events: readonly RecordedEvent[]): string =>
    JSON.stringify(rewriteEvents([meta(NOW), ...events]).events)

  it('R118: a list of so many shadows, filters or pictures and no more is drawn, in sheets, styles and their changes', () => {
    for (const [property, value] of many) {
      const css = `color:red;/**/${property} : ${value};top:0`
      const name = property.replace('b\\6fx', 'box')
      const page = snapshot(NOW, element(5, 'style', { _cssText: `a{${css}}` }), element(6, 'p', { style: css }))
      expect(shown([page]).match(/(?:^|[^\w-])fh-refused :/g)).toHaveLength(2)
      expect(shown([page])).not.toMatch(/(?:-shadow|-filter|background|--x|--f)\s*:/i)
      const plain = snapshot(NOW, element(5, 'style', { _cssText: 'a{}' }), element(6, 'p'))
      const changes = [
        mutation(NOW, { attributes: [{ id: 6, attributes: { style: { [name]: value } } }] }),
        mutation(NOW, { attributes: [{ id: 6, attributes: { style: { [name]: [value, 'important'] } } }] }),
        change(NOW, Source.StyleDeclaration, { id: 5, index: [0], set: { property: name, value } }),
      ]
      for (const one of changes) expect(shown([plain, one])).not.toMatch(/9px|conic/)
    }
  })

  it('lists of an ordinary length stay', () => {
    const shadows = `${list(64, '0 0 9px rgb(0,0,0)', ',')};--list:a,b,c;--f:{a:b};filter:${list(15, 'blur(9px)', ' ')}`
    const page = snapshot(
      NOW,
      element(5, 'style', { _cssText: `a{box-shadow:${shadows}}` }),
      element(6, 'p', { style: `box-shadow:${shadows}` }),
    )
    expect(rewriteEvents([meta(NOW), page]).changed).toBe(0)
  })

  it('R118: filters look at so many points and no more', () => {
    const filter = svg(
      10,
      'filter',
      {},
      svg(11, 'feMorphology', { radius: '3 10000' }),
      svg(12, 'feTurbulence', { numOctaves: '1e9' }),
    )
    expect(shown([snapshot(NOW, filter)])).not.toMatch(/radius|numOctaves/)
    const ordinary = svg(
      10,
      'filter',
      {},
      svg(11, 'feMorphology', { radius: '3' }),
      svg(12, 'feTurbulence', { numOctaves: '4' }),
    )
    expect(rewriteEvents([meta(NOW), snapshot(NOW, ordinary)]).changed).toBe(0)
  })
})
