import type { RefObject } from 'react'

import { useListKeys, useShortcut } from '../../ui/index.ts'
import { ARCHIVE, REOPEN, RESOLVE } from './components/StatusMenus.tsx'
import { NOTHING, toggleLoaded } from '../../lib/selection.ts'
import type { StreamChanges } from './stream-changes.ts'
import type { StreamWork } from './stream-work.ts'

const group = 'Issues'

/** The keys of the list. @param move goes so many rows down */
export function useStreamKeys(
  work: StreamWork,
  changes: StreamChanges,
  move: (step: number) => void,
  table: RefObject<HTMLElement | null>,
): void {
  const { current, open, order, select, selectedCount, selection, setCurrent, setDeleting, setSelection, target } = work
  const { isArchived, isResolved } = changes
  useListKeys({
    group,
    thing: 'issue',
    current: () => current,
    move,
    open,
    select,
    selectAll: () => setSelection(toggleLoaded(NOTHING, order)),
  })
  useShortcut('e', () => changes.setStatus(isResolved ? REOPEN : RESOLVE), {
    label: isResolved ? 'Reopen' : 'Resolve',
    group,
  })
  useShortcut('i', () => changes.setStatus(isArchived ? REOPEN : ARCHIVE), {
    label: isArchived ? 'Unarchive' : 'Archive',
    group,
  })
  useShortcut(
    'a',
    () => {
      if (selectedCount > 0) changes.askAssignee(document.querySelector('[data-assign-selected]'), null)
      else if (current !== null) changes.askAssignee(assigneeOf(table.current, current), [current])
    },
    { label: 'Assign', group },
  )
  useShortcut(' ', () => work.currentIndex !== -1 && work.setPeeking(true), {
    label: 'Peek',
    group,
    unlessOn: 'button, input, [role=checkbox]',
  })
  useShortcut('b', changes.bookmark, { label: 'Bookmark', group })
  useShortcut('m', changes.merge, { label: 'Merge', group })
  useShortcut('Backspace', () => target() !== null && changes.mayDelete && setDeleting(true), {
    label: 'Delete',
    group,
  })
  useShortcut('Escape', () => (selection === NOTHING ? setCurrent(null) : setSelection(NOTHING)), {
    label: 'Clear the selection',
    group,
  })
}

/** The button of a row's assignee. */
function assigneeOf(table: HTMLElement | null, id: string): Element | null {
  return table?.querySelector(`[data-issue="${CSS.escape(id)}"] [data-assign]`) ?? null
}
