/**
 * A service in a process of its own, with an SDK as it is published: `node findings-app.cjs <SDK> <DSN>`. For each order it
 * asks its database once for the order and then once for each of its items, and prints its port.
 */
const [, , alias, dsn] = process.argv
const Sentry = require(alias)

Sentry.init({ dsn, tracesSampleRate: 1, release: 'shop@1.2.3', environment: 'e2e' })

const http = require('node:http')

const query = (name) =>
  Sentry.startSpan(
    { name, op: 'db', attributes: { 'db.system': 'postgresql' } },
    () => new Promise((resolve) => setTimeout(resolve, 20)),
  )

const server = http.createServer((request, response) => {
  const order = Number(request.url.split('/').pop())
  const work = async () => {
    await query(`SELECT * FROM orders WHERE id = ${order}`)
    for (let item = 0; item < 6; item += 1) {
      await query(`SELECT name, price FROM items WHERE order_id = ${order} AND place = ${item}`)
    }
  }
  work().then(
    () => response.end('ok'),
    (error) => response.writeHead(500).end(String(error)),
  )
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
process.on('SIGTERM', () => {
  Sentry.close(5000).then(() => process.exit(0))
})
