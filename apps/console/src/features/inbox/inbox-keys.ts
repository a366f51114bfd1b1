import { useListKeys, useShortcut } from '../../ui/index.ts'
import type { InboxWork } from './inbox-work.ts'

const group = 'Inbox'

interface LineKeys {
  readonly isShown: (id: string | null) => boolean
  readonly take: () => void
  readonly mute: () => void
}

/** The keys of the inbox. `z` takes back the last change, here as everywhere. */
export function useInboxKeys(work: InboxWork, more: LineKeys): void {
  const { clear, close, current, move, open, select, selectAll, selected, target } = work
  /** Of the line that is looked at: none while the next one is on its way. */
  const once = (act: () => void) => () => more.isShown(current()) && act()
  useListKeys({ group, thing: 'line', current, move, open, select, selectAll })
  useShortcut('e', () => work.done(), { label: 'Done, or put back', group })
  useShortcut('u', work.readOrNot, { label: 'Mark as unread, or read', group })
  useShortcut('h', () => target().length > 0 && work.setSnoozing(true), { label: 'Snooze', group })
  useShortcut('a', once(more.take), { label: 'Take the issue', group })
  useShortcut('m', once(more.mute), { label: 'Hear no more of this kind', group })
  useShortcut('shift+e', () => void work.readAll(), { label: 'Mark all as read', group })
  useShortcut('Escape', () => (selected.size > 0 ? clear() : close()), {
    label: 'Clear the selection, close the line',
    group,
  })
}
