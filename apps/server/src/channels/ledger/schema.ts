import type { Generated } from 'kysely'
import type { Flag, Instant, JsonText } from '../../storage/ledger/schema.ts'
import type { ChannelKindName } from '../channel.ts'

/** A place outside to which messages go. */
export interface ChannelTable {
  id: Generated<number>
  organization_id: number
  kind: ChannelKindName
  name: string
  /** What of it may be shown. */
  settings: JsonText
  /** Addresses, tokens and keys, sealed: see `sealed.ts`. */
  sealed: string
  /** Rises with each change. */
  version: number
  is_on: Flag
  /** Why it was switched off, by whom it was not; '' where somebody did it or it is on. */
  off_reason: string
  /** Since when nothing reached it; null when the last did, or nothing was sent. */
  failing_since: Instant | null
  last_sent_at: Instant | null
  last_error: string | null
  created_by: number | null
  created_at: Instant
  /** It can be brought back for a while. */
  deleted_at: Instant | null
}

/**
 * `folded` and `held`: another message tells of it, because it came too late, or because too many came at once. `expired`:
 * it was out of date before it could be sent.
 */
export type MessageState = 'waiting' | 'sending' | 'sent' | 'failed' | 'expired' | 'folded' | 'held'

/** A message to one receiver. */
export interface OutboxTable {
  id: Generated<number>
  organization_id: number
  /** The same is never sent twice. */
  key: string
  /** Who gets it, as messages are kept in order and counted: `c7` of a channel, `u3@1` of a member, `a<hash>@1` of an address. */
  lane: string
  /** By which way it goes: `mail` or `call`. */
  way: 'mail' | 'call'
  channel_id: number | null
  user_id: number | null
  /** The kinds of notice that its receiver can unsubscribe from, with commas between. */
  unsubscribe: string | null
  address: string | null
  name: string | null
  message: JsonText
  /** Hash of the message's thread. */
  thread: string
  stage: 'first' | 'update' | 'over' | 'single'
  state: MessageState
  /** While it waits, when it is tried next; while it is sent, until when nobody else tries. Null when nothing comes any more. */
  due_at: Instant | null
  expires_at: Instant | null
  attempts: number
  /** Into which later message it was folded or held back. */
  within_id: number | null
  rule_id: number | null
  incident_id: number | null
  error: string | null
  created_at: Instant
  sent_at: Instant | null
}

/** One try to send a message. */
export interface OutboxAttemptTable {
  outbox_id: number
  number: number
  started_at: Instant
  /** Null while it is under way, or when the server died over it. */
  duration_ms: number | null
  /** Method, address and headers, without secrets, and the body. */
  request: JsonText
  status: number | null
  /** Beginning of the answer. */
  answer: string | null
  /** The address that was connected to. */
  remote_address: string | null
  error: string | null
}

/** What the other side calls the first message of a thread, so that others are put under it or take its place. */
export interface OutboxThreadTable {
  organization_id: number
  lane: string
  thread: string
  remote: JsonText
  changed_at: Instant
}

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    channels: ChannelTable
    outbox: OutboxTable
    outbox_attempts: OutboxAttemptTable
    outbox_threads: OutboxThreadTable
  }
}
