import type { Issue, IssueChange } from '@firsthand/contract'

import { type UndoStep, undoStepsOf } from '../../../lib/undo-steps.ts'

/**
 * What puts issues back as they were before a change. `changed` are the ids that the server says it changed; `known` the
 * rows as they were. Issues that were never loaded had the state that the search asked for; without one, nothing can be
 * promised and the answer is null.
 */
export function undoSteps(
  change: IssueChange,
  changed: readonly string[],
  known: ReadonlyMap<string, Issue>,
  searchedStatus: Issue['status'] | null,
): readonly UndoStep<IssueChange>[] | null {
  const rows: (readonly [string, IssueChange])[] = []
  for (const id of changed) {
    const before = restoring(change, known.get(id), searchedStatus)
    if (before === null) return null
    rows.push([id, before])
  }
  return undoStepsOf(rows)
}

function restoring(
  change: IssueChange,
  issue: Issue | undefined,
  searched: Issue['status'] | null,
): IssueChange | null {
  if (change.status !== undefined) {
    if (issue === undefined) return searched === null ? null : { status: searched }
    return {
      status: issue.status,
      ...(issue.substatus === null ? {} : { substatus: issue.substatus }),
      ...conditionsOf(issue),
    }
  }
  if (issue === undefined) return null
  if (change.assignedTo !== undefined) {
    const actor = issue.assignedTo
    return { assignedTo: actor === null ? '' : `${actor.type}:${actor.id}` }
  }
  // One that its points gave it, they give it again.
  return change.priority === undefined ? null : { priority: issue.priorityLockedAt === null ? null : issue.priority }
}

/** Under which conditions the status was to change by itself. */
function conditionsOf({ statusDetails }: Issue): Pick<IssueChange, 'statusDetails'> {
  const { inNextRelease, inRelease, ignoreUntil, ignoreCount, ignoreWindow, ignoreUserCount, ignoreUserWindow } =
    statusDetails
  const conditions = {
    inNextRelease,
    inRelease,
    ignoreUntil,
    ignoreCount,
    ignoreWindow,
    ignoreUserCount,
    ignoreUserWindow,
  }
  return Object.values(conditions).some((value) => value !== undefined && value !== null)
    ? { statusDetails: conditions }
    : {}
}
