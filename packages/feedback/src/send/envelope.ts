import { dsnText, headerLine, itemParts } from '@firsthand/protocol/wire'
import { type ClientLike, dsnOfClient } from '../client.ts'
import type { FeedbackAttachment, FeedbackEvent } from '../options.ts'

/** One report, ready to go. Header and items stand apart because `sent_at` must be the moment of each attempt. */
export interface Report {
  readonly id: string
  /** Addresses, in the order to try. */
  readonly urls: readonly string[]
  readonly header: Readonly<Record<string, unknown>>
  readonly items: Blob
}

export const newEventId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Pages put anything into tags and contexts: what JSON cannot carry must not cost the report. */
const jsonOf = (event: FeedbackEvent): string => {
  try {
    return JSON.stringify(event)
  } catch {
    const seen = new WeakSet<object>()
    return JSON.stringify(event, (_, value: unknown) => {
      if (typeof value === 'bigint') return String(value)
      if (typeof value !== 'object' || value === null) return value
      if (seen.has(value)) return '[Circular]'
      seen.add(value)
      return value
    })
  }
}

/** One envelope: a `feedback` item, then its pictures (protocol.md 1.1). */
export const reportOf = (
  client: ClientLike,
  urls: readonly string[],
  event: FeedbackEvent,
  attachments: readonly FeedbackAttachment[] = [],
): Report => {
  const dsn = dsnOfClient(client)
  const sdk = client.getSdkMetadata?.()?.sdk
  // The event's JSON has no line feeds, so it needs no length.
  const items: [header: Record<string, unknown>, payload: BlobPart, length?: number][] = [
    [{ type: 'feedback' }, jsonOf(event)],
  ]
  for (const { filename, contentType, data } of attachments) {
    items.push([{ type: 'attachment', filename, content_type: contentType }, data, data.size])
  }
  return {
    id: event.event_id,
    urls,
    header: {
      event_id: event.event_id,
      ...(dsn && { dsn: dsnText(dsn) }),
      ...(sdk?.name && { sdk: { name: sdk.name, version: sdk.version } }),
    },
    items: new Blob(itemParts(items)),
  }
}

/** Bodies above this cannot be kept alive beyond the page (64 kB for all of a page, by the Fetch standard). */
const KEEPALIVE_BYTES = 60_000

/** One attempt at one address. Rejects when the browser has no answer: status 0. */
export const post = (report: Report, url: string): Promise<Response> => {
  const body = new Blob([headerLine({ ...report.header, sent_at: new Date().toISOString() }), report.items])
  return fetch(url, {
    method: 'POST',
    body,
    credentials: 'omit',
    referrerPolicy: 'strict-origin',
    keepalive: body.size < KEEPALIVE_BYTES,
  })
}
