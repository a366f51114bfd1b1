import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { randomFrom } from '../events.ts'
import { envelopePath, turnsOf, type Sender } from './projects.ts'

/** Spans of a shop's services as SDK 11 streams them: unequal routes, unique ids and times, some attributes of its own. */

/** As many as a request of a shop makes. */
export const SPANS_PER_TRACE = 20
const ROUTES = 5000
const CUSTOM_KEYS = 1500
/** `@sentry/node` compresses larger bodies (protocol.md 1.5). */
const GZIP_FROM_BYTES = 32 * 1024

const typed = (values: Readonly<Record<string, string | number>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const type = typeof value === 'string' ? 'string' : Number.isInteger(value) ? 'integer' : 'double'
      return [name, { type, value }]
    }),
  )

const TABLES = ['orders', 'users', 'stock', 'carts', 'prices', 'sessions', 'payments', 'addresses']

const ROUTES_PER_AREA = 10
const AREAS = ROUTES / ROUTES_PER_AREA

interface Areas {
  readonly first: number
  readonly count: number
}

/** Projects have routes of their own. */
const areasOf = (place: number, projects: number): Areas => {
  const count = Math.max(1, Math.floor(AREAS / projects))
  return { first: (place * count) % AREAS, count }
}

const makeTrace = (random: () => number, now: number, areas: Areas): readonly unknown[] => {
  const traceId = randomBytes(16).toString('hex')
  const rootId = randomBytes(8).toString('hex')
  // Few routes are asked for often.
  const route = `/api/v1/area${areas.first + Math.floor(random() ** 3 * areas.count)}/:id/part${Math.floor(random() ** 2 * ROUTES_PER_AREA)}`
  const user = Math.floor(random() * 20_000)
  const start = now / 1000 - random() * 60
  const shared = {
    'sentry.segment.id': rootId,
    'sentry.segment.name': `GET ${route}`,
    'sentry.release': `shop@2026.11.${Math.floor(random() * 5)}`,
    'sentry.environment': 'production',
    'sentry.sdk.name': 'sentry.javascript.node',
    'sentry.sdk.version': '11.10.0',
    'user.id': String(user),
  }
  const children = Array.from({ length: SPANS_PER_TRACE - 1 }, (_, index) => {
    const table = TABLES[Math.floor(random() * TABLES.length)] ?? 'orders'
    const from = start + index * 0.004 + random() * 0.002
    return {
      trace_id: traceId,
      span_id: randomBytes(8).toString('hex'),
      parent_span_id: rootId,
      name: `SELECT "${table}"`,
      status: random() < 0.01 ? 'error' : 'ok',
      is_segment: false,
      start_timestamp: from,
      end_timestamp: from + random() * 0.02,
      attributes: typed({
        ...shared,
        'sentry.op': 'db',
        'sentry.origin': 'auto.db.postgres',
        'db.system.name': 'postgresql',
        'db.query.text': `SELECT * FROM ${table} WHERE id = $1 AND shop = ${Math.floor(random() * 1000)}`,
        'server.address': 'db.internal',
        'server.port': 5432,
        [`custom.key${Math.floor(random() * CUSTOM_KEYS)}`]: Math.floor(random() * 1e6),
      }),
    }
  })
  const root = {
    trace_id: traceId,
    span_id: rootId,
    name: `GET ${route}`,
    status: random() < 0.02 ? 'error' : 'ok',
    is_segment: true,
    start_timestamp: start,
    end_timestamp: start + 0.1 + random() ** 4 * 3,
    attributes: typed({
      ...shared,
      'sentry.op': 'http.server',
      'sentry.origin': 'auto.http.otel.http',
      'sentry.segment.name.source': 'route',
      'http.route': route,
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'url.full': `https://shop.example.com${route.replace(':id', String(user))}?page=${user % 7}`,
      'user_agent.original': 'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0',
    }),
  }
  return [...children, root]
}

/** Whole HTTP requests, each with the spans of a few traces. */
export const prepareSpanRequests = (
  senders: readonly Sender[],
  spans: number,
  tracesPerRequest = 5,
  seed = 11,
): Buffer[] => {
  const random = randomFrom(seed)
  const now = Date.now()
  const next = turnsOf(senders.length, seed)
  const perRequest = tracesPerRequest * SPANS_PER_TRACE
  return Array.from({ length: Math.ceil(spans / perRequest) }, () => {
    const place = next()
    const areas = areasOf(place, senders.length)
    const items = Array.from({ length: tracesPerRequest }, () => makeTrace(random, now, areas)).flat()
    const path = envelopePath(senders[place])
    const header = `{"sent_at":"${new Date(now).toISOString()}","sdk":{"name":"sentry.javascript.node","version":"11.10.0"}}`
    const item = `{"type":"span","item_count":${items.length},"content_type":"application/vnd.sentry.items.span.v2+json"}`
    const plain = Buffer.from(`${header}\n${item}\n${JSON.stringify({ version: 2, items })}`)
    const compress = plain.length > GZIP_FROM_BYTES
    const body = compress ? gzipSync(plain) : plain
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain;charset=UTF-8\r\nContent-Length: ${body.length}\r\n${compress ? 'Content-Encoding: gzip\r\n' : ''}\r\n`
    return Buffer.concat([Buffer.from(head, 'latin1'), body])
  })
}
