import type { OutcomeKind } from '../ingest/road.ts'
import type { Period } from '../search/index.ts'

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
