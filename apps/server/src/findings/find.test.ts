import { describe, expect, it } from 'vitest'
import {
  asset,
  blockedFile,
  CASES,
  compressed,
  frame,
  get,
  item,
  page,
  server,
  source,
  withPaint,
} from './cases.fixture.ts'
import { DETECTORS } from './detectors/index.ts'
import type { SpanFacts } from './segment.ts'
import { findIn, query, request, segmentOf, times, type SketchedSegment, type SketchedSpan } from './spans.fixture.ts'
import { resolveSettings, UNCHANGED } from './settings.ts'

const SETTINGS = resolveSettings(UNCHANGED)

const found = (segment: SketchedSegment) => findIn(segmentOf(segment), SETTINGS)
const namesOf = (segment: SketchedSegment): string[] => found(segment).map(({ detector }) => detector.id)

describe.each(CASES)('T85 $detector', ({ detector, positive, misses }) => {
  it('is found, with its sentence and what could be saved', () => {
    const [finding] = found(positive)
    expect(finding?.detector.id).toBe(detector)
    expect(finding?.sentence).toMatch(/\d.*\.$/)
    expect(finding?.saved).toBeGreaterThan(0)
    expect(finding?.offenders.length).toBeGreaterThan(0)
    expect(namesOf(positive)).toEqual([detector])
  })

  it.each(Object.entries(misses))('is not: %s', (_, segment) => {
    expect(namesOf(segment)).not.toContain(detector)
  })
})

it('for each rule there is something that looks like it and is not', () => {
  expect(CASES.filter(({ misses }) => Object.keys(misses).length === 0)).toEqual([])
})

it.each(CASES)('$detector looks at no attribute that it does not declare', ({ detector: id, positive, misses }) => {
  const detector = DETECTORS.find((one) => one.id === id)
  const thresholds = SETTINGS.detectors.get(id)?.thresholds ?? {}
  const read = new Set<string>()
  for (const sketched of [positive, ...Object.values(misses)]) {
    const segment = segmentOf(sketched)
    const watched = (facts: SpanFacts): SpanFacts =>
      new Proxy(facts, {
        get: (target, name: string) => {
          read.add(name)
          return target[name]
        },
      })
    for (const without of [false, true]) {
      const spans = segment.spans.map((span) => ({ ...span, facts: watched(without ? {} : span.facts) }))
      detector?.find({ ...segment, spans }, thresholds)
    }
  }
  expect(detector?.facts).toEqual(expect.arrayContaining([...read]))
})

describe('T86 N+1 queries', () => {
  const pool = (at: number): SketchedSpan => ({
    op: 'db',
    name: 'pg-pool.connect',
    from: at,
    to: at + 1,
    system: 'postgresql',
  })

  it('are found with connections and transactions between them', () => {
    const children = times(6, (index) => {
      const at = 20 + index * 15
      return [pool(at), query('BEGIN', at, at), query(`SELECT * FROM items WHERE id = ${index}`, at + 1, at + 13)]
    })
    expect(namesOf(server([source, ...children.flat()]))).toEqual(['n_plus_one_db'])
  })

  it('are found when they overlap, and count the time once', () => {
    const [finding] = found(
      server([
        source,
        ...times(8, (index) => query(`SELECT * FROM items WHERE id = ${index}`, 20 + index, 90 + index)),
      ]),
    )
    expect(finding?.detector.id).toBe('n_plus_one_db')
    expect(finding?.offenders).toHaveLength(8)
    expect(finding?.saved).toBeCloseTo(7, 5)
  })

  it('name the query before them', () => {
    const [finding] = found(server([source, ...times(5, (index) => item(index))]))
    expect(finding?.segment.spans[finding.cause ?? -1]?.name).toBe('SELECT * FROM orders')
    expect(finding?.segment.spans[finding.parent ?? -1]?.name).toBe('GET /orders')
    expect(finding?.text).toBe('SELECT * FROM items WHERE order_id = %s')
  })
})

it('T85 a SELECT that locks its rows is slow as others are, and an issue only when that is seen often', () => {
  const locks = query('SELECT id FROM carts WHERE id = 17 FOR UPDATE', 0, 2400)
  expect(found(server([locks], { to: 3000 })).map(({ detector, seen }) => [detector.id, seen])).toEqual([
    ['slow_db', 100],
  ])
})

describe('T87 the same problem', () => {
  const fingerprintOf = (segment: SketchedSegment): string | undefined => found(segment)[0]?.fingerprint
  const withIds = (seed: number, more: Partial<SketchedSegment> = {}): SketchedSegment =>
    server(
      [
        query(`SELECT * FROM orders WHERE user_id = ${seed}`, 0, 10),
        ...times(5 + (seed % 3), (index) =>
          query(`SELECT * FROM items WHERE id IN (${seed}, ${index})`, 20 + index * 20, 38 + index * 20),
        ),
      ],
      { seed, ...more },
    )

  it('with other ids, values and numbers of queries is one', () => {
    expect(fingerprintOf(withIds(1))).toMatch(/^[0-9a-f]{32}$/)
    expect(fingerprintOf(withIds(2))).toBe(fingerprintOf(withIds(1)))
    expect(fingerprintOf(withIds(3, { name: 'GET /orders/17' }))).toBe(
      fingerprintOf(withIds(4, { name: 'GET /orders/18' })),
    )
  })

  it('elsewhere is another one', () => {
    expect(fingerprintOf(withIds(1, { name: 'GET /carts' }))).not.toBe(fingerprintOf(withIds(1)))
  })

  it('in the same segment is the same event, in another one another', () => {
    const eventOf = (seed: number): string | undefined => found(withIds(seed))[0]?.eventId
    expect(eventOf(1)).toBe(eventOf(1))
    expect(eventOf(1)).not.toBe(eventOf(2))
  })
})

describe('T89 settings', () => {
  const segment = segmentOf(server([source, ...times(5, (index) => item(index))]))
  const namesWith = (changed: Parameters<typeof resolveSettings>[0]): string[] =>
    findIn(segment, resolveSettings(changed)).map(({ detector }) => detector.id)

  it('move the threshold, switch a rule off, and mute it for a transaction', () => {
    expect(namesWith(UNCHANGED)).toEqual(['n_plus_one_db'])
    expect(namesWith({ detectors: { n_plus_one_db: { thresholds: { count: 6 } } }, mutes: [] })).toEqual([])
    expect(namesWith({ detectors: { n_plus_one_db: { enabled: false } }, mutes: [] })).toEqual([])
    expect(namesWith({ detectors: {}, mutes: [{ detector: 'n_plus_one_db', transaction: 'GET /orders' }] })).toEqual([])
    expect(namesWith({ detectors: {}, mutes: [{ detector: '', transaction: 'GET /orders' }] })).toEqual([])
    expect(namesWith({ detectors: {}, mutes: [{ detector: 'slow_db', transaction: 'GET /orders' }] })).toEqual([
      'n_plus_one_db',
    ])
  })
})

describe('T92 an hour of a clean shop', () => {
  /** Small differences that are the same in each run. */
  const jitter = (seed: number, most: number): number => (seed * 7919) % most

  const clean = (seed: number): SketchedSegment[] => [
    server(
      [
        query('SELECT id, name FROM users WHERE id = $1', 1, 3 + jitter(seed, 5)),
        query('SELECT * FROM orders WHERE user_id = $1 LIMIT 20', 10, 22 + jitter(seed, 20)),
        query('SELECT * FROM items WHERE order_id IN ($1, $2, $3)', 45, 60 + jitter(seed, 20)),
        ...times(6, (index) => query(`GET price:${seed + index}`, 80 + index, 81 + index, { system: 'redis' })),
        { op: 'cache.get', name: `cart:${seed}`, from: 90, to: 91 },
        request(`GET https://pay.example.com/rates/${seed}`, 95, 180 + jitter(seed, 300)),
      ],
      { seed, to: 600 },
    ),
    server(
      [
        query('BEGIN', 0, 1),
        query('INSERT INTO orders (a, b) VALUES ($1, $2)', 1, 5),
        ...times(3, () => query('UPDATE stock SET n = n - 1 WHERE id = $1', 5, 9)),
        query('COMMIT', 10, 14),
        { op: 'queue.publish', name: 'mails', from: 15, to: 16 },
      ],
      { seed: seed + 100_000, name: 'POST /orders', to: 40 },
    ),
    page(
      [
        compressed,
        asset('https://shop.example.com/app.1a2b3c4d.js', 10, 180 + jitter(seed, 100), 90_000, 280_000),
        asset('https://shop.example.com/app.css', 10, 60, 12_000, 50_000),
        request('GET https://shop.example.com/api/products', 250, 400, { 'http.response.body.size': 40_000 }),
        request('GET https://shop.example.com/api/cart', 255, 300, { 'http.response.body.size': 900 }),
        request('GET https://shop.example.com/api/user', 258, 310, { 'http.response.body.size': 700 }),
        frame(60 + jitter(seed, 80)),
      ],
      { seed: seed + 200_000, ...withPaint(700 + jitter(seed, 600)) },
    ),
  ]

  it('has no findings', () => {
    expect(
      times(1200, (index) => clean(index + 1))
        .flat()
        .flatMap(found),
    ).toEqual([])
  })
})

describe('large and broken segments', () => {
  const SPANS = 8000
  const some = (make: (index: number) => SketchedSpan, count = SPANS): SketchedSegment =>
    server([source, ...times(count, make)], { to: SPANS })
  const alike = (index: number): SketchedSpan => query(`SELECT * FROM t WHERE id = ${index}`, index, index + 1)
  const around = query('COMMIT', 0, 1)

  /** Counts how often rules look at what a span did. */
  const counting = (sketched: SketchedSegment) => {
    let reads = 0
    const segment = segmentOf(sketched)
    const spans = segment.spans.map((span) => {
      const { text } = span
      return Object.defineProperty({ ...span }, 'text', {
        get: () => {
          reads += 1
          return text
        },
      })
    })
    return { segment: { ...segment, spans }, reads: () => reads }
  }

  it.each<[string, SketchedSegment]>([
    ['queries alike', some(alike)],
    ['queries alike, all at once', some((index) => query(`SELECT * FROM t WHERE id = ${index}`, 0, SPANS))],
    [
      'seven queries in turn',
      some((index) => query(`SELECT * FROM t${index % 7} WHERE id = ${index}`, index, index + 1)),
    ],
    [
      'thousands of repetitions without a query before them, among commits',
      server(
        times(SPANS, (index) =>
          index % 2 === 0
            ? around
            : index % 12 === 1
              ? { ...alike(index), op: 'work' }
              : { ...alike(index), to: index + 60 },
        ),
        { to: SPANS },
      ),
    ],
    [
      'long statements that differ at their end',
      some((index) => query(`SELECT ${'a, '.repeat(300)} b${(index * index) % 97} FROM t`, index, index + 1), 5000),
    ],
    ['requests at once', page(times(SPANS, (index) => get(index, 0, 300)))],
    [
      'long frames of scripts with odd names',
      page(times(5000, () => frame(300, { 'code.filepath': '-1'.repeat(5000) }))),
    ],
    [
      'files on the main thread',
      server(
        times(SPANS, () => blockedFile(20)),
        { op: 'ui.load' },
      ),
    ],
  ])('%s: a few looks at each span', (_, sketched) => {
    const { segment, reads } = counting(sketched)
    expect(findIn(segment, SETTINGS).length).toBeLessThanOrEqual(10)
    expect(reads()).toBeLessThanOrEqual(100 * SPANS)
  })

  it('queries alike are one problem', () => {
    expect(found(some(alike)).map(({ detector }) => detector.id)).toEqual(['n_plus_one_db'])
  })
})
