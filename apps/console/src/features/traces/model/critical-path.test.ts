import { SPAN_FLAGS } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { criticalPath } from './critical-path.ts'
import { type TestSpan, testTrace } from './testing.ts'
import { nameOf, readTrace } from './trace.ts'

/** Milliseconds of each span on the path, by name; those without are left out. */
function pathOf(...roots: readonly TestSpan[]): Record<string, number> {
  const model = readTrace(testTrace(roots))
  const path = criticalPath(model)
  const times = Array.from(
    { length: model.count },
    (_, span) => [nameOf(model, span), (path.time[span] ?? 0) / 1000] as const,
  )
  return Object.fromEntries(times.filter(([, time]) => time > 0))
}

const parent = (...children: readonly TestSpan[]): TestSpan => ({ name: 'parent', from: 0, to: 100, children })

describe('T58: the critical path', () => {
  it('of a sequence goes through all, the rest is the parent’s', () => {
    expect(pathOf(parent({ name: 'a', from: 10, to: 40 }, { name: 'b', from: 40, to: 90 }))).toEqual({
      parent: 20,
      a: 30,
      b: 50,
    })
  })

  it('of parallel spans goes through the one that ended last', () => {
    expect(pathOf(parent({ name: 'a', from: 0, to: 60 }, { name: 'b', from: 0, to: 100 }))).toEqual({ b: 100 })
  })

  it('of overlapping spans leaves out the one that had not ended when the last began', () => {
    expect(
      pathOf(parent({ name: 'a', from: 0, to: 30 }, { name: 'b', from: 20, to: 60 }, { name: 'c', from: 50, to: 100 })),
    ).toEqual({ parent: 20, a: 30, c: 50 })
  })

  it('does not go through what was put in a queue', () => {
    expect(
      pathOf(parent({ name: 'a', from: 0, to: 50 }, { name: 'job', op: 'queue.process', from: 40, to: 99 })),
    ).toEqual({
      parent: 50,
      a: 50,
    })
  })

  it('gives a gap between children to the parent', () => {
    expect(pathOf(parent({ name: 'a', from: 0, to: 20 }, { name: 'b', from: 70, to: 100 }))).toEqual({
      parent: 50,
      a: 20,
      b: 30,
    })
  })

  it('cuts children that overflow their parent, at both ends, and what is below them', () => {
    const inner = { name: 'inner', from: -20, to: -5 }
    const last = { name: 'last', from: 60, to: 130 }
    expect(
      pathOf(
        { name: 'before', from: -50, to: -30 },
        parent({ name: 'long', from: -20, to: 130, children: [inner, last] }),
      ),
    ).toEqual({ before: 20, long: 60, last: 40 })
  })

  it('leaves out children that lie outside of their parent', () => {
    expect(pathOf(parent({ name: 'late', from: 100, to: 300 }))).toEqual({ parent: 100 })
  })

  it('goes down as far as there are children, and over all roots', () => {
    const leaf = { name: 'leaf', from: 20, to: 80 }
    const middle = { name: 'middle', from: 10, to: 90, children: [leaf] }
    expect(pathOf(parent(middle), { name: 'next page', from: 150, to: 200 })).toEqual({
      parent: 20,
      middle: 20,
      leaf: 60,
      'next page': 50,
    })
  })

  it('leaves out roots beside the longest, and work whose caller is not known', () => {
    const orphan = { name: 'job', from: 90, to: 400, flags: SPAN_FLAGS.segment | SPAN_FLAGS.orphan }
    expect(pathOf(parent(), { name: 'beside', from: 80, to: 120 }, orphan)).toEqual({ parent: 100 })
    expect(pathOf(orphan)).toEqual({ job: 310 })
  })

  it('is found 20,000 levels deep', () => {
    const count = 20_000
    const trace = testTrace([parent()])
    const column = (of: (index: number) => number): number[] => Array.from({ length: count }, (_, index) => of(index))
    const model = readTrace({
      ...trace,
      spans: {
        ...trace.spans,
        id: column((index) => index).map(String),
        parent: column((index) => index - 1),
        descendants: column((index) => count - 1 - index),
        start: column((index) => index),
        duration: column((index) => 2 * (count - index)),
        op: column(() => 1),
        name: column(() => 2),
        project: column(() => 0),
        flags: column(() => 0),
      },
    })
    expect(criticalPath(model).total).toBe(2 * count)
  })
})
