// An application of a user that sends a large file with an error. Arguments: SDK alias, DSN, bytes. Prints the file's hash.
const { createHash, randomBytes } = require('node:crypto')
const [alias, dsn, bytes] = process.argv.slice(2)
const Sentry = require(alias)

Sentry.init({ dsn, tracesSampleRate: 0 })
const data = randomBytes(Number(bytes))

async function main() {
  const eventId = Sentry.captureException(new Error('the shop left its memory behind'), {
    attachments: [{ filename: 'heap.bin', data, contentType: 'application/octet-stream' }],
  })
  const isSent = await Sentry.flush(60_000)
  process.stdout.write(JSON.stringify({ eventId, isSent, sha256: createHash('sha256').update(data).digest('hex') }))
}

void main().then(() => process.exit(0))
