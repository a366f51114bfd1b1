import type { Outgoing } from '../channels/index.ts'
import type { Notice } from '../notices/index.ts'
import type { LedgerTransaction } from '../storage/index.ts'

/** By which ways a rule speaks. Both write into the ledger, in the transaction of what they tell. */
export interface Outlets {
  readonly enqueue: (transaction: LedgerTransaction, messages: readonly Outgoing[], now: number) => Promise<void>
  /** People hear of it, each as they want it. */
  readonly notify: (transaction: LedgerTransaction, notices: readonly Notice[], now: number) => Promise<void>
  /** Users who own an issue; of teams, their members. */
  readonly ownersOf: (issue: OwnedIssue) => Promise<readonly number[]>
  /** Whether anybody else may hear of what nobody owns in a project. */
  readonly fallsThrough: (projectId: number) => Promise<boolean>
}

export interface OwnedIssue {
  readonly organizationId: number
  readonly projectId: number
  readonly issueId: number
  /** The event that was the reason; null for the newest one. */
  readonly eventId: string | null
}
