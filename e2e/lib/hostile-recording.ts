import type { RecordedEvent } from './replays.ts'

/** Who asks for anything of it is caught: each address names its way. */
const attacksOf = (origin: string) => (way: string) => `${origin}/${way}`

interface Node {
  readonly id: number
  readonly type: number
  readonly tagName?: string
  readonly [field: string]: unknown
}

/**
 * A page that tries to run, to fetch and to leave in every way that a recording has: nodes of a snapshot, attributes and
 * nodes of mutations, rules, declarations, adopted sheets, fonts. What runs sets `ran` on its windows. rrweb's own events.
 *
 * @param origin of whom it asks
 */
// long: one list of attacks
export const hostileRecording = (origin: string, start: number): RecordedEvent[] => {
  const at = attacksOf(origin)
  let lastId = 1
  const node = (
    tagName: string,
    attributes: object = {},
    childNodes: readonly Node[] = [],
    more: object = {},
  ): Node => ({
    type: 2,
    tagName,
    attributes,
    childNodes,
    id: ++lastId,
    ...more,
  })
  const text = (textContent: string): Node => ({ type: 3, textContent, id: ++lastId })
  const run = 'top.ran = parent.ran = parent.parent.ran = true'
  const [svg, frame, sheet, paragraph] = [
    node(
      'svg',
      {},
      [
        node('image', { href: at('svg-image') }, [], { isSVG: true }),
        node('use', { href: at('svg-use#x') }, [], { isSVG: true }),
        node('script', {}, [text(run)], { isSVG: true }),
      ],
      { isSVG: true },
    ),
    node('iframe', { src: at('iframe') }),
    node('style', {}, [
      text(
        `@import "${at('import')}"; @font-face { font-family: q; src: url(${at('font')}) } p { font-family: q; background: url(${at('css')}) }`,
      ),
    ]),
    node('p', { style: `background: url(${at('inline-style')})`, onclick: run }, [text('The hostile page')]),
  ]
  const body = node('body', { onload: run }, [
    paragraph,
    node('script', {}, [text(run)]),
    node('script', { src: at('script') }),
    node('img', { src: at('img'), onerror: run }),
    node('img', { srcset: `${at('srcset')} 1x` }),
    node('img', { src: 'x:', onerror: run }),
    node('video', { src: at('video'), poster: at('poster'), autoplay: '' }),
    node('audio', { src: at('audio'), autoplay: '' }),
    node('input', { type: 'image', src: at('input-image') }),
    node('input', { autofocus: '', onfocus: run }),
    node('object', { data: at('object') }),
    node('embed', { src: at('embed') }),
    frame,
    node('iframe', { rr_src: at('rr-src') }),
    node('iframe', { src: `javascript:${run}` }),
    node('iframe', { srcdoc: `<img src="${at('srcdoc-image')}"><script>${run}</script>` }),
    sheet,
    node('style', { _cssText: `@import "${at('css-text-import')}"; h1 { background: url(${at('css-text')}) }` }),
    node('h1', {}, [text('head')]),
    node('canvas', { rr_dataURL: at('data-url') }),
    node('form', { action: at('form') }, [node('button', { formaction: at('form-action') }, [text('send')])]),
    node('a', { href: at('link'), ping: at('ping'), target: '_top' }, [text('link')]),
    node('a', { href: `javascript:${run}` }, [text('script link')]),
    node('details', { open: '', ontoggle: run }),
    svg,
  ])
  const head = node('head', {}, [
    node('base', { href: `${origin}/` }),
    node('meta', { 'http-equiv': 'refresh', content: `0;url=${at('refresh')}` }),
    node('link', { rel: 'stylesheet', href: at('link-css') }),
    node('link', { rel: 'prefetch', href: at('prefetch') }),
    node('link', { rel: 'preload', as: 'image', href: at('preload') }),
  ])
  const page = { type: 0, id: 1, childNodes: [node('html', {}, [head, body])] }
  const change = (ms: number, source: number, data: object): RecordedEvent => ({
    type: 3,
    timestamp: start + ms,
    data: { source, ...data },
  })
  const add = (added: Node) => ({ parentId: body.id, nextId: null, node: added })
  return [
    { type: 4, timestamp: start, data: { href: `${origin}/`, width: 800, height: 600 } },
    { type: 2, timestamp: start, data: { node: page, initialOffset: { left: 0, top: 0 } } },
    change(500, 0, {
      texts: [],
      removes: [],
      attributes: [
        { id: paragraph.id, attributes: { style: { 'background-image': `url(${at('changed-style')})` } } },
        { id: frame.id, attributes: { src: at('changed-iframe') } },
        { id: svg.id, attributes: { onload: run } },
      ],
      adds: [
        add(node('img', { src: at('added-img'), onerror: run })),
        add(node('script', { src: at('added-script') })),
        add(node('base', { href: `${origin}/` })),
      ],
    }),
    change(600, 15, {
      id: 1,
      styles: [{ styleId: 1, rules: [{ rule: `p { border-image: url(${at('adopted')}) }`, index: 0 }] }],
      styleIds: [1],
    }),
    change(700, 8, {
      id: sheet.id,
      adds: [{ rule: `p { list-style: url(${at('rule')}) inside; display: list-item }` }],
    }),
    change(800, 13, { id: sheet.id, index: [0], set: { property: 'cursor', value: `url(${at('declared')}), auto` } }),
    change(900, 10, { family: 'z', fontSource: `url(${at('font-face')})`, buffer: false, descriptors: {} }),
    change(1000, 9, { id: frame.id, type: 0, commands: [{ property: 'drawImage', args: [at('canvas')] }] }),
    { type: 5, timestamp: start + 2000, data: { tag: 'end', payload: {} } },
  ]
}

/** A page of a few thousand characters that no browser could ever draw, were it drawn as it is written. */
export const expandingRecording = (start: number): RecordedEvent[] => {
  let lastId = 1
  const node = (tagName: string, attributes: object = {}, childNodes: readonly Node[] = []): Node => ({
    type: 2,
    tagName,
    attributes,
    childNodes,
    id: ++lastId,
    ...(/^(?:svg|g|use|mask|rect)$/.test(tagName) ? { isSVG: true } : {}),
  })
  const twice = (make: () => Node): Node[] => [make(), make()]
  const uses = Array.from({ length: 40 }, (_, step) =>
    node(
      'g',
      { id: `g${step}` },
      twice(() => node('use', { href: `#g${step - 1}` })),
    ),
  )
  const masks = Array.from({ length: 40 }, (_, step) =>
    node(
      'mask',
      { id: `m${step}` },
      twice(() => node('rect', { width: 9, height: 9, class: `m${step}` })),
    ),
  )
  const rules = Array.from({ length: 40 }, (_, step) => `.m${step} { mask: url(#m${step - 1}) }`)
  const columns = (attributes: object): Node => {
    let inner = node('p', {}, [{ type: 3, textContent: 'in columns', id: ++lastId }])
    for (let level = 0; level < 40; level++) inner = node('div', attributes, [inner])
    return inner
  }
  const body = node('body', {}, [
    node('p', {}, [{ type: 3, textContent: 'The expanding page', id: ++lastId }]),
    node('style', { _cssText: `.cols { columns: 2 } ${rules.join(' ')}` }),
    columns({ class: 'cols' }),
    columns({ style: 'column-count: 2' }),
    node('svg', {}, [
      ...uses,
      ...masks,
      node('use', { href: '#g39' }),
      node('rect', { mask: 'url(#m39)', width: 9, height: 9 }),
    ]),
  ])
  const page = { type: 0, id: 1, childNodes: [node('html', {}, [node('head'), body])] }
  return [
    { type: 4, timestamp: start, data: { href: 'https://shop.example/', width: 800, height: 600 } },
    { type: 2, timestamp: start, data: { node: page, initialOffset: { left: 0, top: 0 } } },
    { type: 5, timestamp: start + 2000, data: { tag: 'end', payload: {} } },
  ]
}
