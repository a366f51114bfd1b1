import { describe, expect, it } from 'vitest'
import { EventType, readEvents, Source } from './events.ts'
import { readTexts, type TextBounds } from './texts.ts'

const BOUNDS: TextBounds = { characters: 100, texts: 50, allCharacters: 1000 }

let lastId = 1
const text = (textContent: string, more: object = {}) => ({ type: 3, id: (lastId += 1), textContent, ...more })
const element = (tagName: string, childNodes: readonly object[] = [], attributes: object = {}) => ({
  type: 2,
  id: (lastId += 1),
  tagName,
  attributes,
  childNodes,
})
const snapshot = (timestamp: number, ...childNodes: readonly object[]) => ({
  type: EventType.FullSnapshot,
  timestamp,
  data: { node: { type: 0, id: 1, childNodes } },
})
const mutation = (timestamp: number, data: object) => ({
  type: EventType.IncrementalSnapshot,
  timestamp,
  data: { source: Source.Mutation, adds: [], removes: [], texts: [], attributes: [], ...data },
})
const input = (timestamp: number, id: number, typed: string, isChecked = false) => ({
  type: EventType.IncrementalSnapshot,
  timestamp,
  data: { source: Source.Input, id, text: typed, isChecked },
})
const add = (parentId: number, nextId: number | null, node: object) => ({ parentId, nextId, node })

const AT = 1_760_000_000_000
const read = (events: readonly object[], bounds = BOUNDS) => readTexts(readEvents(events).events, bounds)
const textsOf = (...events: readonly object[]) => read(events).texts.map((one) => one.text)

describe('texts of a page', () => {
  it('R30 text that is split over inline elements is one, and that of other blocks is not', () => {
    const page = snapshot(
      AT,
      element('body', [
        element('p', [
          text('Payment '),
          element('b', [text('failed')]),
          text('.\n  Try'),
          element('br'),
          text('again'),
        ]),
        element('div', [text('Pay'), element('em', [text('Pal')]), element('div', [text('Card')]), text('Bank')]),
      ]),
    )
    expect(read([page]).texts).toEqual(
      ['Payment failed. Try again', 'PayPal', 'Card', 'Bank'].map((written) => ({
        text: written.toLowerCase(),
        written,
        at: AT,
      })),
    )
  })

  it('R30 nodes that come one by one are put together again, with the moment at which they came', () => {
    const [first, bold, last] = [text('Payment '), element('b'), text(' again')]
    const inner = text('failed')
    const adds = [add(9, null, last), add(9, last.id, bold), add(bold.id, null, inner), add(9, bold.id, first)]
    const events = [snapshot(AT, element('p', [text('Wait')])), mutation(AT + 3000, { adds })]
    expect(read(events).texts).toEqual([
      { text: 'wait', written: 'Wait', at: AT },
      { text: 'payment failed again', written: 'Payment failed again', at: AT + 3000 },
    ])
    const changed = mutation(AT + 4000, {
      texts: [{ id: 700, value: 'Sold out' }],
      attributes: [{ id: 701, attributes: { placeholder: 'Your name', class: 'wide' } }],
    })
    expect(textsOf(changed)).toEqual(['sold out', 'your name'])
  })

  it('R31 scripts, styles, templates and what is hidden are no text, nor what comes into them later', () => {
    const rules = text('.a{color:red}', { isStyle: true })
    const style = element('style', [rules])
    const hidden = element('div', [element('p', [text('in vain')])], { hidden: '' })
    const page = snapshot(
      AT,
      element('head', [element('title', [text('Shop')]), style]),
      element('script', [text('SCRIPT_PLACEHOLDER')]),
      element('template', [element('p', [text('later')])]),
      element('noscript', [text('No script')]),
      hidden,
      element('p', [text('gone')], { style: 'color: red; display: none' }),
      element('p', [text('icon')], { 'aria-hidden': 'true' }),
      element('dialog', [text('Sure?')]),
      element('details', [element('summary', [text('More')]), text('Small print')]),
      element('details', [element('summary', [text('Less')]), text('Large print')], { open: '' }),
    )
    const later = mutation(AT + 1, {
      adds: [add(style.id, null, text('.b{color:blue}')), add(hidden.id, null, text('also in vain'))],
      texts: [
        { id: rules.id, value: 'no rule' },
        { id: 900, value: '.of-an-earlier-segment{margin:0}' },
      ],
    })
    const alone = mutation(AT + 2, { adds: [add(901, null, text('.of-an-earlier-segment{margin:0}'))] })
    expect(textsOf(page, later, alone)).toEqual(['more', 'less', 'large print'])
  })

  it('R32 what is masked is no text', () => {
    const page = snapshot(
      AT,
      element('p', [text('***** ****'), text(' \n ')]),
      element('input', [], { type: 'text', value: '••••', placeholder: '****' }),
    )
    expect(read([page, input(AT, 5, '********')])).toEqual({ texts: [], leftOut: 0 })
  })

  it('what is written beside pictures and in fields is text, of a field what it says in the end', () => {
    const field = element('input', [], { type: 'text', value: 'Ada', 'aria-label': 'Name' })
    const unseen = element('input', [], { type: 'text' })
    const secret = element('div', [unseen], { hidden: '' })
    const page = snapshot(
      AT,
      element('img', [], { alt: 'A red chair', title: 'Chair' }),
      field,
      element('input', [], { type: 'checkbox', value: 'on' }),
      element('input', [], { type: 'submit', value: 'Buy now' }),
      secret,
    )
    const typed = ['G', 'Gr', 'Grace'].map((value, index) => input(AT + 100 + index, field.id, value))
    const inside = input(AT + 200, unseen.id, 'unseen')
    expect(textsOf(page, ...typed, inside, input(AT + 300, 77, 'on', true))).toEqual([
      'a red chair',
      'chair',
      'name',
      'ada',
      'buy now',
      'grace',
    ])
  })

  it('R33 texts are cut, and those beyond the bounds are counted', () => {
    const many = Array.from({ length: 60 }, (_, index) => element('p', [text(`row ${index}`)]))
    const few = read([snapshot(AT, ...many)])
    expect(few.texts).toHaveLength(50)
    expect(few.leftOut).toBe(10)
    const long = read([snapshot(AT, ...['a', 'b', 'c'].map((one) => element('p', [text(one.repeat(5000))])))])
    expect(long.texts.map((one) => one.text)).toEqual(['a', 'b', 'c'].map((one) => one.repeat(100)))
    expect(read([snapshot(AT, ...many)], { ...BOUNDS, allCharacters: 20 }).leftOut).toBe(56)
  })

  it('R118 rings, doubled ids and deep pages end soon', () => {
    const ring = mutation(AT, {
      adds: [
        add(1, null, element('p', [{ type: 2, id: 5, tagName: 'p' }])),
        add(5, null, { type: 2, id: 5, tagName: 'b', childNodes: [text('in a ring')] }),
        add(801, 802, { type: 2, id: 802, tagName: 'p', childNodes: [] }),
        add(803, null, { type: 2, id: 801, tagName: 'p', childNodes: [] }),
        add(801, null, { type: 2, id: 803, tagName: 'p', childNodes: [] }),
      ],
    })
    expect(textsOf(ring)).toEqual(['in a ring'])
    const doubled = mutation(AT, {
      adds: Array.from({ length: 60 }, (_, index) => {
        const child = { type: 2, id: index + 1001, tagName: 'b', childNodes: [] }
        return add(index + 1000, null, { type: 2, id: -index, tagName: 'i', childNodes: [child, child] })
      }).concat(add(1, null, { type: 2, id: 1000, tagName: 'p', childNodes: [text('once')] })),
    })
    expect(textsOf(doubled)).toEqual(['once'])
    let deep: object = text('far down')
    for (let level = 0; level < 50_000; level += 1) deep = { type: 2, id: level, tagName: 'div', childNodes: [deep] }
    expect(textsOf(snapshot(AT, deep))).toEqual(['far down'])
    expect(
      textsOf({ type: 3, timestamp: AT, data: { source: 0, adds: 'no', texts: [1, null], attributes: {} } }),
    ).toEqual([])
  })
})
