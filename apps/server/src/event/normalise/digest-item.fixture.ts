import { DEFAULT_PROJECT_SETTINGS } from '../../accounts/settings.ts'
import type { DigestItem, Sender } from '../../ingest/road.ts'
import type { NormalisedEvent } from '../event.ts'
import { normalise } from './index.ts'

/** Test helpers: an item as the digest hands it over, with a fixed clock and sender. */
export const RECEIVED_AT = Date.parse('2026-11-20T22:23:00.000Z')
export const RECEIVED = RECEIVED_AT / 1000
export const EVENT_ID = '0123456789abcdef0123456789abcdef'

export const SENDER: Sender = {
  organizationId: 1,
  projectId: 42,
  keyId: 1,
  clientAddress: '203.0.113.9',
  userAgent: null,
  origin: null,
  sdk: '',
}

interface ItemOverrides {
  readonly type?: string
  readonly itemHeader?: Readonly<Record<string, unknown>>
  readonly sender?: Partial<Sender>
  readonly header?: Partial<DigestItem['header']>
  readonly eventId?: string | null
}

/** @param payload bytes or text as they are, anything else as JSON */
export const digestItem = (payload: unknown, overrides: ItemOverrides = {}): DigestItem => ({
  sender: { ...SENDER, ...overrides.sender },
  receivedAt: RECEIVED_AT,
  header: { eventId: EVENT_ID, dsn: null, sdk: null, sentAt: null, trace: null, raw: {}, ...overrides.header },
  eventId: overrides.eventId === undefined ? EVENT_ID : overrides.eventId,
  item: {
    header: {
      type: overrides.type ?? 'event',
      length: null,
      contentType: null,
      itemCount: null,
      filename: null,
      attachmentType: null,
      platform: null,
      raw: overrides.itemHeader ?? {},
    },
    payload:
      payload instanceof Uint8Array
        ? payload
        : Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)),
  },
})

/** The normalised event; throws when it was dropped. */
export const normalised = (payload: unknown, overrides: ItemOverrides = {}): NormalisedEvent => {
  const result = normalise({ item: digestItem(payload, overrides) }, DEFAULT_PROJECT_SETTINGS)
  if (!result.ok) throw new Error(`dropped: ${result.error.outcome.reason}: ${result.error.detail}`)
  return result.value
}

/** The reason why it was dropped, or undefined. */
export const dropReason = (payload: unknown, overrides: ItemOverrides = {}): string | undefined => {
  const result = normalise({ item: digestItem(payload, overrides) }, DEFAULT_PROJECT_SETTINGS)
  return result.ok ? undefined : result.error.outcome.reason
}

export const tagOf = (event: NormalisedEvent, key: string): string | undefined =>
  event.tags.find(([name]) => name === key)?.[1]
