import { describe, expect, it } from 'vitest'
import { segmentSteps, type StoredSpan } from './segment.ts'
import { segmentsOf, sketch, START_MICROS, times } from './spans.fixture.ts'

const SPANS = 20_000

const [template] = sketch({ op: 'function', name: 'work', from: 0, to: 1 })
const hex = (value: number): string => value.toString(16).padStart(16, '0')

const spanAt = (index: number, more: Partial<StoredSpan> = {}): StoredSpan => {
  if (template === undefined) throw new Error('no span')
  const none = { isSegment: false, segmentId: '', parentId: '' }
  return { ...template, ...none, id: hex(index + 1), start: START_MICROS + index, ...more }
}

/** Each below the one before it; the first one's parent never came. */
const chain = (): StoredSpan[] => times(SPANS, (index) => spanAt(index, { parentId: hex(index || SPANS + 1) }))

/** Counts how often something asks for the parent of one of them. */
const counting = (spans: readonly StoredSpan[]) => {
  let reads = 0
  const counted = spans.map((span) => {
    const { parentId } = span
    return Object.defineProperty({ ...span }, 'parentId', {
      get: () => {
        reads += 1
        return parentId
      },
    })
  })
  return { spans: counted, reads: () => reads }
}

describe('segments of a trace', () => {
  it.each([
    ['from the top', chain()],
    ['from the bottom', chain().toReversed()],
    ['in a circle', chain().with(0, spanAt(0, { parentId: hex(SPANS) }))],
  ])('without a root, of spans in a chain %s: a few looks at each span', (_, sent) => {
    const { spans, reads } = counting(sent)
    const segments = segmentsOf(spans)
    expect(segments.map(({ id }) => id)).toEqual([''])
    expect(reads()).toBeLessThanOrEqual(5 * SPANS)
  })

  it('are made in steps', () => {
    const steps = segmentSteps(chain())
    let count = 0
    while (steps.next().done !== true) count += 1
    expect(count).toBeGreaterThanOrEqual(20)
  })

  it('take the root that their SDK names, else the nearest above, however far that is', () => {
    const sent = chain()
      .with(0, spanAt(0, { isSegment: true }))
      .with(10, spanAt(10, { parentId: hex(10), segmentId: 'aaaaaaaaaaaaaaaa' }))
    expect(segmentsOf(sent.toReversed()).map(({ id, spans }) => [id, spans.length])).toEqual([
      ['aaaaaaaaaaaaaaaa', SPANS - 10],
      [hex(1), 10],
    ])
  })
})
