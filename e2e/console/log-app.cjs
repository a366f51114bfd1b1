/**
 * A program that logs, with the SDK as it is published: `node log-app.cjs <DSN>`. Reads words on its standard input and
 * logs one line for each, within a span whose trace it prints.
 */
const [, , dsn] = process.argv
const Sentry = require('sentry-node-11')

Sentry.init({ dsn, tracesSampleRate: 1, enableLogs: true, release: 'shop@11', environment: 'e2e' })

const lines = require('node:readline').createInterface({ input: process.stdin })
lines.on('line', (word) => {
  Sentry.startNewTrace(() =>
    Sentry.startSpan({ name: 'pour', op: 'function' }, (span) => {
      Sentry.logger.info(Sentry.logger.fmt`poured ${word}`, { cup: word, sugar: 2, hot: true })
      if (word === 'cold') Sentry.logger.error('the tea is cold', { cup: word })
      process.stdout.write(`${span.spanContext().traceId}\n`)
    }),
  )
  void Sentry.flush(10_000)
})
