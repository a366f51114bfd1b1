import { useListKeys, useShortcut } from '../../ui/index.ts'
import type { InboxChanges } from './inbox-changes.ts'
import type { InboxWork } from './inbox-work.ts'

const group = 'Feedback'

/** The keys of the inbox. */
export function useInboxKeys(work: InboxWork, changes: InboxChanges): void {
  const { at, clear, close, move, open, search, select, selectAll, selected, setAssigning, setCurrent, target } = work
  const enabled = changes.mayWrite
  useListKeys({ group, thing: 'report', current: at, move, open, select, selectAll })
  useShortcut('e', changes.resolveOrNot, { label: 'Resolve, or reopen', group, enabled })
  useShortcut('i', () => changes.apply({ status: 'archived' }), { label: 'Archive', group, enabled })
  useShortcut('s', changes.spamOrNot, { label: 'Mark as spam, or not spam', group, enabled })
  useShortcut('u', changes.readOrNot, { label: 'Mark as read, or unread', group, enabled })
  useShortcut('m', changes.merge, { label: 'Merge', group, enabled })
  useShortcut(
    'a',
    () => setAssigning(target().length === 0 ? null : document.querySelector('[data-assign-selected], [data-assign]')),
    { label: 'Assign', group, enabled },
  )
  useShortcut('Backspace', () => target().length > 0 && work.setDeleting(true), {
    label: 'Delete',
    group,
    enabled: changes.mayDelete,
  })
  useShortcut('Escape', () => (selected.size > 0 ? clear() : search.report === '' ? setCurrent(null) : close()), {
    label: 'Clear the selection, close the report',
    group,
  })
}
