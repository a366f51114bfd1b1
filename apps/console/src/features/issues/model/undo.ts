import type { Issue, IssueChange } from '@firsthand/contract'

/** What puts issues back as they were before a change: one request for each state that they had. */
export interface UndoStep {
  readonly ids: readonly string[]
  readonly change: IssueChange
}

/** Ids that one request may carry (the contract's bound). */
export const IDS_PER_REQUEST = 1000

/**
 * `changed` are the ids that the server says it changed; `known` the rows as they were. Issues that were never loaded had
 * the state that the search asked for; without one, nothing can be promised and the answer is null.
 */
export function undoSteps(
  change: IssueChange,
  changed: readonly string[],
  known: ReadonlyMap<string, Issue>,
  searchedStatus: Issue['status'] | null,
): readonly UndoStep[] | null {
  const groups = new Map<string, { ids: string[]; change: IssueChange }>()
  for (const id of changed) {
    const before = restoring(change, known.get(id), searchedStatus)
    if (before === null) return null
    const key = JSON.stringify(before)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { ids: [id], change: before })
    else group.ids.push(id)
  }
  return [...groups.values()].flatMap((group) => chunks(group.ids).map((ids) => ({ ids, change: group.change })))
}

function restoring(
  change: IssueChange,
  issue: Issue | undefined,
  searched: Issue['status'] | null,
): IssueChange | null {
  if (change.status !== undefined) {
    if (issue === undefined) return searched === null ? null : { status: searched }
    return { status: issue.status, ...(issue.substatus === null ? {} : { substatus: issue.substatus }) }
  }
  if (issue === undefined) return null
  if (change.assignedTo !== undefined) {
    const actor = issue.assignedTo
    return { assignedTo: actor === null ? '' : `${actor.type}:${actor.id}` }
  }
  return change.priority === undefined ? null : { priority: issue.priority }
}

export function chunks(ids: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(ids.length / IDS_PER_REQUEST)
  return Array.from({ length: count }, (_, index) => ids.slice(index * IDS_PER_REQUEST, (index + 1) * IDS_PER_REQUEST))
}
