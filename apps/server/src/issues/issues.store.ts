import type { FeedbackVerdict, LedgerFeedback } from '../feedback/feedback.store.ts'
import type { EventSummary } from './grouped.ts'
import type { SpoolPosition } from '../ingest/road.ts'

/**
 * PORT, ledger writes of the digest. All that one batch changes in the ledger happens in one transaction, together with
 * the note that the batch is pending: see `apply`.
 */
export interface IssueStore {
  /**
   * Applies a batch: keeps duplicates out, finds or opens the issue of every event, raises counters, notes releases and
   * environments, regressions and unarchivings, writes facts, and marks the batch as pending until `settle`.
   *
   * When `batch.number` is the pending one (the process died between `apply` and `settle`), nothing is counted again:
   * the answer is made from what the first run left, so that telemetry can be written a second time under the same
   * deduplication token.
   */
  apply(batch: LedgerBatch): Promise<LedgerResult>
  /** Notes that the batch's telemetry is stored. Never called before it is. */
  settle(spool: string, batch: number): Promise<void>
  /** Where to go on reading, and what is pending. A spool that was never read starts at segment 0, offset 0, batch 0. */
  progress(spool: string): Promise<DigestProgress>
}

export interface DigestProgress {
  readonly batch: number
  readonly position: SpoolPosition
  /** End of the batch that was applied but not settled: exactly the records up to here have to be repeated. */
  readonly pending: SpoolPosition | null
}

export interface LedgerBatch {
  readonly spool: string
  /** Number of this batch: `progress.batch + 1`, or the pending one's. */
  readonly number: number
  readonly end: SpoolPosition
  readonly events: readonly LedgerEvent[]
  readonly blobs: readonly LedgerBlob[]
  readonly feedback?: readonly LedgerFeedback[]
}

export interface LedgerEvent {
  readonly organizationId: number
  readonly projectId: number
  /** The key that it came with; its `last_used_at` moves. */
  readonly keyId?: number
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  readonly grouped: EventSummary
}

export interface LedgerBlob {
  readonly key: string
  readonly organizationId: number
  readonly bytes: number
  readonly receivedAt: number
}

/** One entry for each event of the batch, in order. */
export interface LedgerResult {
  readonly events: readonly LedgerVerdict[]
  /** One entry for each report of the batch, in order. */
  readonly feedback?: readonly FeedbackVerdict[]
}

export type LedgerVerdict =
  | { readonly kind: 'stored'; readonly issueId: number; readonly opened: boolean; readonly regressed: boolean }
  /** The project already has an event of this id. */
  | { readonly kind: 'duplicate' }
  /** The hash is a tombstone ("delete and discard"), or the project was deleted meanwhile. */
  | { readonly kind: 'discarded'; readonly reason: 'discarded_hash' | 'unknown_project' }
