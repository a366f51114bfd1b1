import type { FeedbackReport } from './feedback.ts'

/** What the digest gives the ledger of one report, and what the ledger says to it. See `IssueStore.apply`. */
export interface LedgerFeedback {
  readonly organizationId: number
  readonly projectId: number
  readonly keyId: number
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /** A keyed hash of the sender's address: enough to count. */
  readonly addressHash: string
  readonly attachments: number
  readonly report: FeedbackReport
}

export type FeedbackVerdict =
  | { readonly kind: 'stored'; readonly feedbackId: number; readonly status: 'open' | 'spam' }
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'discarded'; readonly reason: 'unknown_project' }
