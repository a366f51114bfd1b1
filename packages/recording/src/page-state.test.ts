import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { MAX_OF_DOCUMENT } from './bounds.ts'
import { EventType, NodeType, Source, type RecordedEvent } from './events.ts'
import { anyRecording, change, element, meta, mutation, NOW, snapshot, text } from './page.fixture.ts'
import { PageState } from './page-state.ts'
import { rewriteEvents } from './rewrite.ts'

const pageOf = (events: readonly RecordedEvent[]): PageState => {
  const page = new PageState()
  for (const event of events) page.apply(event)
  return page
}

/** Data of the events of a key frame behind its snapshot. */
const furtherOf = (page: PageState): unknown[] =>
  page
    .keyFrame(NOW)
    .slice(2)
    .map(({ data }) => data)

const treeOf = (page: PageState): unknown => (page.keyFrame(NOW)[1]?.data as { node: unknown } | undefined)?.node

const BODY = 3
const start = (...nodes: Record<string, unknown>[]): RecordedEvent[] => [
  meta(NOW),
  snapshot(NOW, element(BODY, 'body', {}, ...nodes)),
]

describe('a page from what was recorded', () => {
  it('R118 has as many comments before its element as a document that is shown may have', () => {
    const comments = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ type: NodeType.Comment, id: at + 10, textContent: '' }))
    const withComments = (count: number): RecordedEvent => ({
      ...snapshot(NOW),
      data: { node: { type: NodeType.Document, id: 1, childNodes: [...comments(count), element(2, 'html')] } },
    })
    expect(pageOf([withComments(MAX_OF_DOCUMENT - 1)]).hasPage).toBe(true)
    // Its element found no room, as where it is rewritten.
    const events = [withComments(MAX_OF_DOCUMENT)]
    expect(pageOf(events).hasPage).toBe(false)
    expect(rewriteEvents(events).events).toEqual([])
    const adds = comments(5000).map((node) => ({ parentId: 1, nextId: 2, node }))
    expect(pageOf([snapshot(NOW), mutation(NOW + 1, { adds })]).nodes).toBe(MAX_OF_DOCUMENT + 1)
  })

  it('has what was added, without what was removed, in the order of the page', () => {
    const page = pageOf([
      ...start(element(4, 'p', {}, text(5, 'one')), element(6, 'p')),
      mutation(NOW + 1, {
        removes: [{ parentId: BODY, id: 6 }],
        // A text before its element, and an element before the one it stands before.
        adds: [
          { parentId: 8, nextId: null, node: text(9, 'two') },
          { parentId: BODY, nextId: 7, node: element(8, 'b') },
          { parentId: BODY, nextId: 4, node: element(7, 'i') },
        ],
        texts: [{ id: 5, value: 'changed' }],
        attributes: [{ id: 4, attributes: { class: 'x', hidden: null } }],
      }),
    ])
    expect(treeOf(page)).toMatchObject({
      childNodes: [
        {
          childNodes: [
            {
              childNodes: [
                { tagName: 'b', childNodes: [{ textContent: 'two' }] },
                { tagName: 'i' },
                { tagName: 'p', attributes: { class: 'x' }, childNodes: [{ textContent: 'changed' }] },
              ],
            },
          ],
        },
      ],
    })
  })

  it('R48 R49 carries scroll, inputs, adopted sheets, rules, fonts, pictures of canvases and frames in its key frame', () => {
    const picture = { id: 8, type: 0, commands: [{ property: 'drawImage', args: [1] }] }
    const font = { family: 'Shop', fontSource: 'url(data:font/woff2;base64,AA)', buffer: false }
    const frame = { type: 0, id: 20, childNodes: [element(21, 'html', {}, element(22, 'body'))] }
    const page = pageOf([
      ...start(
        element(4, 'style', { _cssText: 'a{}' }),
        element(6, 'input'),
        element(7, 'div', { style: 'margin: 1px' }),
        element(8, 'canvas'),
        element(9, 'iframe'),
      ),
      mutation(NOW + 1, { adds: [{ parentId: 9, nextId: null, node: frame }], isAttachIframe: true }),
      change(NOW + 2, Source.Scroll, { id: 7, x: 0, y: 90 }),
      change(NOW + 2, Source.Scroll, { id: 1, x: 5, y: 300 }),
      change(NOW + 2, Source.Input, { id: 6, text: 'first', isChecked: false }),
      change(NOW + 3, Source.Input, { id: 6, text: '****', isChecked: false }),
      change(NOW + 3, Source.StyleSheetRule, { id: 4, adds: [{ rule: 'b{}', index: 1 }] }),
      change(NOW + 3, Source.AdoptedStyleSheet, {
        id: 1,
        styles: [{ styleId: 1, rules: [{ rule: 'i{}' }] }],
        styleIds: [1],
      }),
      change(NOW + 4, Source.StyleDeclaration, { styleId: 1, index: [0], set: { property: 'color', value: 'red' } }),
      change(NOW + 4, Source.Font, font),
      change(NOW + 4, Source.CanvasMutation, { ...picture, commands: [{ property: 'drawImage', args: [0] }] }),
      change(NOW + 5, Source.CanvasMutation, picture),
      change(NOW + 5, Source.ViewportResize, { width: 390, height: 844 }),
      mutation(NOW + 6, { attributes: [{ id: 7, attributes: { style: { color: 'red', margin: false } } }] }),
    ])
    const [size, whole] = page.keyFrame(NOW)
    expect(size?.data).toEqual({ href: 'https://shop.example/', width: 390, height: 844 })
    expect(whole?.data).toMatchObject({ initialOffset: { top: 300, left: 5 } })
    expect(furtherOf(page)).toMatchObject([
      { source: Source.Mutation, isAttachIframe: true, adds: [{ parentId: 9, node: frame }] },
      { source: Source.Mutation, attributes: [{ id: 7, attributes: { style: { color: 'red', margin: false } } }] },
      { source: Source.Font, ...font },
      { source: Source.AdoptedStyleSheet, id: 1, styles: [{ styleId: 1 }], styleIds: [] },
      { source: Source.AdoptedStyleSheet, id: 1, styleIds: [1] },
      { source: Source.StyleDeclaration, styleId: 1 },
      { source: Source.StyleSheetRule, id: 4, adds: [{ rule: 'b{}' }] },
      { source: Source.Input, id: 6, text: '****' },
      { source: Source.CanvasMutation, ...picture },
      { source: Source.Scroll, id: 7, y: 90 },
    ])
    // What plays it takes it as it is.
    const shown = rewriteEvents(page.keyFrame(NOW)).events
    expect(shown.map(({ data }) => (data as { source?: number }).source)).toContain(Source.AdoptedStyleSheet)
    expect(JSON.stringify(shown)).toContain('isAttachIframe')
  })

  it('forgets rules of a sheet whose text changes, and has that text', () => {
    const page = pageOf([
      ...start(element(4, 'style', { _cssText: 'a{}/* rr_split */b{}' }, text(5, ''), text(6, ''))),
      change(NOW, Source.StyleSheetRule, { id: 4, adds: [{ rule: 'c{}', index: 0 }] }),
      mutation(NOW, { texts: [{ id: 6, value: 'd{}' }] }),
    ])
    expect(furtherOf(page)).toEqual([])
    expect(JSON.stringify(treeOf(page))).toContain('"textContent":"a{}"')
    expect(JSON.stringify(treeOf(page))).not.toMatch(/b\{\}|_cssText/)
  })

  it('does not grow by what a page does over and over', () => {
    const page = pageOf(start(element(4, 'style'), element(5, 'div')))
    const grown = (from: number): number => {
      for (let at = from; at < from + 500; at++) {
        page.apply(
          change(at, Source.StyleDeclaration, { id: 4, index: [0], set: { property: 'width', value: `${at % 7}px` } }),
        )
        page.apply(change(at, Source.StyleSheetRule, { id: 4, adds: [{ rule: '@keyframes k{}', index: 1 }] }))
        page.apply(change(at, Source.StyleDeclaration, { id: 4, index: [1], set: { property: 'top', value: '0' } }))
        page.apply(change(at, Source.StyleSheetRule, { id: 4, removes: [{ index: 1 }] }))
        page.apply(mutation(at, { attributes: [{ id: 5, attributes: { style: { top: `${at % 7}px` } } }] }))
        page.apply(mutation(at, { adds: [{ parentId: 5, nextId: null, node: element(at, 'b') }] }))
        page.apply(mutation(at, { removes: [{ parentId: 5, id: at }] }))
      }
      return JSON.stringify(page.keyFrame(0)).length
    }
    const first = grown(1000)
    expect(grown(5000)).toBeLessThan(first + 100_000)
    expect(page.nodes).toBe(5)
  })

  it('R118 stands nodes that are their own ancestors, have no parent or are there twice', () => {
    const page = pageOf([
      ...start(element(4, 'div', {}, element(5, 'p'))),
      mutation(NOW, {
        adds: [
          { parentId: 6, nextId: null, node: element(6, 'b') },
          { parentId: 5, nextId: null, node: element(4, 'div') },
          { parentId: 99, nextId: null, node: element(7, 'i') },
          { parentId: BODY, nextId: null, node: element(BODY, 'body') },
        ],
      }),
    ])
    expect(page.nodes).toBeLessThan(4)
    expect(page.keyFrame(NOW)).toHaveLength(2)
  })

  it('R118 stands a page 100,000 elements deep, and one of endless text', () => {
    let deep = element(100_100, 'p')
    for (let id = 100_099; id > 100; id--) deep = element(id, 'div', {}, deep)
    const long = 'x'.repeat(1_000_000)
    const page = pageOf(start(deep))
    for (let id = 200_000; id < 200_100; id++) {
      page.apply(mutation(NOW, { adds: [{ parentId: BODY, nextId: null, node: text(id, long) }] }))
      page.apply(change(NOW, Source.Input, { id, text: long }))
    }
    expect(page.nodes).toBeLessThan(700)
    expect(JSON.stringify(page.keyFrame(NOW)).length).toBeLessThan(25_000_000)
  })

  it('is no page without a snapshot, and stays what it was when the next snapshot is none', () => {
    const page = pageOf([meta(NOW), mutation(NOW, { adds: [] })])
    expect(page.hasPage).toBe(false)
    expect(page.keyFrame(NOW)).toEqual([])
    for (const event of start(text(4, 'here'))) page.apply(event)
    page.apply({ type: EventType.FullSnapshot, timestamp: NOW, data: { node: { type: 0, id: 1, childNodes: [] } } })
    expect(JSON.stringify(treeOf(page))).toContain('here')
  })

  it('R48 is the same from its key frame as from the beginning, whatever happened and happens then', () => {
    fc.assert(
      fc.property(anyRecording, fc.nat(60), (events, cut) => {
        const whole = pageOf(events.slice(0, cut))
        fc.pre(whole.hasPage)
        const again = pageOf(whole.keyFrame(NOW))
        for (const event of events.slice(cut)) {
          whole.apply(event)
          again.apply(event)
        }
        expect(again.keyFrame(NOW)).toEqual(whole.keyFrame(NOW))
      }),
      { numRuns: 400 },
    )
  })

  it('R118 measures large data once, and keeps of a video only what recorders write', () => {
    const junk = 'y'.repeat(1_000_000)
    const page = pageOf(start(element(4, 'video'), element(5, 'canvas')))
    const written = vi.spyOn(JSON, 'stringify')
    page.apply(change(NOW, Source.MediaInteraction, { id: 4, type: 0, volume: 0.5, x: junk, muted: junk }))
    page.apply(change(NOW, Source.CanvasMutation, { id: 5, commands: [{ property: 'drawImage' }], x: junk }))
    for (let at = 0; at < 500; at++) {
      page.apply(change(NOW + at, Source.MediaInteraction, { id: 4, type: 2, currentTime: at }))
    }
    page.apply(mutation(NOW + 500, { removes: [{ parentId: BODY, id: 5 }] }))
    let measured = 0
    for (const { value } of written.mock.results) if (typeof value === 'string') measured += value.length
    written.mockRestore()
    expect(measured).toBeLessThan(1_100_000)
    expect(furtherOf(page)).toEqual([
      { source: Source.MediaInteraction, id: 4, type: 0, volume: 0.5, currentTime: 499 },
    ])
  })

  it('has sheets of a shadow root that went, and no more ids of sheets than there is room for', () => {
    const ids = Array.from({ length: 1000 }, (_, index) => index + 1)
    const page = pageOf([
      ...start({ ...element(4, 'p'), isShadowHost: true }),
      change(NOW, Source.AdoptedStyleSheet, { id: 4, styles: [{ styleId: 1, rules: [] }], styleIds: [1] }),
      mutation(NOW, { removes: [{ parentId: BODY, id: 4 }] }),
    ])
    expect(furtherOf(page)).toEqual([
      { source: Source.AdoptedStyleSheet, id: 1, styles: [{ styleId: 1, rules: [] }], styleIds: [] },
    ])
    for (let id = 5000; id < 9000; id++) {
      page.apply(
        mutation(NOW, { adds: [{ parentId: BODY, nextId: null, node: { ...element(id, 'p'), isShadowHost: true } }] }),
      )
      page.apply(change(NOW, Source.AdoptedStyleSheet, { id, styleIds: ids }))
    }
    expect(furtherOf(page).length).toBeLessThan(2700)
  })

  it('R118 takes as long for a change as the change is, however much its element has', () => {
    const ids = Array.from({ length: 3000 }, (_, index) => 1000 + index)
    const attributes = Object.fromEntries(ids.map((id) => [`a${id}`, '']))
    const page = pageOf([
      ...start(
        element(4, 'p', attributes),
        element(5, 'style', { ...attributes, _cssText: 'a{}' }, ...ids.map((id) => text(id, ''))),
      ),
    ])
    let steps = 0
    for (const id of ids) {
      const node = page.node(id)
      let { next } = node ?? {}
      Object.defineProperty(node, 'next', {
        get: () => {
          steps++
          return next
        },
        set: (value) => {
          next = value
        },
      })
    }
    const entries = vi.spyOn(Object, 'entries')
    const changes = 500
    for (let at = 0; at < changes; at++) {
      page.apply(mutation(NOW, { attributes: [{ id: 4, attributes: { class: `c${at}` } }] }))
      page.apply(
        mutation(NOW, {
          attributes: [{ id: 5, attributes: { _cssText: `b${at}{}` } }],
          texts: [{ id: 1000 + (at % 9), value: 'c{}' }],
        }),
      )
    }
    let read = 0
    for (const { value } of entries.mock.results) if (Array.isArray(value)) read += value.length
    entries.mockRestore()
    expect(steps).toBeLessThan(4 * ids.length)
    expect(read).toBeLessThan(20 * changes)
    expect(JSON.stringify(treeOf(page))).toContain('"class":"c499"')
  })
})
