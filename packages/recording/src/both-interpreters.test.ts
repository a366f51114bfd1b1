import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RecordedEvent } from './events.ts'
import { anyRecording } from './page.fixture.ts'
import { PageState } from './page-state.ts'
import { rewriteEvents } from './rewrite.ts'

const keyFrameOf = (events: readonly RecordedEvent[]): RecordedEvent[] => {
  const page = new PageState()
  for (const event of events) page.apply(event)
  return page.keyFrame(0)
}
const rewritten = (events: readonly RecordedEvent[]): readonly RecordedEvent[] => rewriteEvents(events).events

it('R48 R62 a page is the same whether its changes are rewritten or what became of it', () => {
  fc.assert(
    fc.property(anyRecording, (events) => {
      const first = keyFrameOf(rewritten(events))
      const second = keyFrameOf(rewritten(keyFrameOf(events)))
      expect(first).toEqual(second)
    }),
    { numRuns: 300 },
  )
})
