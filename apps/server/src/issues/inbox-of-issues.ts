import { toDate } from '../lib/instant-text.ts'
import type { IssueRecord } from './issues.view.ts'
import type { Substatus } from './workflow/status.ts'

/** What Sentry calls its inbox: the queue of issues that somebody should look at. */

/** Why an issue is in it, by Sentry's numbers. */
const REASONS: Partial<Readonly<Record<Substatus, number>>> = { new: 0, regressed: 2, escalating: 5 }

/** @param cameBackAt when it was opened again, for the last time; null of one that is not in the queue */
export const inboxJson = (
  { firstSeen, status, substatus }: Pick<IssueRecord, 'firstSeen' | 'status' | 'substatus'>,
  cameBackAt: number | undefined,
) => {
  const reason = status === 'unresolved' ? REASONS[(substatus ?? 'ongoing') as Substatus] : undefined
  if (reason === undefined) return null
  const since = substatus === 'new' ? firstSeen : (cameBackAt ?? firstSeen)
  return { reason, reason_details: null, date_added: toDate(since) }
}
