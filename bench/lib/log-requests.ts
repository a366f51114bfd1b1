import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { randomFrom } from '../events.ts'
import { envelopePath, turnsOf, type Sender } from './projects.ts'

/** Log lines of a shop's services as SDK 11 sends them: unequal messages, unique ids and times, attributes of their own. */

/** As many as an SDK gathers. */
export const LINES_PER_REQUEST = 100
const CUSTOM_KEYS = 1500
/** `@sentry/node` compresses larger bodies (protocol.md 1.5). */
const GZIP_FROM_BYTES = 32 * 1024

const LEVELS = ['debug', 'info', 'info', 'info', 'info', 'info', 'warn', 'error'] as const
const LOGGERS = ['http.access', 'orders.reserve', 'cache', 'stock.lock', 'mail', 'jobs']

const typed = (values: Readonly<Record<string, string | number>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const type = typeof value === 'string' ? 'string' : Number.isInteger(value) ? 'integer' : 'double'
      return [name, { type, value }]
    }),
  )

const makeLine = (random: () => number, now: number, traceId: string, sequence: number): unknown => {
  const order = Math.floor(random() * 1e6)
  const route = `/api/v1/area${Math.floor(random() ** 3 * 500)}/${order}`
  return {
    timestamp: now / 1000 - random() * 60,
    trace_id: traceId,
    span_id: randomBytes(8).toString('hex'),
    level: LEVELS[Math.floor(random() * LEVELS.length)],
    body: `GET ${route} answered in ${Math.floor(random() * 900)} ms for user ${Math.floor(random() * 20_000)}`,
    attributes: typed({
      'sentry.release': `shop@2026.11.${Math.floor(random() * 5)}`,
      'sentry.environment': 'production',
      'sentry.sdk.name': 'sentry.javascript.node',
      'sentry.sdk.version': '11.10.0',
      'sentry.origin': 'auto.log.console',
      'sentry.timestamp.sequence': sequence,
      'server.address': `api-${Math.floor(random() * 40)}.internal`,
      'logger.name': LOGGERS[Math.floor(random() * LOGGERS.length)] ?? 'main',
      'order.id': order,
      [`custom.key${Math.floor(random() * CUSTOM_KEYS)}`]: Math.floor(random() * 1e6),
    }),
  }
}

/** Whole HTTP requests, each with the lines of a few traces. */
export const prepareLogRequests = (senders: readonly Sender[], lines: number, seed: number): Buffer[] => {
  const random = randomFrom(seed)
  const now = Date.now()
  const next = turnsOf(senders.length, seed)
  return Array.from({ length: Math.ceil(lines / LINES_PER_REQUEST) }, () => {
    const traces = Array.from({ length: 8 }, () => randomBytes(16).toString('hex'))
    const items = Array.from({ length: LINES_PER_REQUEST }, (_, index) =>
      makeLine(random, now, traces[index % traces.length] ?? '', index),
    )
    const path = envelopePath(senders[next()])
    const header = '{"sdk":{"name":"sentry.javascript.node","version":"11.10.0"}}'
    const item = `{"type":"log","item_count":${items.length},"content_type":"application/vnd.sentry.items.log+json"}`
    const plain = Buffer.from(`${header}\n${item}\n${JSON.stringify({ version: 2, items })}`)
    const compress = plain.length > GZIP_FROM_BYTES
    const body = compress ? gzipSync(plain) : plain
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain;charset=UTF-8\r\nContent-Length: ${body.length}\r\n${compress ? 'Content-Encoding: gzip\r\n' : ''}\r\n`
    return Buffer.concat([Buffer.from(head, 'latin1'), body])
  })
}
