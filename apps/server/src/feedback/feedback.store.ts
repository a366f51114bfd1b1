import type { SpamSettings } from '../accounts/settings.ts'
import type { FeedbackReport } from './feedback.ts'

/** What the digest gives the ledger of one report, and what the ledger says to it. See `ledger/apply-reports.ts`. */
export interface LedgerFeedback {
  readonly organizationId: number
  readonly projectId: number
  readonly keyId: number
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /** A keyed hash of the sender's address: enough to count. */
  readonly addressHash: string
  readonly attachments: number
  /** The secret in the private link to its thread; null when there is none. */
  readonly threadToken: string | null
  /** What the report is judged by. */
  readonly spam: SpamSettings
  readonly report: FeedbackReport
}

export type FeedbackVerdict =
  | {
      readonly kind: 'stored'
      readonly feedbackId: number
      readonly status: 'open' | 'spam'
      /** It took the place of an earlier one about the same event, which was stored already. */
      readonly isReplacing: boolean
    }
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'discarded'; readonly reason: 'unknown_project' }
