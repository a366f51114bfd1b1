import { SPAN_FLAGS } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { findNodes, hitFrom } from './find.ts'
import {
  carryClosed,
  initiallyClosed,
  layOut,
  type Layout,
  NODE,
  reveal,
  rowAt,
  rowOf,
  toggled,
  visibleRows,
} from './layout.ts'
import { largeTrace, type TestSpan, testTrace } from './testing.ts'
import { nameOf, readTrace, type TraceModel } from './trace.ts'

const query = (from: number): TestSpan => ({ name: 'SELECT products', op: 'db', from, to: from + 2 })

const words = (model: TraceModel, layout: Layout, rows: Int32Array): string[] =>
  Array.from(rows, (node) => {
    const indent = '  '.repeat(layout.depth[node] ?? 0)
    if (layout.kind[node] === NODE.missing) return `${indent}parent missing`
    const name = nameOf(model, layout.span[node] ?? 0)
    const fold = layout.folds.get(node)
    return `${indent}${fold === undefined ? name : `${fold.members.length}× ${name}, ${fold.sum / 1000} ms`}`
  })

describe('rows of a trace', () => {
  const model = readTrace(
    testTrace([
      {
        name: 'GET /cart',
        from: 0,
        to: 100,
        children: [
          query(1),
          { name: 'price', from: 10, to: 60, children: [{ name: 'tax', from: 12, to: 20 }] },
          ...[20, 30, 40, 50].map(query),
          { name: 'render', from: 70, to: 99 },
        ],
      },
    ]),
  )

  it('T67: five siblings with the same operation and name fold into one row with their number and sum', () => {
    const layout = layOut(model, true)
    const closed = initiallyClosed(layout)
    expect(words(model, layout, visibleRows(layout, closed))).toEqual([
      'GET /cart',
      '  5× SELECT products, 10 ms',
      '  price',
      '    tax',
      '  render',
    ])
    const fold = layout.folds.keys().next().value ?? -1
    expect(words(model, layout, visibleRows(layout, toggled(closed, fold, false)))).toHaveLength(10)
  })

  it('four stay apart, and so do spans of another operation', () => {
    const four = readTrace(
      testTrace([
        {
          name: 'a',
          from: 0,
          to: 9,
          children: [...[1, 2, 3, 4].map(query), { name: 'SELECT products', op: 'x', from: 5, to: 6 }],
        },
      ]),
    )
    expect(layOut(four, true).folds.size).toBe(0)
  })

  it('what is closed hides everything below it, and is opened for a span that is looked for', () => {
    const layout = layOut(model, true)
    const price = 2
    const closed = toggled(initiallyClosed(layout), layout.nodeOf[price] ?? -1, true)
    const tax = layout.nodeOf[price + 1] ?? -1
    const rows = visibleRows(layout, closed)
    expect(words(model, layout, rows)).toHaveLength(4)
    expect(rows[rowOf(rows, tax)]).toBe(layout.nodeOf[price])
    const opened = reveal(layout, closed, tax)
    expect(visibleRows(layout, opened)).toContain(tax)
    expect(reveal(layout, opened, tax)).toBe(opened)
  })

  it('what was closed by hand stays closed when alike spans are no longer folded', () => {
    const layout = layOut(model, true)
    const closed = toggled(initiallyClosed(layout), layout.nodeOf[2] ?? -1, true)
    const plain = layOut(model, false)
    const rows = visibleRows(plain, carryClosed(layout, closed, plain))
    expect(words(model, plain, rows)).toHaveLength(8)
    expect(words(model, plain, rows)).not.toContain('    tax')
  })

  it('T65: each row knows its place among its siblings and its level', () => {
    const layout = layOut(model, true)
    const render = layout.nodeOf[8] ?? -1
    expect([layout.position[render], layout.siblings[render], layout.depth[render]]).toEqual([3, 3, 1])
    expect(layout.size[0]).toBe(layout.count - 1)
  })

  it('T61: spans whose parent is missing stand below a row that says so', () => {
    const orphans = readTrace(
      testTrace([
        { name: 'page', from: 0, to: 5 },
        { name: 'GET /a', from: 6, to: 9, flags: SPAN_FLAGS.segment | SPAN_FLAGS.orphan },
        { name: 'click', from: 10, to: 12 },
        { name: 'GET /b', from: 13, to: 14, flags: SPAN_FLAGS.segment | SPAN_FLAGS.orphan },
      ]),
    )
    const layout = layOut(orphans, true)
    expect(words(orphans, layout, visibleRows(layout, initiallyClosed(layout)))).toEqual([
      'page',
      'parent missing',
      '  GET /a',
      '  GET /b',
      'click',
    ])
  })

  it('says which row a height belongs to', () => {
    const rows = Int32Array.from([0, 4, 9])
    expect([0, 17.9, 18, 53, 54, -1].map((y) => rowAt(rows, 18, y))).toEqual([0, 0, 1, 2, -1, -1])
  })

  it('a trace without spans has no rows', () => {
    const empty = readTrace(testTrace([]))
    const layout = layOut(empty, true)
    expect(visibleRows(layout, initiallyClosed(layout))).toHaveLength(0)
    expect(rowOf(new Int32Array(), 0)).toBe(-1)
  })

  it('T112: 20,000 levels are laid out without a stack of calls', () => {
    const count = 20_000
    const trace = testTrace([{ name: 'deep', from: 0, to: 1 }])
    const column = (of: (index: number) => number): number[] => Array.from({ length: count }, (_, index) => of(index))
    const deep = readTrace({
      ...trace,
      spans: {
        id: column((index) => index).map(String),
        parent: column((index) => index - 1),
        depth: column((index) => index),
        descendants: column((index) => count - 1 - index),
        start: column(() => 0),
        duration: column((index) => count - index),
        selfTime: column(() => 0),
        shift: column(() => 0),
        op: column(() => 1),
        name: column(() => 1),
        transaction: column(() => 0),
        status: column(() => 0),
        project: column(() => 0),
        flags: column(() => 0),
      },
    })
    const layout = layOut(deep, true)
    expect(layout.depth[layout.count - 1]).toBe(count - 1)
  })
})

describe('searching', () => {
  const model = readTrace(
    testTrace([
      { name: 'GET /cart', from: 0, to: 100, children: [1, 2, 3, 4, 5].map(query) },
      { name: 'b', from: 101, to: 102 },
    ]),
  )
  const layout = layOut(model, true)

  it('T64: finds by part of name or operation, whatever the case, also in what is folded', () => {
    expect(findNodes(model, layout, ' select ')).toHaveLength(5)
    expect(findNodes(model, layout, 'DB')).toHaveLength(5)
    expect(findNodes(model, layout, 'nowhere')).toHaveLength(0)
    expect(findNodes(model, layout, '')).toHaveLength(0)
  })

  it('finds a span by its id', () => {
    expect(findNodes(model, layout, model.id[6] ?? '')).toEqual(Int32Array.from([layout.nodeOf[6] ?? -1]))
  })

  it('goes to the next and the previous hit, around the ends', () => {
    const hits = Int32Array.from([2, 5, 9])
    expect([-1, 2, 3, 9].map((node) => hitFrom(hits, node, 1))).toEqual([2, 5, 5, 2])
    expect([9, 3, 2, -1].map((node) => hitFrom(hits, node, -1))).toEqual([5, 2, 9, 9])
    expect(hitFrom(new Int32Array(), 0, 1)).toBe(-1)
  })
})

it('50,000 spans: the visible rows are rebuilt in less than 2 ms', () => {
  const layout = layOut(readTrace(largeTrace(50_000)), true)
  const closed = initiallyClosed(layout)
  const times = Array.from({ length: 21 }, () => {
    const before = performance.now()
    visibleRows(layout, closed)
    return performance.now() - before
  })
  expect(Math.min(...times)).toBeLessThan(2)
})
