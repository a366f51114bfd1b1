import { ApiError } from '@firsthand/contract'

/** What a change of many issues that failed says, and what can be done about it. */
export interface BulkFailure {
  readonly title: string
  /** Going on where it stopped may help. */
  readonly mayGoOn: boolean
  /** What is told of it, to be taken back, when it is left as it is; null when there is nothing that could be. */
  readonly left: string | null
}

/** Answers below 500 that say nothing of the change itself: who asks again, or later, may get another one. */
const PASSING: ReadonlySet<number> = new Set([401, 408, 425, 429])

export function bulkFailureOf(error: unknown): BulkFailure {
  const status = error instanceof ApiError ? error.status : 0
  // Undone or changed to something else meanwhile, not theirs to change, or no longer kept: asking again gets the same answer.
  if (status >= 400 && status < 500 && !PASSING.has(status)) {
    return { title: 'The change was refused', mayGoOn: false, left: null }
  }
  return { title: 'The change was interrupted', mayGoOn: true, left: 'The change was left unfinished' }
}

/**
 * What the dialog of a change says above its issues: what will be, as long as trying it may do it; else what became of it.
 *
 * @param done as in "resolved"
 */
export function bulkHeading(
  issues: string,
  done: string,
  failed: BulkFailure | null,
): { readonly title: string; readonly description: string } {
  if (failed?.mayGoOn === false) {
    return { title: `Refused: ${issues} to be ${done}`, description: 'These are the issues that it was about.' }
  }
  return {
    title: `${issues} will be ${done}`,
    description: 'Exactly these are changed, also when others match by then. For 30 minutes it can be undone.',
  }
}
