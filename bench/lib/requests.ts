import { gzipSync } from 'node:zlib'
import type { EventFactory } from '../events.ts'
import type { Account } from '../../tools/harness/server.ts'

/** Above this size `@sentry/node` compresses its bodies (protocol.md 1.5). */
const GZIP_FROM_BYTES = 32 * 1024

/** Whole HTTP requests as the JavaScript SDKs send them, ready for the socket: plain below 32 KiB, gzip above. */
export const prepareRequests = (factory: EventFactory, account: Account, count: number, firstIndex = 0): Buffer[] => {
  const key = new URL(account.dsn).username
  const path = `/api/${account.projectId}/envelope/?sentry_version=7&sentry_key=${key}&sentry_client=sentry.javascript.node%2F11.10.0`
  return Array.from({ length: count }, (_, offset) => {
    const now = Date.now()
    const event = factory.make(firstIndex + offset, now)
    const eventId = event.slice(13, 45)
    const header = `{"event_id":"${eventId}","sent_at":"${new Date(now).toISOString()}","sdk":{"name":"sentry.javascript.node","version":"11.10.0"}}`
    const plain = Buffer.from(`${header}\n{"type":"event"}\n${event}`)
    const compress = plain.length > GZIP_FROM_BYTES
    const body = compress ? gzipSync(plain) : plain
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain;charset=UTF-8\r\nContent-Length: ${body.length}\r\n${compress ? 'Content-Encoding: gzip\r\n' : ''}\r\n`
    return Buffer.concat([Buffer.from(head, 'latin1'), body])
  })
}
