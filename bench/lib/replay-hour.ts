import type { RecordedEvent } from '../../e2e/lib/replays.ts'

/** An hour of somebody in a single-page app: one page load, then a hundred megabytes of changes. The same every time. */

export const SEGMENTS = 720
export const SEGMENT_MS = 5000
const ROWS = 500
/** Changes of the page in one segment, among other events. */
const CHANGES = 70

interface Node {
  readonly id: number
  readonly [field: string]: unknown
}

/** Numbers that look random and are the same in each run. */
const numbersFrom = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648
}

const STYLE = `
  body { margin: 0; font: 14px/1.4 sans-serif; color: #222 }
  .head { display: flex; gap: 16px; padding: 12px 24px; background: #f4f1ea }
  .list { height: 640px; overflow: auto; padding: 0 24px }
  .row { display: grid; grid-template-columns: 80px 1fr 120px 120px 90px; gap: 8px; padding: 6px 0; border-bottom: 1px solid #ddd }
  .row.is-new { background: #fdf6e3 } .price { text-align: right } button:hover { background: #eee }
`

/** @param start of the recording, in milliseconds since the epoch */
export function* recordedHour(start: number): Generator<readonly RecordedEvent[]> {
  const random = numbersFrom(12)
  const words = ['lamp', 'brass', 'globe', 'pendant', 'shade', 'linen', 'cable', 'socket', 'dimmer', 'glass', 'amber']
  const word = (): string => words[Math.floor(random() * words.length)] ?? ''
  const phrase = (count: number): string => Array.from({ length: count }, word).join(' ')
  let lastId = 1
  const text = (textContent: string): Node => ({ type: 3, textContent, id: ++lastId })
  const element = (tagName: string, attributes: object, childNodes: readonly Node[] = []): Node => ({
    type: 2,
    tagName,
    attributes,
    childNodes,
    id: ++lastId,
  })
  /** Texts that change, by row. */
  const rows: { readonly id: number; readonly text: number }[] = []
  const makeRow = (isNew: boolean): Node => {
    const price = text(`€ ${(random() * 300).toFixed(2)}`)
    const row = element('div', { class: isNew ? 'row is-new' : 'row', 'data-key': String(lastId) }, [
      element('span', { class: 'key' }, [text(`#${lastId}`)]),
      element('span', { class: 'name', title: phrase(4) }, [element('b', {}, [text(phrase(2))]), text(phrase(9))]),
      element('span', { class: 'stock' }, [text(`${Math.floor(random() * 90)} left`)]),
      element('span', { class: 'price' }, [price]),
      element('button', { type: 'button', class: 'buy' }, [text('Buy')]),
    ])
    rows.push({ id: row.id, text: price.id })
    return row
  }
  const list = element(
    'div',
    { class: 'list' },
    Array.from({ length: ROWS }, () => makeRow(false)),
  )
  const body = element('body', {}, [element('div', { class: 'head' }, [element('h1', {}, [text('Lamps')])]), list])
  const head = element('head', {}, [element('style', {}, [text(STYLE)])])
  const page = {
    type: 0,
    id: 1,
    childNodes: [
      { type: 1, name: 'html', publicId: '', systemId: '', id: ++lastId },
      element('html', {}, [head, body]),
    ],
  }
  const event = (at: number, source: number, data: object): RecordedEvent => ({
    type: 3,
    timestamp: Math.round(at),
    data: { source, ...data },
  })
  const changesOf = () => {
    const [gone] = rows.splice(Math.floor(random() * rows.length), 1)
    const removes = gone === undefined ? [] : [{ parentId: list.id, id: gone.id }]
    const adds = [{ parentId: list.id, nextId: null, node: makeRow(true) }]
    const texts = Array.from({ length: 8 }, () => ({
      id: rows[Math.floor(random() * (rows.length - 1))]?.text,
      value: `€ ${(random() * 300).toFixed(2)}`,
    }))
    const attributes = [{ id: rows[Math.floor(random() * rows.length)]?.id, attributes: { class: 'row' } }]
    return { texts, attributes, removes, adds }
  }
  for (let segment = 0; segment < SEGMENTS; segment++) {
    const from = start + segment * SEGMENT_MS
    const events: RecordedEvent[] = []
    if (segment === 0) {
      events.push({ type: 4, timestamp: start, data: { href: 'https://shop.example/lamps', width: 1280, height: 800 } })
      events.push({ type: 2, timestamp: start, data: { node: page, initialOffset: { left: 0, top: 0 } } })
    }
    for (let change = 0; change < CHANGES; change++) {
      const at = from + 2 + (change * (SEGMENT_MS - 10)) / CHANGES
      events.push(event(at, 0, changesOf()))
      const positions = Array.from({ length: 8 }, (_, step) => ({
        x: Math.floor(random() * 1200),
        y: Math.floor(random() * 760),
        id: list.id,
        timeOffset: -step,
      }))
      events.push(event(at + 30, 1, { positions: positions.toReversed() }))
      if (change % 35 === 0) events.push(event(at + 40, 3, { id: list.id, x: 0, y: Math.floor(random() * 9000) }))
      if (change % 35 === 20) events.push(event(at + 40, 2, { type: 2, id: list.id, x: 600, y: 400 }))
    }
    yield events
  }
}
