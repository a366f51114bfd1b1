import { CopyIcon, OkIcon, TrashIcon, toast, useCommandsForOpen, UserIcon } from '../../ui/index.ts'
import type { InboxChanges } from './inbox-changes.ts'
import type { InboxWork } from './inbox-work.ts'

/** What can be done with the report that is open, for the palette. */
export function useReportCommands(work: InboxWork, changes: InboxChanges): void {
  const { mayWrite, mayDelete, setStatusOfOpen } = changes
  const status = work.openRow?.status
  const change = [
    status === 'resolved'
      ? { label: 'Reopen', kbd: 'e', icon: OkIcon, run: () => setStatusOfOpen('open') }
      : { label: 'Resolve', kbd: 'e', icon: OkIcon, run: () => setStatusOfOpen('resolved') },
    status === 'archived'
      ? { label: 'Unarchive', run: () => setStatusOfOpen('open') }
      : { label: 'Archive', kbd: 'i', run: () => setStatusOfOpen('archived') },
    status === 'spam'
      ? { label: 'Not spam', kbd: 's', run: () => setStatusOfOpen('open') }
      : { label: 'Mark as spam', kbd: 's', run: () => setStatusOfOpen('spam') },
    {
      label: 'Assign …',
      kbd: 'a',
      icon: UserIcon,
      run: () => work.setAssigning(document.querySelector('[data-assign]')),
    },
  ]
  const commands = [
    ...(mayWrite ? change : []),
    { label: 'Copy the link', icon: CopyIcon, run: copyAddress },
    ...(mayDelete ? [{ label: 'Delete the report …', icon: TrashIcon, run: () => work.setDeleting(true) }] : []),
  ]
  useCommandsForOpen('This report', status === undefined ? [] : commands)
}

function copyAddress(): void {
  // Without a secure context (plain http on a LAN) the clipboard API is missing.
  const done = navigator.clipboard?.writeText(location.href) ?? Promise.reject(new Error('no clipboard'))
  void done.then(
    () => toast({ title: 'Link copied', tone: 'ok' }),
    () => toast({ title: 'The browser did not allow copying', description: location.href, tone: 'error' }),
  )
}
