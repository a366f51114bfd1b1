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
