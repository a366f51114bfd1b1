import { describe, expect, it } from 'vitest'
import { changesOf, ChunkCutter } from './chunks.ts'
import type { RecordedEvent } from './events.ts'
import { sliceChunk } from './slice.ts'

const START = 1_700_000_000_000

const page = (words: string): RecordedEvent[] => [
  { type: 4, timestamp: START, data: { href: 'https://shop.example/', width: 800, height: 600 } },
  {
    type: 2,
    timestamp: START,
    data: {
      node: {
        type: 0,
        id: 1,
        childNodes: [
          {
            type: 2,
            id: 2,
            tagName: 'html',
            attributes: {},
            childNodes: [{ type: 3, id: 3, textContent: words }],
          },
        ],
      },
      initialOffset: { top: 0, left: 0 },
    },
  },
]

const says = (ms: number, value: string): RecordedEvent => ({
  type: 3,
  timestamp: START + ms,
  data: { source: 0, adds: [], removes: [], texts: [{ id: 3, value }], attributes: [] },
})

const moves = (ms: number, ...offsets: readonly number[]): RecordedEvent => ({
  type: 3,
  timestamp: START + ms,
  data: { source: 1, positions: offsets.map((timeOffset) => ({ x: 1, y: 1, id: 3, timeOffset })) },
})

/** As it is stored. */
const chunkOf = (events: readonly RecordedEvent[]): RecordedEvent[] => {
  const cutter = new ChunkCutter()
  for (const event of events) cutter.add(event)
  return JSON.parse(cutter.end()?.json ?? '[]') as RecordedEvent[]
}

const cut = (from: number, to: number, events = chunkOf([...page('first'), ...changes])) =>
  sliceChunk(events, { from: START + from, to: START + to })

const changes = [says(1000, 'second'), moves(1500, -700, -100, 0), says(2000, 'third'), says(3000, 'fourth')]

describe('a stretch of a chunk', () => {
  it('R99 begins with the page as it stood then, and has nothing of what was before or comes after', () => {
    const events = cut(1000, 2500)
    expect(events.slice(0, 2)).toMatchObject([
      { type: 4, timestamp: START + 1000, data: { href: 'https://shop.example/', width: 800 } },
      { type: 2, timestamp: START + 1000 },
    ])
    const text = JSON.stringify(events)
    expect(['first', 'second', 'third', 'fourth'].map((words) => text.includes(words))).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect(JSON.stringify(cut(1001, 2500))).not.toContain('first')
    expect(JSON.stringify(cut(1001, 2500))).toContain('"textContent":"second"')
  })

  it('has movements of the pointer from its beginning on alone', () => {
    const moved = cut(1200, 1800).find(({ data }) => (data as { source?: number }).source === 1)
    expect(moved?.data).toMatchObject({ positions: [{ timeOffset: -100 }, { timeOffset: 0 }] })
  })

  it('has, before what is new, the end of what it begins with', () => {
    expect(changesOf(cut(1500, 2500)).map(({ timestamp }) => timestamp - START)).toEqual([1500, 2000])
  })

  it('of a chunk that is within is the chunk; behind its last event it is the page alone', () => {
    const events = chunkOf([...page('first'), ...changes])
    expect(cut(0, 5000, events)).toEqual(events)
    const [, snapshot, ...rest] = cut(4000, 5000)
    expect(JSON.stringify(snapshot)).toContain('fourth')
    expect(changesOf(rest)).toEqual([])
  })
})
