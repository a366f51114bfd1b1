import { readEvents, type RecordedChunk, type RecordedEvent } from '@firsthand/recording'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '../limits.ts'
import { START } from '../replay.fixture.ts'
import { page, says } from './playback.fixture.ts'
import { SegmentCutter } from './segment-cutter.ts'

const eventsOf = (events: readonly object[]): RecordedEvent[] => readEvents(events).events

const timesOf = (chunks: readonly RecordedChunk[]): number[] =>
  chunks.flatMap(({ json }) => (JSON.parse(json) as RecordedEvent[]).map(({ timestamp }) => timestamp - START))

describe('segments of a replay that are cut', () => {
  it('are on one time line, and in order where they overlap', () => {
    const cutter = new SegmentCutter()
    const first = eventsOf([...page(START), says(START + 10, 'a'), says(START + 30, 'c')])
    const second = eventsOf([says(START + 1020, 'b'), says(START + 1040, 'd')])
    const chunks = [
      ...cutter.add(first, { shift: 0, bytes: 1, until: START + 20 }),
      ...cutter.add(second, { shift: -1000, bytes: 1, until: Infinity }),
      ...cutter.end(),
    ]
    expect(timesOf(chunks)).toEqual([0, 0, 10, 20, 30, 40])
  })

  it('R118 are not held without end where their times say that nothing is ever over', () => {
    const cutter = new SegmentCutter()
    const bytes = LIMITS.REPLAY_OVERLAP_BYTES / 4
    let cut = 0
    for (let at = 0; at < 40; at++) {
      const events = eventsOf([...page(START + at, 'x'.repeat(60_000))])
      cut += [...cutter.add(events, { shift: 0, bytes, until: START })].length
    }
    expect(cut).toBeGreaterThan(30)
  })
})
