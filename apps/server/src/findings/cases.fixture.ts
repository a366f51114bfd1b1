import { query, request, times, type SketchedSegment, type SketchedSpan } from './spans.fixture.ts'

/** For each rule a segment that has its problem, and such as just have it not. */

export const server = (children: readonly SketchedSpan[], more: Partial<SketchedSegment> = {}): SketchedSegment => ({
  op: 'http.server',
  name: 'GET /orders',
  from: 0,
  to: 1000,
  children,
  ...more,
})

export const page = (children: readonly SketchedSpan[], more: Partial<SketchedSegment> = {}): SketchedSegment => ({
  op: 'pageload',
  name: '/orders',
  from: 0,
  to: 5000,
  sdkName: 'sentry.javascript.browser',
  children,
  ...more,
})

export const source = query('SELECT * FROM orders', 0, 10)
export const item = (index: number, took = 12, from = 20): SketchedSpan =>
  query(`SELECT * FROM items WHERE order_id = ${index}`, from + index * (took + 1), from + index * (took + 1) + took)
export const asset = (
  name: string,
  from: number,
  to: number,
  encoded: number,
  decoded: number,
  more = {},
): SketchedSpan => ({
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
export const compressed = asset('https://shop.example.com/small.js', 0, 50, 1000, 4000)
const large = asset('https://shop.example.com/large.js', 0, 400, 600_000, 600_000)
export const withPaint = (ms: number) => ({ facts: { 'browser.web_vital.fcp.value': ms } })
const blocking = asset('https://shop.example.com/blocks.css', 0, 1500, 700_000, 1_400_000)
export const frame = (took: number, facts = {}): SketchedSpan => ({
  op: 'ui.long-animation-frame',
  name: 'Main UI thread blocked',
  from: 100,
  to: 100 + took,
  facts: { 'code.filepath': 'https://shop.example.com/app.js', 'code.function': 'render', ...facts },
})
export const blockedFile = (took: number, more: Partial<SketchedSpan> = {}): SketchedSpan => ({
  op: 'file.read',
  name: '/data/cart.json',
  from: 0,
  to: took,
  facts: { blocked_main_thread: true },
  ...more,
})
export const get = (index: number, from: number, to: number): SketchedSpan =>
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

export const CASES: readonly Case[] = [
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
