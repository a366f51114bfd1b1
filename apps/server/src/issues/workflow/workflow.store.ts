import type { AssigneeRecord } from '../issues.view.ts'
import type { StatusRequest } from './status.ts'

export interface Actor {
  readonly organizationId: number
  /** Null for tokens without a person. */
  readonly userId: number | null
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Whom a note names. */
export interface Mentions {
  readonly userIds: readonly number[]
  readonly teamIds: readonly number[]
}

export interface IssueChangeRequest extends Actor {
  readonly ids: readonly number[]
  readonly status?: StatusRequest
  /** Null for nobody. */
  readonly assignee?: AssigneeRecord | null
  /** Null: nobody says it any more. */
  readonly priority?: 'high' | 'medium' | 'low' | null
  /** Most events of one day in the week before, by issue; for archiving for ever. */
  readonly dailyPeaks?: ReadonlyMap<number, number>
}

export interface Merge {
  readonly parent: number
  readonly children: readonly number[]
}

export type AssigneeReference =
  | { readonly kind: 'user'; readonly id: number }
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'team'; readonly reference: string }
