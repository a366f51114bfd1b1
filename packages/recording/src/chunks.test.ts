import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changesOf, ChunkCutter, type ChunkBounds, type RecordedChunk } from './chunks.ts'
import { EventType, Source, type RecordedEvent } from './events.ts'
import { anyRecording, change, element, meta, mutation, NOW, snapshot, text } from './page.fixture.ts'
import { PageState } from './page-state.ts'
import { rewriteEvents } from './rewrite.ts'

const cut = (events: readonly RecordedEvent[], bounds?: ChunkBounds): RecordedChunk[] => {
  const cutter = new ChunkCutter(bounds)
  const chunks = events.map((event) => cutter.add(event))
  return [...chunks, cutter.end()].filter((chunk) => chunk !== null)
}

const eventsOf = ({ json }: RecordedChunk): RecordedEvent[] => JSON.parse(json) as RecordedEvent[]

const stateAt = (events: readonly RecordedEvent[], at: number): unknown => {
  const page = new PageState()
  for (const event of events) if (event.timestamp <= at) page.apply(event)
  return page.keyFrame(at)
}

describe('chunks of a replay', () => {
  it('each begin with a page', () => {
    const events = [
      meta(NOW),
      snapshot(NOW, element(3, 'body')),
      ...Array.from({ length: 1000 }, (_, at) =>
        mutation(NOW + at, { adds: [{ parentId: 3, nextId: null, node: text(at + 10, 'word') }] }),
      ),
    ]
    const chunks = cut(events)
    expect(chunks).toHaveLength(4)
    expect(chunks.map(({ nodes }) => nodes)).toEqual([3, 253, 503, 753])
    for (const chunk of chunks) {
      const [first, second] = eventsOf(chunk)
      expect([first?.type, second?.type]).toEqual([EventType.Meta, EventType.FullSnapshot])
      expect(first?.timestamp).toBe(chunk.from)
      expect(eventsOf(chunk).at(-1)?.timestamp).toBe(chunk.to)
    }
  })

  it('R48 tell what is new after the chunk before: changes of its page alone, or another page whole', () => {
    const large = element(3, 'body', {}, ...Array.from({ length: 2000 }, (_, at) => element(at + 10, 'p')))
    const changes = (from: number) =>
      Array.from({ length: 300 }, (_, at) =>
        mutation(from + at, { attributes: [{ id: 3, attributes: { class: String(from + at) } }] }),
      )
    const [first, second, third] = cut([
      meta(NOW),
      snapshot(NOW, large),
      ...changes(NOW + 1),
      meta(NOW + 500),
      snapshot(NOW + 500, large),
    ]).map(eventsOf)
    if (first === undefined || second === undefined || third === undefined) throw new Error('chunks are missing')
    expect(changesOf(first)).toEqual(first)
    expect(changesOf(second)).toEqual(changes(NOW + 1).slice(250))
    expect(changesOf(third)).toEqual(third)
    expect(third[1]?.type).toBe(EventType.FullSnapshot)
    const rewritten = rewriteEvents(second).events
    expect(rewritten[1]?.type).toBe(EventType.FullSnapshot)
    expect(changesOf(rewritten)).toHaveLength(50)
  })

  it('hold about as many bytes as they may, also where nothing but the mouse moves', () => {
    const moves = Array.from({ length: 20_000 }, (_, at) =>
      change(NOW + at, Source.MouseMove, { positions: [{ x: at, y: at, id: 3, timeOffset: 0 }] }),
    )
    const chunks = cut([meta(NOW), snapshot(NOW, element(3, 'body')), ...moves])
    expect(chunks.length).toBeGreaterThan(4)
    for (const { json } of chunks) expect(json.length).toBeLessThan(500_000)
  })

  it('do not write a large page over and over', () => {
    const nodes = Array.from({ length: 20_000 }, (_, at) => element(at + 10, 'p', { class: 'some words of a class' }))
    const changes = Array.from({ length: 2000 }, (_, at) =>
      mutation(NOW + at, { attributes: [{ id: at + 10, attributes: { class: 'other' } }] }),
    )
    const events = [meta(NOW), snapshot(NOW, element(3, 'body', {}, ...nodes)), ...changes]
    expect(cut(events).length).toBeLessThan(4)
  })

  it('begin with a page that is loaded, but for one that shows little', () => {
    const large = element(
      3,
      'body',
      {},
      ...Array.from({ length: 2000 }, (_, at) => element(at + 10, 'p', { class: 'a' })),
    )
    const chunks = cut([
      meta(NOW),
      snapshot(NOW, element(3, 'body')),
      meta(NOW + 10, 'https://shop.example/second'),
      snapshot(NOW + 11, large),
      meta(NOW + 20, 'https://shop.example/third'),
      snapshot(NOW + 21, large),
    ])
    expect(chunks.map(({ from, to }) => [from - NOW, to - NOW])).toEqual([
      [0, 11],
      [21, 21],
    ])
    expect(chunks.map(({ json }) => json.includes('third'))).toEqual([false, true])
  })

  it('R117 are none without a snapshot, and begin with the first', () => {
    const before = [
      change(NOW, Source.Scroll, { id: 1, x: 0, y: 9 }),
      { type: EventType.Custom, timestamp: NOW, data: {} },
    ]
    expect(cut(before)).toEqual([])
    const [chunk, ...others] = cut([...before, meta(NOW + 5), snapshot(NOW + 6, element(3, 'body'))])
    expect(others).toEqual([])
    expect(chunk?.from).toBe(NOW + 6)
  })

  it('never go back in time', () => {
    const [chunk] = cut([
      meta(NOW),
      snapshot(NOW, element(3, 'body')),
      change(NOW + 50, Source.Scroll, { id: 1, x: 0, y: 9 }),
      change(NOW + 20, Source.Scroll, { id: 1, x: 0, y: 19 }),
    ])
    expect(chunk === undefined ? [] : eventsOf(chunk).map(({ timestamp }) => timestamp - NOW)).toEqual([0, 0, 50, 50])
  })

  it('leave out what is nested too deeply to be written', () => {
    let deep: unknown = []
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    const [chunk] = cut([meta(NOW), snapshot(NOW, element(3, 'body')), change(NOW, Source.Font, { family: deep })])
    expect(chunk === undefined ? [] : eventsOf(chunk)).toHaveLength(2)
  })

  it('R58 are the same when the last one goes on later', () => {
    const adds = Array.from({ length: 700 }, (_, at) =>
      mutation(NOW + at, { adds: [{ parentId: 3, nextId: null, node: text(at + 10, 'word') }] }),
    )
    const scrolled = change(NOW, Source.Scroll, { id: 3, x: 0, y: 9 })
    const events = [meta(NOW), snapshot(NOW, element(3, 'body')), scrolled, ...adds]
    for (const end of [100, 300, 602]) {
      const before = cut(events.slice(0, end))
      const last = before.pop()
      const cutter = new ChunkCutter()
      const again = last === undefined ? [] : cutter.goOn(eventsOf(last))
      for (const event of events.slice(end)) again.push(...[cutter.add(event)].filter((chunk) => chunk !== null))
      expect([...before, ...again, cutter.end()]).toEqual(cut(events))
    }
  })

  /** Bytes of a recording, and of its chunks. */
  const sizes = (events: readonly RecordedEvent[], bounds?: ChunkBounds) => ({
    recorded: JSON.stringify(events).length,
    written: cut(events, bounds).reduce((sum, { json }) => sum + json.length, 0),
  })
  const tiny = (count: number): RecordedEvent[] =>
    Array.from({ length: count }, (_, at) => snapshot(NOW + at, element(3, 'body')))

  it('R118 do not repeat a long address with each small page, nor one that no page has', () => {
    for (const length of [4000, 1_000_000]) {
      const { recorded, written } = sizes([meta(NOW, `https://shop.example/${'x'.repeat(length)}`), ...tiny(5000)])
      expect(written).toBeLessThan(2 * recorded)
    }
  })

  it('R118 do not repeat a large page for snapshots that nobody can read', () => {
    const large = snapshot(NOW, element(3, 'body', { class: 'x'.repeat(1_000_000) }))
    const broken = Array.from({ length: 1000 }, (_, at) => ({ ...snapshot(NOW + at), data: { node: { type: 9 } } }))
    const { recorded, written } = sizes([meta(NOW), large, ...broken])
    expect(written).toBeLessThan(2 * recorded)
  })

  it('R118 are in proportion to what was recorded, whatever that is', () => {
    const resized = (at: number) => change(NOW + at, Source.ViewportResize, { width: at, height: at })
    const hostile = fc.record({
      address: fc.nat(5000),
      rounds: fc.integer({ min: 1, max: 300 }),
      page: fc.nat(20_000),
      one: fc.constantFrom<(at: number) => RecordedEvent[]>(
        (at) => [snapshot(NOW + at)],
        (at) => [resized(at), snapshot(NOW + at)],
        (at) => [{ ...snapshot(NOW + at), data: {} }],
        (at) => [mutation(NOW + at, {})],
        (at) => [change(NOW + at, Source.Scroll, { id: 3, x: at, y: 9 })],
      ),
    })
    const isInProportion = (events: readonly RecordedEvent[], bounds: ChunkBounds): void => {
      const { recorded, written } = sizes(events, bounds)
      expect(written).toBeLessThan(16 * recorded + 10_000)
    }
    const bounds = fc.record({
      mutations: fc.integer({ min: 1, max: 9 }),
      characters: fc.integer({ min: 1, max: 2000 }),
    })
    fc.assert(fc.property(anyRecording, bounds, isInProportion), { numRuns: 200 })
    fc.assert(
      fc.property(hostile, bounds, ({ address, one, page, rounds }, given) => {
        const start = [
          meta(NOW, `https://shop.example/${'x'.repeat(address)}`),
          snapshot(NOW, element(3, 'body', { class: 'x'.repeat(page) })),
        ]
        isInProportion([...start, ...Array.from({ length: rounds }, (_, at) => one(at)).flat()], given)
      }),
      { numRuns: 200 },
    )
  })

  it('R48 show at each moment what the whole recording shows', () => {
    fc.assert(
      fc.property(anyRecording, fc.integer({ min: 1, max: 9 }), (events, mutations) => {
        const chunks = cut(events, { mutations, characters: 2000 })
        for (const [index, chunk] of chunks.entries()) {
          const next = chunks[index + 1]?.from ?? chunk.to + 1
          for (const at of new Set([chunk.from, chunk.to, next - 1])) {
            expect(stateAt(eventsOf(chunk), at)).toEqual(stateAt(events, at))
          }
        }
      }),
      { numRuns: 300 },
    )
  })
})
