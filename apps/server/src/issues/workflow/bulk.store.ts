import type { IssueStatus, IssueSubstatus } from '../ledger/schema.ts'

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

/** A set of issues that was frozen to be changed together. */
export interface FrozenSet {
  readonly id: number
  readonly organizationId: number
  readonly userId: number
  readonly count: number
  readonly createdAt: number
  readonly appliedAt: number | null
  readonly undoneAt: number | null
}

export interface Undone {
  /** Issues that are as they were. */
  readonly restored: readonly number[]
  /** Issues that somebody or something changed since, which were left. */
  readonly left: number
}
