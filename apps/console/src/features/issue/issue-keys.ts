import { useShortcut } from '../../ui/index.ts'
import { ARCHIVE, REOPEN, RESOLVE } from '../issues/index.ts'
import { copyForAgent } from './copy.ts'
import type { IssueWork, useIssueChanges } from './issue-work.ts'

const group = 'Issue'

/** The keys of the issue page. */
export function useIssueKeys(work: IssueWork, changes: ReturnType<typeof useIssueChanges>): void {
  const { api, issue, mayWrite, place } = work
  useShortcut('j', () => work.openIssue(place.next), { label: 'Next issue', group })
  useShortcut('k', () => work.openIssue(place.previous), { label: 'Previous issue', group })
  useShortcut('e', () => changes.setStatus(issue.status === 'resolved' ? REOPEN : RESOLVE), {
    label: issue.status === 'resolved' ? 'Reopen' : 'Resolve',
    group,
  })
  useShortcut('i', () => changes.setStatus(issue.status === 'ignored' ? REOPEN : ARCHIVE), {
    label: issue.status === 'ignored' ? 'Unarchive' : 'Archive',
    group,
  })
  useShortcut('a', () => mayWrite && work.setAssigning(true), { label: 'Assign', group })
  useShortcut('[', () => api?.previousEventID != null && work.showEvent(api.previousEventID), {
    label: 'Older event',
    group,
  })
  useShortcut(']', () => api?.nextEventID != null && work.showEvent(api.nextEventID), { label: 'Newer event', group })
  useShortcut('t', work.toTrace, { label: 'Its trace', group })
  useShortcut('m', () => mayWrite && work.setMerging(true), { label: 'Merge with others', group })
  useShortcut('b', changes.bookmark, { label: 'Bookmark', group })
  useShortcut('s', changes.subscribe, { label: issue.isSubscribed ? 'Unsubscribe' : 'Subscribe', group })
  useShortcut('c', () => copyForAgent(work), { label: 'Copy for agent', group })
  useShortcut('u', work.toStream, { label: 'Back to the list', group })
}
