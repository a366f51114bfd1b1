import type { TrackerKindName } from '@firsthand/contract'
import type { TicketRowState } from './ledger/schema.ts'

/** What a ticket belongs to. */
export type Subject =
  | { readonly kind: 'issue'; readonly id: number; readonly storedIds: readonly number[] }
  | { readonly kind: 'report'; readonly id: number }

export interface TicketRecord {
  readonly id: number
  readonly organizationId: number
  readonly tracker: { readonly id: number; readonly kind: TrackerKindName; readonly name: string }
  readonly issueId: number | null
  readonly reportId: number | null
  readonly key: string
  /** With the repository or project where the key alone does not say it: `acme/shop#12`. */
  readonly fullKey: string
  readonly url: string
  readonly title: string
  readonly state: TicketRowState
  readonly wanted: 'open' | 'closed' | null
  readonly error: string | null
  readonly isLinked: boolean
  readonly createdAt: number
  readonly createdBy: { readonly id: number; readonly name: string; readonly email: string } | null
}

/** Whoever does something to tickets. */
export interface TicketActor {
  readonly organizationId: number
  /** Null for tokens without a person. */
  readonly userId: number | null
  readonly now: number
}
