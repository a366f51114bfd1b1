import { setTimeout as wait } from 'node:timers/promises'
import { Hono } from 'hono'
import { envelopeUrlOf, sendEnvelope } from './envelope.ts'
import { newId, newSpanId, type SpanPart, transactionEvent } from './traces.ts'

/** Orders of this product fail: its price is in a currency that the shop has no rate for. */
const BROKEN_PRODUCT = 'moon-teapot'
const SLOW_MS = 3000
const DELIVERY_DAYS = 3
/** How long the shop's imagined database and cache take, in milliseconds. */
const STOCK_MS = 18
const RATE_MS = 3
const WRITE_MS = 24

interface OrderBody {
  readonly items?: readonly { readonly id?: unknown }[]
}

interface Reporting {
  readonly dsn: string
  readonly release: string
}

/** Of the header that SDKs send along: `trace-span-sampled`. */
const TRACE_HEADER = /^([0-9a-f]{32})-([0-9a-f]{16})(?:-[01])?$/

/** One request's work, measured and sent as SDKs of servers do, in the trace of the page that asked. */
const createRecord = (header: string | undefined) => {
  const [, traceId = newId(), parentSpanId] = TRACE_HEADER.exec(header ?? '') ?? []
  const begun = performance.now()
  const start = Date.now() / 1000
  const parts: SpanPart[] = []
  return {
    step: async (op: string, description: string, milliseconds: number): Promise<void> => {
      const from = (performance.now() - begun) / 1000
      await wait(milliseconds)
      parts.push({ op, description, from, seconds: (performance.now() - begun) / 1000 - from })
    },
    send: async (status: number, { dsn, release }: Reporting): Promise<void> => {
      const eventId = newId()
      const transaction = {
        traceId,
        parentSpanId,
        spanId: newSpanId(),
        name: 'POST /api/orders',
        op: 'http.server',
        source: 'route',
        platform: 'node',
        start,
        seconds: (performance.now() - begun) / 1000,
        status: status < 500 ? 'ok' : 'internal_error',
        release,
        parts,
      } as const
      await sendEnvelope(envelopeUrlOf(dsn), eventId, [
        [{ type: 'transaction' }, transactionEvent(transaction, eventId)],
      ])
    },
  }
}

/** The part of the shop that has a server: it takes orders, and fails where the demo wants it to. */
export const createOrders = (reporting: Reporting): Hono => {
  const orders = new Hono()
  orders.post('/orders', async (context) => {
    const record = createRecord(context.req.header('sentry-trace'))
    const order = await context.req.json<OrderBody>().catch((): OrderBody => ({}))
    const answer = async () => {
      if (!Array.isArray(order.items) || order.items.length === 0)
        return context.json({ error: 'The basket is empty.' }, 400)
      await record.step('db', 'SELECT count FROM stock WHERE product = ?', STOCK_MS)
      await record.step('cache.get', 'rate:EUR', RATE_MS)
      if (order.items.some((item: { id?: unknown }) => item.id === BROKEN_PRODUCT))
        return context.json({ error: 'No exchange rate for currency "LUN".' }, 500)
      await record.step('db', 'INSERT INTO orders (number, items) VALUES (?, ?)', WRITE_MS)
      return context.json({ number: `K-${1000 + Math.floor(Math.random() * 9000)}`, days: DELIVERY_DAYS })
    }
    const answered = await answer()
    // The shop goes on selling when nobody listens to its reports.
    record.send(answered.status, reporting).catch((error) => process.stderr.write(`demo: ${String(error)}\n`))
    return answered
  })
  orders.get('/broken', (context) => context.json({ error: 'The stock service does not answer.' }, 500))
  orders.get('/slow', async (context) => {
    await wait(SLOW_MS)
    return context.json({ took: SLOW_MS })
  })
  return orders
}
