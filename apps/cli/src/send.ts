/**
 * `firsthand send`: one test event, sent as an SDK sends it, and what the server said to it.
 * Exit codes: 0 accepted, 1 refused or unreachable, 2 wrong usage.
 */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { originOf, parseDsnParts, serializeEnvelope } from '@firsthand/protocol'
import { fail, reasonOf } from './said.ts'

const TIMEOUT_MS = 10_000

const readOptions = () => {
  try {
    return parseArgs({
      options: {
        dsn: { type: 'string' },
        message: { type: 'string', default: 'A test event of Firsthand' },
        level: { type: 'string', default: 'error' },
        release: { type: 'string' },
        environment: { type: 'string', default: 'production' },
      },
      strict: true,
    }).values
  } catch (error) {
    return fail(reasonOf(error), 2)
  }
}

const options = readOptions()
const given = options.dsn ?? process.env['SENTRY_DSN'] ?? ''
const dsn = parseDsnParts(given)
if (dsn === undefined)
  fail('send needs a DSN: `firsthand send --dsn http://KEY@HOST/PROJECT`, or SENTRY_DSN in the environment.', 2)
else {
  const eventId = randomBytes(16).toString('hex')
  const now = Date.now()
  const event = {
    event_id: eventId,
    timestamp: now / 1000,
    platform: 'node',
    level: options.level,
    environment: options.environment,
    ...(options.release !== undefined && { release: options.release }),
    tags: { source: 'firsthand-cli' },
    exception: {
      values: [
        {
          type: 'FirsthandTestError',
          value: options.message,
          mechanism: { type: 'generic', handled: true },
          stacktrace: {
            frames: [
              { filename: 'firsthand/send.ts', function: 'main', lineno: 1, in_app: true },
              { filename: 'firsthand/send.ts', function: 'sendTestEvent', lineno: 2, in_app: true },
            ],
          },
        },
      ],
    },
  }
  const body = serializeEnvelope({ event_id: eventId, sent_at: new Date(now).toISOString(), dsn: given }, [
    { header: { type: 'event' }, payload: new TextEncoder().encode(JSON.stringify(event)) },
  ])
  const url = `${originOf(dsn)}/api/${dsn.projectId}/envelope/`
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: Buffer.from(body),
      headers: {
        'content-type': 'application/x-sentry-envelope',
        'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${dsn.publicKey}, sentry_client=firsthand.cli/0.1.0`,
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const answer = await response.text()
    if (response.status === 200) process.stdout.write(`accepted: event ${eventId}\n`)
    else fail(`the server answered ${response.status}: ${answer}`, 1)
  } catch (error) {
    fail(`${url} cannot be reached (${reasonOf(error)}). Is the server running, and is the DSN's host right?`, 1)
  }
}
