import { EventType, type RecordedEvent, Source } from '@firsthand/recording'
import { describe, expect, it } from 'vitest'

import { withLastScrolls } from './last-scrolls.ts'

const [DOCUMENT, LIST] = [1, 7]

const page = (timestamp: number, top = 0): RecordedEvent => ({
  type: EventType.FullSnapshot,
  timestamp,
  data: { node: { type: 0, id: DOCUMENT, childNodes: [] }, initialOffset: { top, left: 0 } },
})

const change = (timestamp: number, source: number, data: object): RecordedEvent => ({
  type: EventType.IncrementalSnapshot,
  timestamp,
  data: { source, ...data },
})

const scroll = (timestamp: number, id: number, y: number): RecordedEvent =>
  change(timestamp, Source.Scroll, { id, x: 0, y })

const mutation = (timestamp: number, removed: readonly number[] = []): RecordedEvent =>
  change(timestamp, Source.Mutation, { adds: [], removes: removed.map((id) => ({ parentId: 2, id })) })

describe('what is drawn at once', () => {
  it('R42 is scrolled once, at its end, to where each element was last', () => {
    const events = [
      page(0, 90),
      scroll(1, DOCUMENT, 100),
      mutation(2),
      scroll(3, LIST, 5),
      scroll(4, DOCUMENT, 200),
      mutation(5),
      scroll(6, LIST, 6),
    ]
    expect(withLastScrolls(events, 6)).toEqual([
      page(0),
      mutation(2),
      mutation(5),
      scroll(6, DOCUMENT, 200),
      scroll(6, LIST, 6),
    ])
  })

  it('is scrolled as its page was when nobody scrolled since', () => {
    expect(withLastScrolls([page(0, 90), mutation(2)], 5)).toEqual([page(0), mutation(2), scroll(5, DOCUMENT, 90)])
  })

  it('has nothing of the page before, nor of an element that was taken out', () => {
    const events = [page(0), scroll(1, LIST, 5), page(2, 10), scroll(3, LIST, 7), mutation(4, [LIST])]
    expect(withLastScrolls(events, 5)).toEqual([page(0), page(2), mutation(4, [LIST]), scroll(5, DOCUMENT, 10)])
  })

  it('leaves alone what comes later', () => {
    const later = [scroll(6, DOCUMENT, 1), mutation(7), scroll(8, DOCUMENT, 2), page(9, 30)]
    expect(withLastScrolls([page(0), ...later], 5)).toEqual([page(0), scroll(5, DOCUMENT, 0), ...later])
  })
})
