import { describe, expect, it } from 'vitest'

import { writeHtml } from './write-html.ts'

/** As much of a page as is read. */
interface Fake {
  readonly nodeType: number
  readonly nodeName: string
  readonly nodeValue: string | null
  readonly localName: string
  readonly attributes: readonly { readonly name: string; readonly value: string }[]
  childNodes: readonly Fake[]
  parentNode: Fake | null
  shadowRoot?: Fake
  contentDocument?: { readonly documentElement: Fake }
}

const node = (nodeType: number, name: string, more: Partial<Fake> = {}): Fake => {
  const made: Fake = {
    nodeType,
    nodeName: name.toUpperCase(),
    nodeValue: null,
    localName: name,
    attributes: [],
    childNodes: [],
    parentNode: null,
    ...more,
  }
  for (const child of made.childNodes) child.parentNode = made
  return made
}
const element = (name: string, attributes: Record<string, string>, ...childNodes: Fake[]): Fake =>
  node(1, name, { attributes: Object.entries(attributes).map(([key, value]) => ({ name: key, value })), childNodes })
const text = (nodeValue: string): Fake => node(3, '#text', { nodeValue })
const written = (root: Fake): string => writeHtml(root as unknown as Element)

describe('the page as a text', () => {
  it('R55 has an element in a line, with shadow roots and frames, and without what the player put in', () => {
    const host = element('x-card', {})
    host.shadowRoot = node(11, '#document-fragment', { childNodes: [element('b', {}, text(' in  it '))] })
    const frame = element('iframe', { title: 'a "frame"' })
    frame.contentDocument = { documentElement: element('html', {}, element('body', {}, text('framed'))) }
    const page = element(
      'html',
      { class: 'rrweb-paused' },
      element('style', {}, text('.rr-block {}')),
      element(
        'body',
        { class: 'cart :hover' },
        // In the place of a script.
        element('fh-removed', { hidden: '' }),
        element('a', { 'data-fh-href': 'https://a.example/' }, text('go')),
        host,
        frame,
        text('\n'),
      ),
    )
    expect(written(page).split('\n')).toEqual([
      '<html>',
      '  <body class="cart">',
      '    <a href="https://a.example/">go</a>',
      '    <x-card>',
      '      #shadow-root',
      '        <b>in it</b>',
      '    </x-card>',
      '    <iframe title="a &quot;frame&quot;">',
      '      <html>',
      '        <body>framed</body>',
      '      </html>',
      '    </iframe>',
      '  </body>',
      '</html>',
    ])
  })

  it('R118 of a page that is deep and long is bounded, and says so', () => {
    let deep = element('i', {})
    for (let depth = 0; depth < 20_000; depth++) deep = element('div', { title: 'x'.repeat(5000) }, deep)
    const lines = written(deep).split('\n')
    expect(lines.length).toBeLessThan(6000)
    expect(lines.join('').length).toBeLessThan(1_000_000)
    expect(lines.at(-1)).toContain('too long')
  })
})
