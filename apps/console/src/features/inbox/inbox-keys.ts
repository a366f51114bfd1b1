import { useListKeys, useShortcut } from '../../ui/index.ts'
import type { InboxWork } from './inbox-work.ts'

const group = 'Inbox'

/** The keys of the inbox. `z` takes back the last change, here as everywhere. */
export function useInboxKeys(work: InboxWork, more: { readonly take: () => void; readonly mute: () => void }): void {
  const { clear, close, move, open, search, select, selectAll, selected, target } = work
  const current = search.entry === '' ? null : search.entry
  useListKeys({ group, thing: 'line', current, move, open, select, selectAll })
  useShortcut('e', () => work.done(), { label: 'Done, or put back', group })
  useShortcut('u', work.readOrNot, { label: 'Mark as unread, or read', group })
  useShortcut('h', () => target().length > 0 && work.setSnoozing(true), { label: 'Snooze', group })
  useShortcut('a', more.take, { label: 'Take the issue', group })
  useShortcut('m', more.mute, { label: 'Hear no more of this kind', group })
  useShortcut('shift+e', () => void work.readAll(), { label: 'Mark all as read', group })
  useShortcut('Escape', () => (selected.size > 0 ? clear() : close()), {
    label: 'Clear the selection, close the line',
    group,
  })
}
