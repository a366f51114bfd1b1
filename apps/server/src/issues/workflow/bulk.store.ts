import type { IssueStatus, IssueSubstatus } from '../ledger/schema.ts'
import type { StatusRequest } from './status.ts'

/** What a change of many issues may move, and what taking it back restores. */
export interface IssueState {
  status: IssueStatus
  substatus: IssueSubstatus | null
  status_details: string
  priority: 'high' | 'medium' | 'low'
  priority_locked_at: number | null
  assigned_user_id: number | null
  assigned_team_id: number | null
}

export interface ChangedState {
  readonly id: number
  readonly before: IssueState
  readonly after: IssueState
}

/** What is wanted of each issue of a set. */
export interface Wish {
  /** JSON of what was asked for, by which the same is known again. */
  readonly asked: string
  /** As it was read at first: a time that was given as "from now" is the same for each issue. */
  readonly status: StatusRequest | null
}

/** A set of issues that was frozen to be changed together. */
export interface FrozenSet {
  readonly id: number
  readonly organizationId: number
  readonly userId: number
  readonly count: number
  readonly createdAt: number
  /** Null until the change began. */
  readonly wish: Wish | null
  /** The change is made up to this issue. */
  readonly reached: number
  /** When the change was made whole. */
  readonly appliedAt: number | null
  readonly undoneAt: number | null
}

export interface Undone {
  /** Issues that are as they were. */
  readonly restored: readonly number[]
  /** Issues that somebody or something changed since, which were left. */
  readonly left: number
}
