import { deflateSync } from 'node:zlib'
import { pngOf } from '../../e2e/lib/png.ts'
import type { RecordedEvent } from '../../e2e/lib/replays.ts'
import { randomFrom } from '../events.ts'

/**
 * An hour in an application of one page, as an SDK records it: one snapshot of 6,100 nodes, then changes, movements of the
 * mouse, inputs and scrolls, a segment each five seconds; about 140 kB each before compression.
 */
export interface HourSpec {
  /** Milliseconds since the epoch at which it begins. */
  readonly start: number
  readonly segments: number
  readonly seed: number
  /** Rows of the table that the page is; 600 for the page of 6,100 nodes. */
  readonly rows: number
  /** Changes of the page in each segment. */
  readonly changes: number
  /** Pictures of a canvas in each segment. */
  readonly pictures: number
}

export const SEGMENT_MS = 5000

const WORDS = 'order basket price total shipped waiting paid invoice customer city street country note amount'.split(
  ' ',
)

/** Of a recorder's largest picture, as long as one of a drawing: no browser reads what stands behind its end. */
const PICTURE = pngOf(1280, 720)
const PICTURE_BYTES = 15_000

const pictureOf = (random: () => number): string => {
  const more = Uint8Array.from({ length: PICTURE_BYTES }, () => random() * 256)
  return Buffer.concat([PICTURE, more]).toString('base64')
}

const bitmapOf = (base64: string): object => {
  const data = [{ rr_type: 'ArrayBuffer', base64 }]
  return { rr_type: 'ImageBitmap', args: [{ rr_type: 'Blob', data, type: 'image/png' }] }
}

/** Segment after segment, each as its events. */
// long: one page, which all of its events are about
export const recordHour = function* ({
  start,
  segments,
  seed,
  rows,
  changes,
  pictures,
}: HourSpec): Generator<RecordedEvent[]> {
  const random = randomFrom(seed)
  const word = (): string => WORDS[Math.floor(random() * WORDS.length)] ?? ''
  const phrase = (count: number): string => Array.from({ length: count }, word).join(' ')
  let nextId = 100
  const present: number[] = []
  const element = (tagName: string, attributes: object, childNodes: readonly object[]) => ({
    type: 2,
    id: nextId++,
    tagName,
    attributes,
    childNodes,
  })
  const text = (words: number) => ({
    type: 3,
    id: nextId++,
    textContent: `${phrase(words)} ${Math.floor(random() * 1e6)}`,
  })
  const cell = () => element('td', { class: `cell ${word()}-cell` }, [text(3)])
  const row = () => {
    const made = element('tr', { class: `row ${word()}`, 'data-id': `${Math.floor(random() * 1e9)}` }, [
      cell(),
      cell(),
      cell(),
      element('td', {}, [element('button', { class: 'primary button', type: 'button' }, [text(1)])]),
    ])
    present.push(made.id)
    return made
  }
  /** As a recorder notes what is added: node by node, without what is in it. */
  const flat = (node: ReturnType<typeof row>, parentId: number): object[] => {
    const adds: object[] = []
    const open: { readonly parentId: number; readonly node: { childNodes?: readonly object[]; id: number } }[] = [
      { parentId, node },
    ]
    for (let one = open.shift(); one !== undefined; one = open.shift()) {
      const { childNodes = [], ...others } = one.node
      adds.push({ parentId: one.parentId, nextId: null, node: { ...others, childNodes: [] } })
      for (const child of childNodes) open.push({ parentId: one.node.id, node: child as typeof node })
    }
    return adds
  }
  const [DOCUMENT, HTML, BODY, TABLE, INPUT, STYLE, CANVAS] = [1, 2, 3, 4, 5, 6, 7]
  const table = { type: 2, id: TABLE, tagName: 'tbody', attributes: {}, childNodes: Array.from({ length: rows }, row) }
  const css = Array.from({ length: 400 }, (_, at) => `.${word()}-${at} > .row { margin: ${at}px; color: #${at}aaa }`)
  const style = { type: 2, id: STYLE, tagName: 'style', attributes: { _cssText: css.join('\n') }, childNodes: [] }
  const input = { type: 2, id: INPUT, tagName: 'input', attributes: { type: 'text' }, childNodes: [] }
  const canvas = {
    type: 2,
    id: CANVAS,
    tagName: 'canvas',
    attributes: { width: '2560', height: '1440' },
    childNodes: [],
  }
  const shown = pictures === 0 ? [style, input, table] : [style, input, canvas, table]
  const body = { type: 2, id: BODY, tagName: 'body', attributes: {}, childNodes: shown }
  const html = { type: 2, id: HTML, tagName: 'html', attributes: {}, childNodes: [body] }
  for (let segment = 0; segment < segments; segment++) {
    const from = start + segment * SEGMENT_MS
    const events: RecordedEvent[] = []
    if (segment === 0) {
      const node = { type: 0, id: DOCUMENT, childNodes: [html] }
      events.push({ type: 4, timestamp: from, data: { href: 'https://shop.example/', width: 1440, height: 900 } })
      events.push({ type: 2, timestamp: from, data: { node, initialOffset: { top: 0, left: 0 } } })
    }
    const at = (part: number): number => from + 1 + Math.floor(part * (SEGMENT_MS - 2))
    const change = (part: number, data: object): void => void events.push({ type: 3, timestamp: at(part), data })
    for (let index = 0; index < changes; index++) {
      const part = index / changes
      const gone = present.splice(Math.floor(random() * present.length), 1)[0] ?? 0
      const changed = present[Math.floor(random() * present.length)] ?? 0
      change(part, {
        source: 0,
        removes: [{ parentId: TABLE, id: gone }],
        adds: flat(row(), TABLE),
        texts: [{ id: changed + 2, value: phrase(4) }],
        attributes: [{ id: changed, attributes: { class: `row ${word()}`, style: { top: `${index}px` } } }],
      })
      const positions = Array.from({ length: 10 }, (_, move) => ({
        x: Math.floor(random() * 1440),
        y: Math.floor(random() * 900),
        id: changed,
        timeOffset: move * -50,
      }))
      change(part, { source: 1, positions })
      if (index % 5 === 0) change(part, { source: 3, id: DOCUMENT, x: 0, y: Math.floor(random() * 9000) })
      if (index % 9 === 0) change(part, { source: 5, id: INPUT, text: phrase(2), isChecked: false })
    }
    for (let index = 0; index < pictures; index++) {
      const args = [bitmapOf(pictureOf(random)), 0, 0, 2560, 1440]
      change(index / pictures, { source: 9, id: CANVAS, type: 0, commands: [{ property: 'drawImage', args }] })
    }
    // Pictures stand behind the changes of the same time.
    yield pictures === 0 ? events : events.toSorted((one, other) => one.timestamp - other.timestamp)
  }
}

/** The hour of the reference: 100 MB, 720 segments. */
export const HOUR = { segments: 720, seed: 12, rows: 600, changes: 65, pictures: 0 }

/** An hour of a canvas that is drawn on all the time: 7,200 pictures. */
export const CANVAS_HOUR = { segments: 720, seed: 12, rows: 20, changes: 2, pictures: 10 }

export const payloadOf = (segment: number, events: readonly object[]): Buffer =>
  Buffer.concat([Buffer.from(`{"segment_id":${segment}}\n`), deflateSync(JSON.stringify(events))])
