import type { TrackerKindName } from '@firsthand/contract'
import type { Generated } from 'kysely'
import type { Flag, Instant, JsonText } from '../../storage/ledger/schema.ts'

/** A connection to an issue tracker. */
export interface TrackerTable {
  id: Generated<number>
  organization_id: number
  kind: TrackerKindName
  name: string
  settings: JsonText
  /** The token, and the secret of its webhooks. */
  sealed: string
  version: Generated<number>
  /** Stands in the address of its webhooks. */
  hook_key: string
  last_heard_at: Instant | null
  /** What went wrong with the last call; null when nothing did. */
  last_error: string | null
  /** Nobody calls it until then. */
  quiet_until: Instant | null
  /** Calls in a row that it did not answer; 0 for one that answered, be it that it wants fewer calls. */
  failures: Generated<number>
  created_by: number | null
  created_at: Instant
  /** It can be brought back for a while. */
  deleted_at: Instant | null
}

export type TicketRowState = 'creating' | 'failed' | 'open' | 'closed' | 'gone'

/** A ticket that belongs to an issue or a report. */
export interface TicketTable {
  id: Generated<number>
  organization_id: number
  tracker_id: number
  /** One of the two is null. */
  issue_id: number | null
  feedback_id: number | null
  /** Stands in the text of a ticket that we made: so it is found again. */
  marker: string
  /** What a ticket says that is not made yet; '' afterwards. */
  draft: JsonText
  is_linked: Flag
  /** By which its tracker knows it; '' until it is made. */
  remote_id: string
  key: string
  url: string
  title: string
  /** As the tracker said last, or as we made it: what comes back of our own changes nothing. */
  state: TicketRowState
  /** What it shall be, where the tracker was not told yet. */
  wanted: 'open' | 'closed' | null
  /** Rises whenever somebody wants that it is looked at, so that nothing is missed meanwhile. */
  asked: number
  /** Rises whenever somebody takes it: who took it before notes nothing any more. */
  turn: number
  /** When it is looked at next; null when nothing is to be done. */
  due_at: Instant | null
  /** Nobody else looks at it until then. */
  taken_until: Instant | null
  /** When its tracker was asked last, whatever came of it; 0 for one of which nobody knows. */
  looked_at: Generated<Instant>
  attempts: number
  first_tried_at: Instant | null
  error: string | null
  created_by: number | null
  created_at: Instant
  deleted_at: Instant | null
}

/** Webhooks that came, by a hash of their ids. */
export interface TrackerHookTable {
  tracker_id: number
  hash: string
  received_at: Instant
}

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    trackers: TrackerTable
    tickets: TicketTable
    tracker_hooks: TrackerHookTable
  }
}
