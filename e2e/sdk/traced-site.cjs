/**
 * A site in a process of its own, whose server reports with an SDK as it is published: `node traced-site.cjs <SDK> <DSN>
 * <script> <policy>`. `/?rate=0.5` is a page with a script tag of
 * that sample rate, `/app.js` its script, anything else asks a database (a span). Prints
 * its port.
 */
const [, , alias, dsn, script, policy] = process.argv
const Sentry = require(alias)

Sentry.init({ dsn, tracesSampleRate: 1, release: `shop@${alias}` })

const http = require('node:http')

const PAGE = `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>A shop</title>
<h1>Teas of the season, and the pots that go with them</h1>
${script}
<button id="stock">Is it there?</button> <button id="basket">Basket</button>
<script src="/app.js"></script>`

/** A button that keeps the page busy before it asks, and one that goes to another view. */
const APP = `
document.querySelector('#stock').addEventListener('click', () => {
  const until = performance.now() + 150
  while (performance.now() < until);
  fetch('/stock/17').then((answer) => answer.text()).then((text) => (document.title = text))
})
document.querySelector('#basket').addEventListener('click', () => history.pushState(null, '', '/basket/12345'))
`

const query = () =>
  Sentry.startSpan({ name: 'SELECT * FROM stock', op: 'db', attributes: { 'db.system': 'postgresql' } }, () => null)

const server = http.createServer((request, response) => {
  response.setHeader('content-security-policy', policy)
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  if (pathname === '/') {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    return response.end(PAGE.replace('%RATE%', searchParams.get('rate')))
  }
  if (pathname === '/app.js') return response.setHeader('content-type', 'text/javascript').end(APP)
  query()
  response.end('in stock')
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
