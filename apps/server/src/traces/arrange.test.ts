import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { finish } from '../lib/test/finish.ts'
import { arrange as arrangeSteps, type Arrangement, type TraceSpan } from './arrange.ts'

const arrange = (spans: readonly TraceSpan[]): Arrangement => finish(arrangeSteps(spans))

/** @param times start and end in milliseconds */
const span = (
  id: string,
  parentId: string,
  times: readonly [number, number],
  more: Partial<TraceSpan> = {},
): TraceSpan => ({
  id,
  parentId,
  projectId: 1,
  clock: 'web',
  start: times[0] * 1000,
  duration: (times[1] - times[0]) * 1000,
  isAsync: false,
  ...more,
})

/** Names in the order of the waterfall, indented by their depth. */
const drawn = (spans: readonly TraceSpan[]): string[] => {
  const { order, depth } = arrange(spans)
  return order.map((index, place) => `${'.'.repeat(depth[place] ?? 0)}${spans[index]?.id}`)
}

describe('the waterfall of a trace', () => {
  it('has children below their parents, in the order of their start', () => {
    const spans = [
      span('a', '', [0, 100]),
      span('b', 'a', [10, 40]),
      span('d', 'b', [20, 30]),
      span('c', 'a', [50, 90]),
    ]
    expect(drawn(spans)).toEqual(['a', '.b', '..d', '.c'])
    const { parent, descendants } = arrange(spans)
    expect(parent).toEqual([-1, 0, 1, 0])
    expect(descendants).toEqual([3, 1, 0, 0])
  })

  it('T59: self time is what no child covers, and never negative', () => {
    const spans = [
      span('a', '', [0, 100]),
      span('b', 'a', [-10, 20]),
      span('c', 'a', [10, 30]),
      span('d', 'a', [40, 60]),
      span('e', 'a', [90, 200]),
    ]
    expect(arrange(spans).selfTime).toEqual([40_000, 30_000, 20_000, 20_000, 110_000])
  })

  it('T61: spans whose parent is not there are roots that say so', () => {
    const spans = [span('a', 'gone', [0, 10]), span('b', 'a', [1, 2])]
    expect(drawn(spans)).toEqual(['a', '.b'])
    expect([...arrange(spans).orphans]).toEqual([0])
  })

  it('T110: a span that is its own parent, and a cycle of three, are drawn once', () => {
    const spans = [span('x', 'x', [0, 1]), span('a', 'c', [1, 9]), span('b', 'a', [2, 8]), span('c', 'b', [3, 7])]
    expect(drawn(spans)).toEqual(['x', 'a', '.b', '..c'])
    expect([...arrange(spans).cycles]).toEqual([0, 1])
  })

  it('of two spans with one id, the one of the same project is the parent', () => {
    const spans = [
      span('a', '', [0, 10]),
      span('a', '', [0, 10], { projectId: 2 }),
      span('b', 'a', [1, 2], { projectId: 2 }),
    ]
    expect(arrange(spans).parent).toEqual([-1, -1, 1])
  })

  it('T112: a chain of 20,000 spans needs no stack', () => {
    const spans = Array.from({ length: 20_000 }, (_, index) =>
      span(String(index), index === 0 ? '' : String(index - 1), [index, 20_000]),
    )
    const { depth, descendants } = arrange(spans)
    expect(depth.at(-1)).toBe(19_999)
    expect(descendants[0]).toBe(19_999)
  })

  it('T60: a service whose clock is 5 s ahead is drawn inside its caller, with all below it', () => {
    const spans = [
      span('call', '', [0, 100]),
      span('serve', 'call', [5020, 5080], { clock: 'api' }),
      span('query', 'serve', [5030, 5040], { clock: 'api' }),
    ]
    expect(arrange(spans).shift).toEqual([0, -5_000_000, -5_000_000])
  })

  it('T60 one that ends a little later than its caller says nothing of a clock', () => {
    const shiftOf = (from: number, to: number) =>
      arrange([span('call', '', [0, 300]), span('serve', 'call', [from, to], { clock: 'api' })]).shift[1]
    expect([shiftOf(20, 313), shiftOf(270, 313)]).toEqual([0, 0])
    expect(shiftOf(290, 333)).toBe(-161_500)
  })

  it('a clock that is behind is corrected for spans that are longer than their caller, too', () => {
    const spans = [span('serve', 'call', [-50, 500], { clock: 'api' }), span('call', '', [0, 100])]
    expect(arrange(spans).shift).toEqual([0, 50_000])
  })

  it('what works on a queue may begin after its parent has ended', () => {
    const spans = [span('send', '', [0, 10]), span('work', 'send', [900, 950], { clock: 'worker', isAsync: true })]
    expect(arrange(spans).shift).toEqual([0, 0])
  })

  it('a clock that is off by days is not believed to be one', () => {
    const day = 86_400_000
    const spans = [span('call', '', [0, 100]), span('serve', 'call', [day, day + 50], { clock: 'api' })]
    expect(arrange(spans).shift).toEqual([0, 0])
  })

  it('has every span once, whatever the parents are', () => {
    const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
    const anySpan = fc.record({ id: ids, parent: fc.option(ids, { nil: '' }), start: fc.nat(50), length: fc.nat(50) })
    fc.assert(
      fc.property(fc.array(anySpan, { maxLength: 12 }), (shapes) => {
        const spans = shapes
          .map(({ id, parent, start, length }) => span(id, parent, [start, start + length]))
          .toSorted((one, other) => one.start - other.start)
        const { order, parent, depth, descendants, selfTime } = arrange(spans)
        expect(order.toSorted((one, other) => one - other)).toEqual(spans.map((_, index) => index))
        parent.forEach((above, place) => {
          expect(above).toBeLessThan(place)
          expect(depth[place]).toBe(above === -1 ? 0 : (depth[above] ?? 0) + 1)
          if (above !== -1) expect(place).toBeLessThanOrEqual(above + (descendants[above] ?? 0))
        })
        selfTime.forEach((own, place) => expect(own).toBeLessThanOrEqual(spans[order[place] ?? 0]?.duration ?? 0))
      }),
    )
  })
})
