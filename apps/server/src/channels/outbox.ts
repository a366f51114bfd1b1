import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import { chunks, ROWS_PER_STATEMENT } from '../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../storage/index.ts'
import { boundedMessage } from './bounded-message.ts'
import type { OutboxTable } from './ledger/schema.ts'
import { laneOfChannel } from './lanes.ts'
import type { Message } from './message.ts'
import { plainLine } from './text.ts'

/** Who gets a message. */
export type Receiver =
  | { readonly channelId: number }
  /** @property unsubscribe the kinds of notice that they can unsubscribe from by one click, with commas between */
  | { readonly userId: number; readonly unsubscribe: string }
  | { readonly address: string; readonly name: string }

export interface Outgoing {
  readonly organizationId: number
  readonly to: Receiver
  /** The same key is never sent twice in an organisation. */
  readonly key: string
  readonly message: Message
  /** Milliseconds since the epoch: it can be taken back until then. */
  readonly notBefore?: number
  /** From then on nobody wants to know. */
  readonly expiresAt?: number
  readonly origin?: { readonly ruleId?: number; readonly incidentId?: number }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

const threadOf = (organizationId: number, thread: string): string => hashOf(`${organizationId}:${thread}`)

/** Of whom the messages are kept in order and counted together. */
const laneOf = (organizationId: number, to: Receiver): string => {
  if ('channelId' in to) return laneOfChannel(to.channelId)
  const who = 'userId' in to ? `u${to.userId}` : `a${hashOf(to.address.toLowerCase())}`
  return `${who}@${organizationId}`
}

const rowOf = (
  { organizationId, to, key, message, notBefore, expiresAt, origin }: Outgoing,
  way: OutboxTable['way'],
  now: number,
): Insertable<OutboxTable> => {
  const bounded = boundedMessage(message)
  return {
    organization_id: organizationId,
    key: key.length <= 200 ? key : hashOf(key),
    lane: laneOf(organizationId, to),
    way,
    channel_id: 'channelId' in to ? to.channelId : null,
    user_id: 'userId' in to ? to.userId : null,
    unsubscribe: 'userId' in to ? to.unsubscribe : null,
    address: 'address' in to ? plainLine(to.address) : null,
    name: 'address' in to ? plainLine(to.name) : null,
    message: JSON.stringify(bounded),
    thread: threadOf(organizationId, message.thread),
    stage: message.stage,
    state: 'waiting',
    due_at: Math.max(now, notBefore ?? now),
    expires_at: expiresAt ?? null,
    attempts: 0,
    within_id: null,
    rule_id: origin?.ruleId ?? null,
    incident_id: origin?.incidentId ?? null,
    error: null,
    created_at: now,
    sent_at: null,
  }
}

const listeners = new Set<() => void>()

/** Told when something is put into any outbox of this process. Its transaction may still be open. */
export const onEnqueued = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/**
 * Puts messages into the outbox, in the caller's transaction: they go out if and only if it is committed. What was put
 * there before under the same key stays as it is; a channel that the organisation has not, or has no more, is passed over.
 */
export const enqueueMessages = async (
  transaction: LedgerTransaction,
  messages: readonly Outgoing[],
  now: number,
): Promise<void> => {
  const channelIds = [...new Set(messages.flatMap(({ to }) => ('channelId' in to ? [to.channelId] : [])))]
  const channels = new Map<number, { readonly organizationId: number; readonly way: OutboxTable['way'] }>()
  for (const ids of chunks(channelIds, ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .selectFrom('channels')
      .select(['id', 'organization_id', 'kind'])
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .execute()
    for (const { id, organization_id, kind } of rows) {
      channels.set(id, { organizationId: organization_id, way: kind === 'mail' ? 'mail' : 'call' })
    }
  }
  const rows = messages.flatMap((message) => {
    const { organizationId, to } = message
    if (!('channelId' in to)) return [rowOf(message, 'mail', now)]
    const channel = channels.get(to.channelId)
    return channel?.organizationId === organizationId ? [rowOf(message, channel.way, now)] : []
  })
  for (const some of chunks(rows, ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('outbox')
      .values(some)
      .onConflict((conflict) => conflict.columns(['organization_id', 'key']).doNothing())
      .execute()
  }
  if (rows.length > 0) for (const listener of listeners) listener()
}

/**
 * Takes messages back that are not on their way yet: their keys are free again.
 *
 * @returns how many
 */
export const withdrawMessages = async (
  transaction: LedgerTransaction,
  organizationId: number,
  keys: readonly string[],
): Promise<number> => {
  let withdrawn = 0
  for (const some of chunks(keys, ROWS_PER_STATEMENT)) {
    const { numDeletedRows } = await transaction
      .deleteFrom('outbox')
      .where('organization_id', '=', organizationId)
      .where('key', 'in', some)
      .where('state', '=', 'waiting')
      .where('attempts', '=', 0)
      .executeTakeFirst()
    withdrawn += Number(numDeletedRows)
  }
  return withdrawn
}

/** What was not sent of these threads is not sent any more: what it tells of was deleted. */
export const dropThreads = async (
  transaction: LedgerTransaction,
  organizationId: number,
  threads: readonly string[],
): Promise<void> => {
  for (const some of chunks(threads, ROWS_PER_STATEMENT)) {
    await transaction
      .deleteFrom('outbox')
      .where('organization_id', '=', organizationId)
      .where(
        'thread',
        'in',
        some.map((thread) => threadOf(organizationId, thread)),
      )
      .where('state', 'in', ['waiting', 'failed'])
      .execute()
  }
}
