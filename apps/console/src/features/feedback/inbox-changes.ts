import type { Feedback, FeedbackChange } from '@firsthand/contract'

import type { InboxWork } from './inbox-work.ts'
import { bulkChoices, oldestOf } from './model/report.ts'

export type InboxChanges = ReturnType<typeof inboxChanges>

/** What can be done with the selection; without one, with the open report or the row of the keyboard. */
export function inboxChanges(work: InboxWork) {
  const { actions, chosen, clear, known, leave, may, openRow, search, setDeleting, target } = work
  const mayWrite = may('event:write')
  const mayMerge = chosen.length >= 2 && new Set(chosen.map((row) => row.project.id)).size === 1
  const apply = (change: FeedbackChange, ids = target()) => {
    if (ids.length === 0 || !mayWrite) return
    const moves = change.status !== undefined && search.mailbox !== 'all' && change.status !== search.mailbox
    const onUndo = moves ? leave(ids) : undefined
    if (!moves) clear()
    void actions.change(ids, change, false, onUndo)
  }
  const choices = () => {
    const ids = new Set(target())
    return bulkChoices(known.filter((row) => ids.has(row.id)))
  }
  return {
    mayWrite,
    mayDelete: may('event:admin'),
    mayMerge,
    apply,
    /** For the open report alone, whatever is selected. */
    setStatusOfOpen: (status: Feedback['status']) => apply({ status }, [openRow?.id ?? search.report]),
    resolveOrNot: () => {
      const ids = new Set(target())
      const isResolved = known.filter((row) => ids.has(row.id)).every((row) => row.status === 'resolved')
      apply({ status: isResolved ? 'open' : 'resolved' })
    },
    spamOrNot: () => apply({ status: choices().isSpam ? 'open' : 'spam' }),
    readOrNot: () => apply({ isRead: choices().hasUnread }),
    assign: (assignedTo: string | null | undefined) =>
      apply({ assignedTo: assignedTo === '' || assignedTo === undefined ? null : assignedTo }),
    merge: () => {
      // Into the oldest, however the list is sorted: it was there first.
      const parent = oldestOf(chosen)?.id
      if (!mayMerge || parent === undefined || !mayWrite) return
      void actions.merge(
        parent,
        chosen.map((row) => row.id).filter((id) => id !== parent),
      )
      clear()
    },
    remove: () => {
      const ids = target()
      setDeleting(false)
      leave(ids)
      void actions.remove(ids)
    },
  }
}
