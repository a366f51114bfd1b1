import type { AssigneeRecord } from '../issues.view.ts'
import type { StatusRequest } from './status.ts'

/** PORT: changes of issues by people. Each call is one transaction; ids of other organisations are left alone. */
export interface IssueWorkflow {
  /** @returns ids of the issues that exist; those that already were as asked are among them */
  change(request: IssueChangeRequest): Promise<readonly number[]>
  /** Null when two or more living issues of one project are not among `ids`. */
  merge(request: Actor & { readonly ids: readonly number[] }): Promise<Merge | null>
  /** @returns the issues that the hashes lead to now; empty when none of them was the issue's, or all were */
  unmerge(request: Actor & { readonly issueId: number; readonly hashes: readonly string[] }): Promise<readonly number[]>
  /** Marks issues, and what was merged into them, for deletion; with `discard`, their hashes take no events ever again. */
  remove(request: Actor & { readonly ids: readonly number[]; readonly discard: boolean }): Promise<readonly number[]>
  /** Undoes `remove` as long as it was not carried out. */
  restore(request: Actor & { readonly ids: readonly number[] }): Promise<readonly number[]>
  addNote(request: Actor & { readonly issueId: number; readonly text: string }): Promise<number>
  /** False when the note is not there, or not the actor's. */
  changeNote(
    request: Actor & { readonly issueId: number; readonly noteId: number; readonly text: string },
  ): Promise<boolean>
  removeNote(request: Actor & { readonly issueId: number; readonly noteId: number }): Promise<boolean>
  /** Somebody (a member, by id or e-mail) or a team of the organisation. Null when there is none. */
  assignee(organizationId: number, reference: AssigneeReference): Promise<AssigneeRecord | null>
}

export interface Actor {
  readonly organizationId: number
  /** Null for tokens without a person. */
  readonly userId: number | null
  /** Milliseconds since the epoch. */
  readonly now: number
}

export interface IssueChangeRequest extends Actor {
  readonly ids: readonly number[]
  readonly status?: StatusRequest
  /** Null for nobody. */
  readonly assignee?: AssigneeRecord | null
  readonly priority?: 'high' | 'medium' | 'low'
  /** Most events of one day in the week before, by issue; for archiving until escalation. */
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
