import { type RecordedEvent, sendSegment } from './replays.ts'
import { newEventId, sendEvents } from './send.ts'
import { sendTransaction } from './transactions.ts'

/** A replay that has something for every tab beside the player. */
export interface VisitInFull {
  readonly replayId: string
  readonly traceId: string
  readonly errorId: string
  /** Milliseconds since the epoch; moments below count from there. */
  readonly startMs: number
}

type Node = Readonly<Record<string, unknown>>

let ids = 1
const words = (text: string): Node => ({ type: 3, id: (ids += 1), textContent: text })
const element = (tagName: string, attributes: Node, ...childNodes: readonly Node[]): Node => ({
  type: 2,
  id: (ids += 1),
  tagName,
  attributes,
  childNodes,
})

/** Of the button that does not answer. */
const BUTTON = 500
const BUY = {
  id: BUTTON,
  tagName: 'button',
  textContent: 'Go to checkout',
  attributes: { class: 'checkout', id: 'go' },
}

const STYLE = `body{font:16px sans-serif;margin:32px;color:#1c1b19;background:#fffdf8}h1{font-size:28px}
.line{display:flex;justify-content:space-between;border-top:1px solid #e5e3dd;padding:18px 0}
button{background:#c5761a;color:#fff;border:0;border-radius:6px;padding:14px 48px;font:600 16px sans-serif}`

const page = (at: number, href: string, title: string, ...body: readonly Node[]): readonly RecordedEvent[] => [
  { type: 4, timestamp: at, data: { href, width: 1280, height: 800 } },
  {
    type: 2,
    timestamp: at,
    data: {
      node: {
        type: 0,
        id: 1,
        childNodes: [
          element(
            'html',
            {},
            element('head', {}, element('title', {}, words(title)), element('style', {}, words(STYLE))),
            element('body', {}, ...body),
          ),
        ],
      },
      initialOffset: { top: 0, left: 0 },
    },
  },
]

const crumb = (at: number, category: string, more: Node): RecordedEvent => ({
  type: 5,
  timestamp: at,
  data: { tag: 'breadcrumb', payload: { type: 'default', category, timestamp: at / 1000, ...more } },
})

const span = (at: number, op: string, tookMs: number, more: Node): RecordedEvent => ({
  type: 5,
  timestamp: at / 1000,
  data: {
    tag: 'performanceSpan',
    payload: { op, description: '', startTimestamp: at / 1000, endTimestamp: (at + tookMs) / 1000, ...more },
  },
})

const SKIPPED = { headers: {}, size: 42, _meta: { warnings: ['URL_SKIPPED'] } }
const JSON_HEADERS = { 'content-type': 'application/json' }

const request = (at: number, method: string, url: string, tookMs: number, data: Node): RecordedEvent =>
  span(at, 'resource.fetch', tookMs, {
    description: `https://shop.example${url}`,
    data: { method, request: SKIPPED, response: SKIPPED, ...data },
  })

const LAMPS = ['Lamp Lykta', 'Pendant Dis', 'Globe Måne']

const eventsOf = (start: number): readonly RecordedEvent[] => {
  const click = { nodeId: BUTTON, node: BUY }
  const vain = { ...click, url: 'https://shop.example/cart', timeAfterClickMs: 7000, endReason: 'timeout' }
  const path = 'aside.summary > button#go.checkout'
  return [
    ...page(
      start,
      'https://shop.example/cart',
      'Your cart',
      element('h1', {}, words('Your cart')),
      ...LAMPS.map((lamp) => element('div', { class: 'line' }, words(lamp), element('b', {}, words('€ 59.00')))),
      element('p', {}, words('Total —')),
      { ...element('button', { class: 'checkout', id: 'go' }, words('Go to checkout')), id: BUTTON },
    ),
    request(start + 400, 'GET', '/api/cart', 84, {
      statusCode: 200,
      request: { headers: { accept: 'application/json' } },
      response: { headers: JSON_HEADERS, size: 48, body: { lines: [{ lamp: 'Lykta', count: 2 }], total: null } },
    }),
    request(start + 900, 'GET', '/api/recommend?sku=lykta', 640, { statusCode: 200 }),
    span(start + 1900, 'memory', 0, { data: { memory: { usedJSHeapSize: 18_400_000 } } }),
    request(start + 2000, 'POST', '/api/cart/voucher', 2080, {
      statusCode: 200,
      request: { headers: JSON_HEADERS, size: 19, body: '{"voucher":"LAMP"}' },
      response: { headers: JSON_HEADERS, size: 12, body: '{"total":nu', _meta: { warnings: ['INVALID_JSON'] } },
    }),
    crumb(start + 4600, 'console', { level: 'error', message: 'summary not drawn, 3 lines without price' }),
    crumb(start + 5000, 'ui.click', { message: path, data: click }),
    crumb(start + 5000, 'ui.slowClickDetected', { message: path, data: { ...vain, clickCount: 5 } }),
    { type: 3, timestamp: start + 5000, data: { source: 2, type: 2, id: BUTTON, x: 100, y: 300 } },
    request(start + 5200, 'POST', '/api/checkout', 190, { statusCode: 409 }),
    span(start + 6900, 'memory', 0, { data: { memory: { usedJSHeapSize: 31_900_000 } } }),
    span(start + 8900, 'memory', 0, { data: { memory: { usedJSHeapSize: 24_100_000 } } }),
    crumb(start + 9000, 'replay.throttled', { level: 'warning', data: {} }),
    { type: 3, timestamp: start + 10_000, data: { source: 2, type: 0, id: BUTTON, x: 110, y: 310 } },
  ]
}

/** @param startMs a minute ago by default */
export const sendVisitInFull = async (dsn: string, startMs = Date.now() - 60_000): Promise<VisitInFull> => {
  const [replayId, traceId, errorId] = [newEventId(), newEventId(), newEventId()]
  await sendSegment(dsn, replayId, 0, eventsOf(startMs), {
    urls: ['https://shop.example/cart'],
    trace_ids: [traceId],
    error_ids: [errorId],
    user: { id: `visitor-${replayId}`, username: 'Marta Silva' },
    release: '2026.11.2',
    environment: 'production',
    tags: { plan: 'paid' },
  })
  await sendEvents(dsn, [
    {
      event_id: errorId,
      timestamp: (startMs + 4500) / 1000,
      level: 'error',
      exception: { values: [{ type: 'TypeError', value: 'Cannot read properties of undefined' }] },
      contexts: { replay: { replay_id: replayId } },
    },
  ])
  await sendTransaction(dsn, {
    traceId,
    startMs: startMs + 2000,
    root: {
      op: 'http.server',
      name: 'POST /api/cart/voucher',
      from: 0,
      to: 2050,
      children: [
        { op: 'db.sql.query', name: 'SELECT voucher', from: 20, to: 1900 },
        { op: 'cache.get', name: 'cart', from: 1910, to: 1930 },
      ],
    },
  })
  return { replayId, traceId, errorId, startMs }
}
