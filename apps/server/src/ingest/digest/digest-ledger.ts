import type { SpoolPosition } from '../road.ts'
import type { LedgerWork, Verdict } from './item-kind.ts'

/**
 * PORT, the ledger's side of the digest. All that one batch changes in the ledger happens in one transaction, together
 * with the note that the batch is pending: see `apply`.
 */
export interface DigestLedger {
  /**
   * Does the work of every part in one transaction, in order, and marks the batch as pending until `settle`.
   *
   * When `batch.number` is the pending one (the process died between `apply` and `settle`), the parts are told that the
   * batch is repeated, so that telemetry can be written a second time under the same deduplication token.
   */
  apply(batch: LedgerBatch): Promise<readonly (readonly Verdict[])[]>
  /** Notes that the batch's telemetry is stored. Never called before it is. */
  settle(spool: string, batch: number): Promise<void>
  /** Where to go on reading, and what is pending. A spool that was never read starts at segment 0, offset 0, batch 0. */
  progress(spool: string): Promise<DigestProgress>
}

/** What one kind of items changes; it has no effects beside the transaction, which may be tried again. */
export type LedgerPart = (work: LedgerWork) => Promise<readonly Verdict[]>

export interface LedgerBatch {
  readonly spool: string
  /** Number of this batch: `progress.batch + 1`, or the pending one's. */
  readonly number: number
  readonly end: SpoolPosition
  /** Item types that only wait for their capability (see `ItemKind.takesUntilOthersDo`). */
  readonly waitingTypes: readonly string[]
  readonly parts: readonly LedgerPart[]
}

export interface DigestProgress {
  readonly batch: number
  readonly position: SpoolPosition
  /** End of the batch that was applied but not settled: exactly the records up to here have to be repeated. */
  readonly pending: SpoolPosition | null
  /** `LedgerBatch.waitingTypes` of the pending batch; null when the program that made it did not note them. */
  readonly waitingTypes: readonly string[] | null
}
