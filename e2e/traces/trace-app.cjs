/**
 * A service in a process of its own, with an SDK as it is published: `node trace-app.cjs <SDK> <DSN> <URL …>`. It answers
 * each request once it has asked its database (a span) and the services behind it, one after the other, with what the first
 * of them answered. One that has none behind it answers with the tags by which a page goes on with its trace. Prints its port.
 */
const [, , alias, dsn, ...behind] = process.argv
const Sentry = require(alias)

Sentry.init({
  dsn,
  tracesSampleRate: 1,
  release: `shop@${alias}`,
  environment: 'e2e',
  tracePropagationTargets: [/^http:\/\/127\.0\.0\.1/],
  // For services that speak OpenTelemetry; older SDKs do not know it.
  propagateTraceparent: true,
})

const http = require('node:http')

const get = (url) =>
  new Promise((resolve, reject) => {
    const read = (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => (text += part))
      response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))))
    }
    http.get(url, read).on('error', reject)
  })

const query = () =>
  Sentry.startSpan(
    { name: 'SELECT * FROM orders WHERE id = 42', op: 'db', attributes: { 'db.system': 'postgresql' } },
    () => new Promise((resolve) => setTimeout(resolve, 20)),
  )

const server = http.createServer((request, response) => {
  const work = async () => {
    await query()
    const answers = []
    for (const url of behind) answers.push(await get(`${url}/stock/17`))
    if (answers.length > 0) return answers[0]
    Sentry.captureException(new Error(`no stock in ${alias}`))
    return Sentry.getTraceMetaTags()
  }
  work().then(
    (text) => response.end(text),
    (error) => response.writeHead(500).end(String(error)),
  )
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
process.on('SIGTERM', () => {
  Sentry.close(5000).then(() => process.exit(0))
})
