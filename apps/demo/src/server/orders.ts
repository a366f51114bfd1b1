import { setTimeout as wait } from 'node:timers/promises'
import { Hono } from 'hono'

/** Orders of this product fail: its price is in a currency that the shop has no rate for. */
const BROKEN_PRODUCT = 'moon-teapot'
const SLOW_MS = 3000
const DELIVERY_DAYS = 3

interface Order {
  readonly items?: readonly { readonly id?: unknown }[]
}

/** The part of the shop that has a server: it takes orders, and fails where the demo wants it to. */
export const createOrders = (): Hono => {
  const orders = new Hono()
  orders.post('/orders', async (context) => {
    const order = await context.req.json<Order>().catch((): Order => ({}))
    if (!Array.isArray(order.items) || order.items.length === 0)
      return context.json({ error: 'The basket is empty.' }, 400)
    if (order.items.some((item: { id?: unknown }) => item.id === BROKEN_PRODUCT)) {
      return context.json({ error: 'No exchange rate for currency "LUN".' }, 500)
    }
    return context.json({ number: `K-${1000 + Math.floor(Math.random() * 9000)}`, days: DELIVERY_DAYS })
  })
  orders.get('/broken', (context) => context.json({ error: 'The stock service does not answer.' }, 500))
  orders.get('/slow', async (context) => {
    await wait(SLOW_MS)
    return context.json({ took: SLOW_MS })
  })
  return orders
}
