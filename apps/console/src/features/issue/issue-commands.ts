import { CopyIcon, OkIcon, TrashIcon, useCommandsForOpen, UserIcon } from '../../ui/index.ts'
import { ARCHIVE, ARCHIVE_FOREVER, REOPEN, RESOLVE, RESOLVE_IN_NEXT } from '../issues/index.ts'
import { copyForAgent, copyLink, copyShortId } from './copy.ts'
import type { IssueWork, useIssueChanges } from './issue-work.ts'

/** What can be done with the issue on screen, for the palette. */
export function useIssueCommands(work: IssueWork, changes: ReturnType<typeof useIssueChanges>): void {
  const { issue, mayWrite, mayDelete } = work
  const { bookmark, setPriority, setStatus, subscribe } = changes
  const isResolved = issue.status === 'resolved'
  const isArchived = issue.status === 'ignored'
  const change = [
    isResolved
      ? { label: 'Reopen', kbd: 'e', icon: OkIcon, run: () => setStatus(REOPEN) }
      : { label: 'Resolve', kbd: 'e', icon: OkIcon, run: () => setStatus(RESOLVE) },
    ...(isResolved
      ? []
      : [{ label: 'Resolve in the next release', icon: OkIcon, run: () => setStatus(RESOLVE_IN_NEXT) }]),
    isArchived
      ? { label: 'Unarchive', kbd: 'i', run: () => setStatus(REOPEN) }
      : { label: 'Archive until it escalates', kbd: 'i', run: () => setStatus(ARCHIVE) },
    ...(isArchived ? [] : [{ label: 'Archive forever', run: () => setStatus(ARCHIVE_FOREVER) }]),
    { label: 'Assign …', kbd: 'a', icon: UserIcon, run: () => work.setAssigning(true) },
    { label: 'Merge with other issues …', kbd: 'm', run: () => work.setMerging(true) },
    { label: issue.isBookmarked ? 'Remove the bookmark' : 'Bookmark', kbd: 'b', run: bookmark },
    { label: issue.isSubscribed ? 'Unsubscribe' : 'Subscribe', kbd: 's', run: subscribe },
    { label: 'High priority', run: () => setPriority('high') },
    { label: 'Medium priority', run: () => setPriority('medium') },
    { label: 'Low priority', run: () => setPriority('low') },
  ]
  useCommandsForOpen(`This issue: ${issue.shortId}`, [
    ...(mayWrite ? change : []),
    { label: 'Copy the link', icon: CopyIcon, run: () => copyLink(work) },
    { label: 'Copy for agent', kbd: 'c', icon: CopyIcon, run: () => copyForAgent(work) },
    { label: 'Copy the short ID', icon: CopyIcon, run: () => copyShortId(work) },
    ...(mayDelete ? [{ label: 'Delete the issue …', icon: TrashIcon, run: () => work.setDeleting(true) }] : []),
  ])
}
