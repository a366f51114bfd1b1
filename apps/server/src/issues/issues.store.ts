import type { EventSummary } from './grouped.ts'

/** What the digest gives the ledger of one event, and what the ledger says to it. */
export interface LedgerEvent {
  readonly organizationId: number
  readonly projectId: number
  /** The key that it came with; its `last_used_at` moves. */
  readonly keyId?: number
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  readonly grouped: EventSummary
}

export type LedgerVerdict =
  | { readonly kind: 'stored'; readonly issueId: number; readonly opened: boolean; readonly regressed: boolean }
  /** The project already has an event of this id. */
  | { readonly kind: 'duplicate' }
  /** The hash is a tombstone ("delete and discard"), or the project was deleted meanwhile. */
  | { readonly kind: 'discarded'; readonly reason: 'discarded_hash' | 'unknown_project' }
