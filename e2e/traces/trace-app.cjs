/**
 * A service in a process of its own, with an SDK as it is published: `node trace-app.cjs <SDK> <DSN> <next URL or ->`.
 * It answers each request once it has asked its database (a span) and the next service, and prints its port.
 */
const [, , alias, dsn, next] = process.argv
const Sentry = require(alias)

Sentry.init({
  dsn,
  tracesSampleRate: 1,
  release: `shop@${alias}`,
  environment: 'e2e',
  tracePropagationTargets: [/^http:\/\/127\.0\.0\.1/],
})

const http = require('node:http')

const get = (url) =>
  new Promise((resolve, reject) => {
    http.get(url, (response) => response.resume().on('end', resolve)).on('error', reject)
  })

const query = () =>
  Sentry.startSpan(
    { name: 'SELECT * FROM orders WHERE id = 42', op: 'db', attributes: { 'db.system': 'postgresql' } },
    () => new Promise((resolve) => setTimeout(resolve, 20)),
  )

const server = http.createServer((request, response) => {
  const work = async () => {
    await query()
    if (next !== '-') await get(`${next}/stock/17`)
    else Sentry.captureException(new Error(`no stock in ${alias}`))
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
