import type { OutcomeKind } from '../ingest/road.ts'
import type { Period } from '../search/index.ts'

/** PORT: outcomes in telemetry, for the receipts screen: "I sent it; where is it?" */
export interface ReceiptView {
  /**
   * Newest interval first, in it what Firsthand decided before what SDKs reported; one more than `limit` when there are
   * more. At most `named` different rows keep SDK, item type and reason, the others are summed as `other`.
   */
  rows(
    query: ReceiptQuery,
    intervalSeconds: number,
    bounds: { readonly named: number; readonly limit: number },
  ): Promise<readonly ReceiptRow[]>
  /** Summed over the period, largest first; `named` as for `rows`. Complete: what has no row of its own is in `other`. */
  totals(query: ReceiptQuery, named: number): Promise<readonly ReceiptTotal[]>
  /** Sums by some columns, and by second since the epoch of each interval. */
  grouped(
    query: ReceiptQuery,
    columns: readonly ReceiptColumn[],
    intervalSeconds: number,
  ): Promise<readonly ReceiptGroup[]>
  /** Quantity of `category: error` (or attachments of it) by second since the epoch of each interval. */
  errorSeries(query: ReceiptQuery, intervalSeconds: number): Promise<ReadonlyMap<number, number>>
}

export type ReceiptColumn = 'outcome' | 'category' | 'reason' | 'project'

export interface ReceiptGroup {
  /** In the order of the asked columns. */
  readonly values: readonly string[]
  readonly at: number
  readonly quantity: number
}

export interface ReceiptQuery {
  readonly organizationId: number
  readonly projectIds: readonly number[]
  readonly period: Period
  /** Empty lists do not restrict. */
  readonly outcomes: readonly OutcomeKind[]
  readonly itemTypes: readonly string[]
  readonly sdks: readonly string[]
  readonly categories?: readonly string[]
  readonly reasons?: readonly string[]
}

interface ReceiptKey {
  readonly projectId: number
  readonly sdk: string
  readonly itemType: string
  readonly category: string
  readonly outcome: OutcomeKind
  readonly reason: string
  readonly quantity: number
  readonly bytes: number
}

export interface ReceiptRow extends ReceiptKey {
  /** Milliseconds since the epoch: start of the interval. */
  readonly timestamp: number
}

export interface ReceiptTotal extends ReceiptKey {
  readonly firstSeen: number
  readonly lastSeen: number
}
