// An application of a user: an unmodified SDK, a DSN, and things that go wrong. Arguments: SDK alias, DSN.
const [alias, dsn] = process.argv.slice(2)
const word = { 7: 'seven', 8: 'eight', 9: 'nine', 10: 'ten', 11: 'eleven' }[alias.split('-').at(-1)]
const Sentry = require(alias)

Sentry.init({ dsn, release: `app@${alias}`, environment: 'e2e', tracesSampleRate: 0, sendDefaultPii: true })
Sentry.setUser({ id: '42', email: 'ann@example.com' })
Sentry.setTag('sdk.alias', alias)
Sentry.addBreadcrumb({ category: 'cart', message: 'lamp added', level: 'info' })

function chargeCard(order) {
  try {
    JSON.parse('{broken')
  } catch (cause) {
    throw new Error(`charge of order ${order} failed in ${word}`, { cause })
  }
}

async function main() {
  try {
    chargeCard(1000 + Math.floor(Math.random() * 1000))
  } catch (error) {
    Sentry.captureException(error)
  }
  Sentry.captureMessage(`stock is low says ${word}`, 'warning')
  await Sentry.flush(5000)
}

void main().then(() => process.exit(0))
