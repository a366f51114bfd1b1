import { describe, expect, it } from 'vitest'
import { mergeNews, shareRoom, type SpanSums, type TraceNews } from './span-news.ts'

const sums = (more: Partial<SpanSums>): SpanSums => ({
  count: 1,
  alike: 1,
  total: 10,
  longest: 10,
  largest: 0,
  blocked: 0,
  ...more,
})

const manyOf = (projectId: number, count: number): readonly TraceNews[] =>
  Array.from({ length: count }, (_, index) => ({ traceId: `${projectId}-${index}`, hasRoot: true, sums: {} }))

const shared = (room: number, counts: Readonly<Record<number, number>>) => {
  const byProject = new Map(Object.entries(counts).map(([id, count]) => [Number(id), manyOf(Number(id), count)]))
  const shares = shareRoom(byProject, room)
  return Object.fromEntries([...shares].map(([id, { traces, tracesLeftOut }]) => [id, [traces.length, tracesLeftOut]]))
}

describe('the news of a batch', () => {
  it('name the traces of all projects while there is room', () => {
    expect(shared(20, { 1: 12, 2: 8 })).toEqual({ 1: [12, 0], 2: [8, 0] })
  })

  it('keep room for those who sent little, and tell the last of those who sent much', () => {
    expect(shared(20, { 1: 1000, 2: 3, 3: 400 })).toEqual({ 1: [9, 991], 2: [3, 0], 3: [8, 392] })
    const [first] = shareRoom(new Map([[1, manyOf(1, 5)]]), 2).values()
    expect(first?.traces.map(({ traceId }) => traceId)).toEqual(['1-3', '1-4'])
  })

  it('tell a trace once, with all that came of it', () => {
    const part = (traceId: string, hasRoot: boolean, db: Partial<SpanSums>): TraceNews => ({
      traceId,
      hasRoot,
      sums: { db: sums(db) },
    })
    const told = mergeNews([
      part('a', false, { total: 30, longest: 30 }),
      part('b', true, {}),
      { ...part('a', true, { alike: 3, count: 3 }), sums: { db: sums({ alike: 3, count: 3 }), http: sums({}) } },
    ])
    expect(told).toEqual([
      part('b', true, {}),
      {
        traceId: 'a',
        hasRoot: true,
        sums: { db: sums({ count: 4, alike: 4, total: 40, longest: 30 }), http: sums({}) },
      },
    ])
  })
})
