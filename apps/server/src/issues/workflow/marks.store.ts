/** PORT: what a person has noted about issues for themselves alone. Nobody else's lists change by it. */
export interface IssueMarks {
  /** Issues without an entry have no mark. */
  of(userId: number, issueIds: readonly number[]): Promise<ReadonlyMap<number, Marks>>
  /** Marks that are undefined stay as they are. Ids of other organisations are left alone. */
  set(request: MarkRequest): Promise<void>
  /** People who follow the issue, in the order of their names. */
  subscribers(issueId: number): Promise<readonly number[]>
}

export interface Marks {
  /** Looked at since it was first seen, came back, or began to escalate. */
  readonly seen: boolean
  readonly bookmarked: boolean
  readonly subscribed: boolean
}

export interface MarkRequest extends Partial<{ readonly [Mark in keyof Marks]: boolean | undefined }> {
  readonly organizationId: number
  readonly userId: number
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly ids: readonly number[]
}

export const NO_MARKS: Marks = { seen: false, bookmarked: false, subscribed: false }
/** For callers that are nobody, and for those who may not write: nothing asks for their look. */
export const NOBODYS_MARKS: Marks = { seen: true, bookmarked: false, subscribed: false }
