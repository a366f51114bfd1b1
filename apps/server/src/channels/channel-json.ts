import type { Channel, Delivery, DeliveryAttempt } from '@firsthand/contract'
import type { Selectable } from 'kysely'
import { toDate } from '../lib/instant-text.ts'
import { addressOfChannel, messageId } from './call-way.ts'
import type { ChannelRecord } from './ledger/channels.ts'
import type { OutboxAttemptTable } from './ledger/schema.ts'
import type { DeliveryRecord } from './ledger/deliveries.ts'

const dateOrNull = (at: number | null): string | null => (at === null ? null : toDate(at))

/** Of the address that is called only the host: the rest of it may be all that one has to know to write there. */
const shownTarget = (channel: ChannelRecord, now: number): string => {
  const { addresses } = channel.settings
  if (Array.isArray(addresses)) return addresses.join(', ')
  return URL.parse(addressOfChannel(channel, now) ?? '')?.host ?? ''
}

/** A channel as people see it: nothing of what is sealed is in it. */
export const channelJson = (channel: ChannelRecord, now: number): Channel => {
  const { former } = channel.sealed
  const { createdBy } = channel
  return {
    id: String(channel.id),
    kind: channel.kind,
    name: channel.name,
    settings: { ...channel.settings },
    target: shownTarget(channel, now),
    version: channel.version,
    isOn: channel.isOn,
    offReason: channel.offReason,
    failingSince: dateOrNull(channel.failingSince),
    lastSentAt: dateOrNull(channel.lastSentAt),
    lastError: channel.lastError,
    rotatesUntil: former !== null && former.until > now ? toDate(former.until) : null,
    createdAt: toDate(channel.createdAt),
    createdBy: createdBy === null ? null : { ...createdBy, id: String(createdBy.id) },
  }
}

export const deliveryJson = (row: DeliveryRecord): Delivery => ({
  id: String(row.id),
  messageId: messageId(row),
  headline: row.headline,
  kind: row.kind,
  state: row.state,
  attempts: row.attempts,
  error: row.error,
  createdAt: toDate(row.createdAt),
  sentAt: dateOrNull(row.sentAt),
  nextAt: row.state === 'waiting' ? dateOrNull(row.dueAt) : null,
})

const NO_REQUEST: DeliveryAttempt['request'] = { method: '', url: '', headers: {}, body: '' }

export const attemptJson = (row: Selectable<OutboxAttemptTable>): DeliveryAttempt => ({
  number: row.number,
  startedAt: toDate(row.started_at),
  durationMs: row.duration_ms,
  // Only `recordOf` writes it.
  request: { ...NO_REQUEST, ...(JSON.parse(row.request) as Partial<DeliveryAttempt['request']>) },
  status: row.status,
  answer: row.answer,
  remoteAddress: row.remote_address,
  error: row.error,
})
