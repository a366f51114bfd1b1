import fc from 'fast-check'
import { EventType, NodeType, Source, type RecordedEvent } from './events.ts'

/** Test helpers: recorded pages, and what happens on them. */

export const NOW = 1_795_212_282_963

type Node = Record<string, unknown>

export const element = (id: number, tagName: string, attributes: Node = {}, ...childNodes: Node[]): Node => ({
  type: NodeType.Element,
  id,
  tagName,
  attributes,
  childNodes,
})

export const text = (id: number, textContent: string): Node => ({ type: NodeType.Text, id, textContent })

export const meta = (timestamp: number, href = 'https://shop.example/'): RecordedEvent => ({
  type: EventType.Meta,
  timestamp,
  data: { href, width: 1280, height: 720 },
})

/** A page whose document is 1 and whose element is 2. */
export const snapshot = (timestamp: number, ...body: Node[]): RecordedEvent => ({
  type: EventType.FullSnapshot,
  timestamp,
  data: {
    node: { type: NodeType.Document, id: 1, childNodes: [element(2, 'html', {}, ...body)] },
    initialOffset: { top: 0, left: 0 },
  },
})

export const change = (timestamp: number, source: number, data: Node): RecordedEvent => ({
  type: EventType.IncrementalSnapshot,
  timestamp,
  data: { source, ...data },
})

export const mutation = (timestamp: number, changes: Node): RecordedEvent =>
  change(timestamp, Source.Mutation, { adds: [], removes: [], texts: [], attributes: [], ...changes })

/** Few, so that they meet: parents that are gone, ids that are taken, nodes below themselves. Rarely those of the page. */
const id = fc.oneof(
  { weight: 30, arbitrary: fc.integer({ min: 3, max: 14 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 }) },
)
const word = fc.constantFrom('', 'a', 'Pay', '.x{color:red}', '🛒')
const tag = fc.constantFrom('div', 'style', 'input', 'canvas', 'iframe', 'my-card', 'script', 'link')

const anyNode: fc.Arbitrary<Node> = fc.oneof(
  fc.record({
    type: fc.constant(NodeType.Element),
    id,
    tagName: tag,
    attributes: fc.dictionary(
      fc.constantFrom('class', 'style', '_cssText', 'value', 'rel'),
      fc.oneof(word, fc.constant('stylesheet')),
    ),
    isShadow: fc.boolean(),
    isShadowHost: fc.boolean(),
    childNodes: fc.constant([]),
  }),
  fc.record({ type: fc.constantFrom(NodeType.Text, NodeType.Comment), id, textContent: word }),
  fc.record({
    type: fc.constant(NodeType.Document),
    id,
    childNodes: fc.tuple(id, id).map(([html, body]) => [element(html, 'html', {}, element(body, 'body'))]),
  }),
)

const add = fc.record({
  parentId: id,
  previousId: fc.option(id),
  nextId: fc.option(id, { freq: 3 }),
  node: anyNode,
})
const styleChange = fc.dictionary(
  fc.constantFrom('color', 'margin', 'margin-top'),
  fc.oneof(word, fc.constant(false), fc.tuple(word, fc.constant('important'))),
)
const changeOfPage = fc.oneof(
  fc.record({
    source: fc.constant(Source.Mutation),
    removes: fc.array(fc.record({ parentId: id, id }), { maxLength: 2 }),
    adds: fc.array(add, { maxLength: 4 }),
    texts: fc.array(fc.record({ id, value: word }), { maxLength: 2 }),
    attributes: fc.array(
      fc.record({
        id,
        attributes: fc.oneof(
          fc.dictionary(fc.constantFrom('class', 'style', '_cssText'), fc.option(word)),
          styleChange.map((style) => ({ style })),
        ),
      }),
      { maxLength: 2 },
    ),
  }),
  fc.record({ source: fc.constant(Source.Scroll), id, x: fc.nat(9), y: fc.nat(9) }),
  fc.record({ source: fc.constant(Source.ViewportResize), width: fc.nat(2000), height: fc.nat(2000) }),
  fc.record({ source: fc.constant(Source.Input), id, text: word, isChecked: fc.boolean() }),
  fc.record({
    source: fc.constant(Source.StyleSheetRule),
    id,
    adds: fc.array(fc.record({ rule: word, index: fc.nat(3) }), { maxLength: 1 }),
    removes: fc.array(fc.record({ index: fc.nat(3) }), { maxLength: 1 }),
  }),
  fc.record(
    {
      source: fc.constant(Source.StyleSheetRule),
      id,
      styleId: fc.integer({ min: 1, max: 3 }),
      replace: word,
      replaceSync: word,
    },
    { requiredKeys: ['source', 'id'] },
  ),
  fc.record({
    source: fc.constant(Source.StyleDeclaration),
    styleId: fc.integer({ min: 1, max: 3 }),
    index: fc.tuple(fc.nat(2)),
    set: fc.record({ property: fc.constantFrom('color', 'margin'), value: word }),
  }),
  fc.record({
    source: fc.constant(Source.AdoptedStyleSheet),
    id,
    styles: fc.array(
      fc.record({ styleId: fc.integer({ min: 1, max: 3 }), rules: fc.constant([{ rule: 'a{}', index: 0 }]) }),
      { maxLength: 2 },
    ),
    styleIds: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
  }),
  fc.record({
    source: fc.constant(Source.CanvasMutation),
    id,
    type: fc.constant(0),
    commands: fc.constantFrom([{ property: 'drawImage', args: [1] }], [{ property: 'fillRect', args: [2] }]),
  }),
  fc.record({ source: fc.constant(Source.Font), family: word, fontSource: word, buffer: fc.constant(false) }),
  fc.record({ source: fc.constant(Source.MediaInteraction), id, type: fc.nat(4), currentTime: fc.nat(9) }),
)

/** A page, and whatever a recording could say of it afterwards, possible or not, one event each millisecond. */
export const anyRecording: fc.Arbitrary<readonly RecordedEvent[]> = fc
  .array(
    fc.oneof(
      { weight: 20, arbitrary: changeOfPage.map((data) => ({ type: EventType.IncrementalSnapshot, data })) },
      {
        weight: 1,
        arbitrary: fc.array(anyNode, { maxLength: 3 }).map((nodes) => ({
          type: EventType.FullSnapshot,
          data: snapshot(0, ...nodes).data,
        })),
      },
    ),
    { maxLength: 60, size: 'max' },
  )
  .map((events) => [
    meta(NOW),
    snapshot(NOW, element(3, 'head', {}, element(4, 'style', { _cssText: 'a{}' }, text(5, ''))), element(6, 'body')),
    ...events.map((event, index) => ({ ...event, timestamp: NOW + 1 + index })),
  ])
