import { describe, expect, it } from 'vitest'
import { findIn, query, request, segmentOf, times, type SketchedSegment, type SketchedSpan } from './spans.fixture.ts'
import { resolveSettings, UNCHANGED } from './settings.ts'

const SETTINGS = resolveSettings(UNCHANGED)

const found = (segment: SketchedSegment) => findIn(segmentOf(segment), SETTINGS)
const namesOf = (segment: SketchedSegment): string[] => found(segment).map(({ detector }) => detector.id)

const server = (children: readonly SketchedSpan[], more: Partial<SketchedSegment> = {}): SketchedSegment => ({
  op: 'http.server',
  name: 'GET /orders',
  from: 0,
  to: 1000,
  children,
  ...more,
})

const page = (children: readonly SketchedSpan[], more: Partial<SketchedSegment> = {}): SketchedSegment => ({
  op: 'pageload',
  name: '/orders',
  from: 0,
  to: 5000,
  sdkName: 'sentry.javascript.browser',
  children,
  ...more,
})

const source = query('SELECT * FROM orders', 0, 10)
const item = (index: number, took = 12, from = 20): SketchedSpan =>
  query(`SELECT * FROM items WHERE order_id = ${index}`, from + index * (took + 1), from + index * (took + 1) + took)
const asset = (name: string, from: number, to: number, encoded: number, decoded: number, more = {}): SketchedSpan => ({
  op: name.endsWith('.css') ? 'resource.css' : 'resource.script',
  name,
  from,
  to,
  facts: {
    'http.response.body.size': encoded,
    'http.decoded_response_content_length': decoded,
    'http.response_transfer_size': encoded + 300,
    ...more,
  },
})
const compressed = asset('https://shop.example.com/small.js', 0, 50, 1000, 4000)
const large = asset('https://shop.example.com/large.js', 0, 400, 600_000, 600_000)
const withPaint = (ms: number) => ({ facts: { 'browser.web_vital.fcp.value': ms } })
const blocking = asset('https://shop.example.com/blocks.css', 0, 1500, 700_000, 1_400_000)
const frame = (took: number, facts = {}): SketchedSpan => ({
  op: 'ui.long-animation-frame',
  name: 'Main UI thread blocked',
  from: 100,
  to: 100 + took,
  facts: { 'code.filepath': 'https://shop.example.com/app.js', 'code.function': 'render', ...facts },
})
const blockedFile = (took: number, more: Partial<SketchedSpan> = {}): SketchedSpan => ({
  op: 'file.read',
  name: '/data/cart.json',
  from: 0,
  to: took,
  facts: { blocked_main_thread: true },
  ...more,
})
const get = (index: number, from: number, to: number): SketchedSpan =>
  request(`GET https://api.example.com/items/${index}`, from, to)
const slowGet = (host: string, index: number): SketchedSpan =>
  request(`GET https://${host}.example.com/part${'abc'.charAt(index)}`, index * 1100, index * 1100 + 1000)
const payload = (bytes: number, took: number, url = 'https://api.example.com/export'): SketchedSpan =>
  request(`GET ${url}`, 0, took, { 'http.response.body.size': bytes })

interface Case {
  readonly detector: string
  readonly positive: SketchedSegment
  /** What is missing → a segment that lacks it. */
  readonly misses: Readonly<Record<string, SketchedSegment>>
}

const CASES: readonly Case[] = [
  {
    detector: 'n_plus_one_db',
    positive: server([source, ...times(5, (index) => item(index))]),
    misses: {
      'four of them': server([source, ...times(4, (index) => item(index, 30))]),
      'less than 50 ms': server([source, ...times(9, (index) => item(index, 5))]),
      'no query before': server(times(5, (index) => item(index))),
      'something else in between': server([
        source,
        ...times(5, (index) => [
          item(index),
          request('GET https://a.example.com/x', 33 + index * 13, 33 + index * 13),
        ]).flat(),
      ]),
      Redis: server([
        source,
        ...times(9, (index) => query(`GET item:${index}`, 20 + index * 20, 35 + index * 20, { system: 'redis' })),
      ]),
      'a hundredth of the request': server([source, ...times(5, (index) => item(index))], { to: 60_000 }),
    },
  },
  {
    detector: 'mn_plus_one_db',
    positive: server([
      source,
      ...times(4, (index) => ({
        op: 'function',
        name: 'render row',
        from: 20 + index * 30,
        to: 45 + index * 30,
        children: [query(`SELECT * FROM items WHERE id = ${index}`, 22 + index * 30, 44 + index * 30)],
      })),
    ]),
    misses: {
      'twice only': server(
        times(2, (index) => ({
          op: 'function',
          name: 'render row',
          from: index * 300,
          to: 250 + index * 300,
          children: [query(`SELECT * FROM items WHERE id = ${index}`, index * 300, 200 + index * 300)],
        })),
      ),
      'no query in it': server(
        times(4, (index) => ({
          op: 'function',
          name: 'render row',
          from: index * 30,
          to: 25 + index * 30,
          children: [{ op: 'template', name: 'row', from: index * 30, to: 20 + index * 30 }],
        })),
      ),
      'hardly any of it is queries': server(
        times(4, (index) => ({
          op: 'function',
          name: 'render row',
          from: index * 200,
          to: 190 + index * 200,
          children: [query(`SELECT * FROM items WHERE id = ${index}`, index * 200, 1 + index * 200)],
        })),
      ),
    },
  },
  {
    detector: 'consecutive_db',
    positive: server([
      query('SELECT * FROM shops', 0, 150),
      query('SELECT * FROM taxes', 150, 300),
      query('SELECT * FROM users WHERE id = 1', 300, 400),
    ]),
    misses: {
      'they overlap': server([query('SELECT * FROM shops', 0, 150), query('SELECT * FROM taxes', 10, 160)]),
      'each needs something': server([
        query('SELECT * FROM shops WHERE id = 1', 0, 150),
        query('SELECT * FROM taxes WHERE id = 2', 150, 300),
      ]),
      'less than 100 ms to save': server([query('SELECT * FROM shops', 0, 90), query('SELECT * FROM taxes', 90, 180)]),
      'PHP runs one after another': server(
        [query('SELECT * FROM shops', 0, 150), query('SELECT * FROM taxes', 150, 300)],
        { sdkName: 'sentry.php.laravel' },
      ),
    },
  },
  {
    detector: 'slow_db',
    positive: server([query('SELECT * FROM orders WHERE total > 5', 0, 1200)], { to: 1500 }),
    misses: {
      'not slow enough': server([query('SELECT * FROM orders WHERE total > 5', 0, 990)], { to: 1500 }),
      'no SELECT': server([query('UPDATE orders SET a = 1', 0, 1200)], { to: 1500 }),
      'cut off': server([query('SELECT * FROM orders WHERE…', 0, 1200)], { to: 1500 }),
    },
  },
  {
    detector: 'n_plus_one_api',
    positive: page(times(6, (index) => get(index + 10, index * 10, 300 + index * 10))),
    misses: {
      'four of them': page(times(4, (index) => get(index + 10, index * 10, 300 + index * 10))),
      'not at once': page(times(6, (index) => get(index + 10, index * 20, 300 + index * 20))),
      'one address': page(times(6, (index) => get(10, index * 10, 300 + index * 10))),
      'on a server': server(times(6, (index) => get(index + 10, index * 10, 300 + index * 10))),
      pictures: page(
        times(6, (index) => request(`GET https://a.example.com/${index}.png`, index * 10, 300 + index * 10)),
      ),
    },
  },
  {
    detector: 'consecutive_http',
    positive: server(
      times(3, (index) => slowGet('a', index)),
      { to: 4000 },
    ),
    misses: {
      'two of them': server(
        times(2, (index) => slowGet('a', index)),
        { to: 4000 },
      ),
      'quick ones': server(
        times(3, (index) => request(`GET https://a.example.com/p${index}`, index * 500, index * 500 + 450)),
        { to: 4000 },
      ),
      'three hosts': server(
        times(3, (index) => slowGet('abc'.charAt(index), index)),
        { to: 4000 },
      ),
      'in a browser': page(times(3, (index) => slowGet('a', index))),
    },
  },
  {
    detector: 'large_payload',
    positive: server([payload(800_000, 300)]),
    misses: {
      'not as large': server([payload(300_000, 300)]),
      quick: server([payload(800_000, 90)]),
      'a file': server([payload(800_000, 300, 'https://api.example.com/export.pdf')]),
    },
  },
  {
    detector: 'uncompressed_asset',
    positive: page([compressed, large]),
    misses: {
      'nothing was compressed': page([large]),
      'from the cache': page([
        compressed,
        asset('https://a.example.com/l.js', 0, 400, 600_000, 600_000, { 'http.response_transfer_size': 0 }),
      ]),
      small: page([compressed, asset('https://a.example.com/l.js', 0, 400, 400_000, 400_000)]),
      quick: page([compressed, asset('https://a.example.com/l.js', 0, 200, 600_000, 600_000)]),
    },
  },
  {
    detector: 'render_blocking',
    positive: page([blocking], withPaint(3000)),
    misses: {
      'painted soon': page([blocking], withPaint(1900)),
      'ended after the paint': page([{ ...blocking, from: 2000, to: 3500 }], withPaint(3000)),
      'blocks nothing': page(
        [{ ...blocking, facts: { ...blocking.facts, 'resource.render_blocking_status': 'non-blocking' } }],
        withPaint(3000),
      ),
      quick: page([{ ...blocking, to: 900 }], withPaint(3000)),
    },
  },
  {
    detector: 'long_task',
    positive: page([frame(300)]),
    misses: {
      shorter: page([frame(240)]),
      'nobody knows which script': page([frame(300, { 'code.filepath': '', 'code.function': '' })]),
      'it hardly blocked': page([frame(300, { 'browser.long_animation_frame.blocking_duration': 20 })]),
    },
  },
  {
    detector: 'file_io_main_thread',
    positive: server([blockedFile(20)], { op: 'ui.load', sdkName: 'sentry.cocoa' }),
    misses: {
      'within a frame': server([blockedFile(15)], { op: 'ui.load' }),
      'another thread': server([blockedFile(20, { facts: { blocked_main_thread: false } })], { op: 'ui.load' }),
      'part of the app': server([blockedFile(20, { name: '/app/Main.nib' })], { op: 'ui.load' }),
    },
  },
  {
    detector: 'db_main_thread',
    positive: server([query('SELECT * FROM cart WHERE id = 1', 0, 20, { facts: { blocked_main_thread: true } })], {
      op: 'ui.load',
    }),
    misses: {
      'within a frame': server([query('SELECT * FROM cart', 0, 15, { facts: { blocked_main_thread: true } })], {
        op: 'ui.load',
      }),
      'another thread': server([query('SELECT * FROM cart', 0, 20)], { op: 'ui.load' }),
      'no query': server([blockedFile(20, { op: 'function', name: 'work' })], { op: 'ui.load' }),
    },
  },
]

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
