import type { Issue, IssueChange } from '@firsthand/contract'

import type { StatusChoice } from './components/StatusMenus.tsx'
import { NOTHING } from '../../lib/selection.ts'
import type { StreamSearch } from './model/stream-search.ts'
import type { StreamWork } from './stream-work.ts'

export type StreamChanges = ReturnType<typeof streamChanges>

/** What can be done with the selection, or, without one, with the row of the keyboard. */
export function streamChanges(work: StreamWork) {
  const { actions, assigning, issues, leave, mark, may, order, search, selection, setAssigning, setSelection, target } =
    work
  const mayWrite = may('event:write')
  const mergeIds = selection.kind === 'some' ? order.filter((id) => selection.ids.has(id)) : []
  const chosenNow = target()
  const wantedNow = new Set(chosenNow !== null && 'ids' in chosenNow ? chosenNow.ids : [])
  const rowsNow = issues.filter((issue) => wantedNow.has(issue.id))
  /** What is on screen is not all that matches: it is shown first what would be changed. */
  const askBefore = (matching: StreamSearch, { change, done }: StatusChoice): void =>
    work.setBulk({ search: matching, change, done, askedAt: Date.now() })
  const mayMerge = mergeIds.length >= 2 && mayWrite && projectsOf(issues, mergeIds) === 1
  return {
    isArchived: /(^|\s)is:(archived|ignored)\b/.test(search.query),
    /** All that would be changed now are resolved: what resolves the others opens them again. */
    isResolved:
      chosenNow !== null && 'matching' in chosenNow
        ? /(^|\s)is:resolved\b/.test(search.query)
        : rowsNow.length > 0 && rowsNow.every((issue) => issue.status === 'resolved'),
    mayWrite,
    mayDelete: may('event:admin'),
    mayMerge,
    setStatus: (choice: StatusChoice) => {
      const chosen = target()
      if (chosen === null || !mayWrite) return
      if ('matching' in chosen) {
        askBefore(chosen.matching, choice)
        return
      }
      void actions.change(chosen, choice.change, choice.done)
      leave(chosen.ids)
    },
    /** One key for both ways: as long as one of them has no bookmark, all get one. */
    bookmark: () => {
      const chosen = target()
      if (chosen === null || !('ids' in chosen) || !mayWrite) return
      const isBookmarked = rowsNow.some((issue) => !issue.isBookmarked)
      const changed = rowsNow.filter((issue) => issue.isBookmarked !== isBookmarked)
      mark(
        changed.map((issue) => issue.id),
        { isBookmarked },
      )
    },
    merge: () => {
      if (!mayMerge) return
      void actions.merge(mergeIds)
      setSelection(NOTHING)
    },
    /** Opens the list of people beside an element. @param ids null for the selected issues */
    askAssignee: (anchor: Element | null, ids: readonly string[] | null) => {
      if (anchor !== null && mayWrite) setAssigning({ ids, anchor })
    },
    assign: (assignment: IssueChange, name: string | null) => {
      const chosen = assigning?.ids === null || assigning === null ? target() : { ids: assigning.ids }
      setAssigning(null)
      if (chosen === null) return
      const choice = { change: assignment, done: name === null ? 'unassigned' : `assigned to ${name}` }
      if ('matching' in chosen) {
        askBefore(chosen.matching, choice)
        return
      }
      void actions.change(chosen, choice.change, choice.done)
      setSelection(NOTHING)
    },
    remove: () => {
      const chosen = target()
      work.setDeleting(false)
      if (chosen === null) return
      leave('ids' in chosen ? chosen.ids : order)
      void actions.remove(chosen)
    },
  }
}

function projectsOf(issues: readonly Issue[], ids: readonly string[]): number {
  const wanted = new Set(ids)
  return new Set(issues.filter((issue) => wanted.has(issue.id)).map((issue) => issue.project.id)).size
}
