import type { IssueStatus, IssueSubstatus } from './schema.ts'
import { readStatusDetails } from './status-details.ts'

/** Pure rules of an issue's life: what new events do to its status (docs/spec.md, states and transitions). */

export interface IssueBefore {
  readonly status: IssueStatus
  readonly substatus: IssueSubstatus | null
  readonly statusDetails: string
  readonly timesSeen: number
}

export interface EventArrival {
  readonly receivedAt: number
  readonly release: string | null
}

/** Rank of a release among the organisation's: by the instant it was first seen, then by id. Null when unknown. */
export type ReleaseRank = (version: string) => readonly [firstSeen: number, id: number] | null

export interface Reopening {
  readonly substatus: 'regressed' | 'ongoing'
  readonly activity: 'set_regression' | 'set_unresolved'
  /** Goes into the activity. */
  readonly data: Readonly<Record<string, string | number>>
  /** Place of the event that was the reason. */
  readonly cause: number
}

/** -1, 0, 1, or null when either is unknown. */
const compareReleases = (left: string, right: string, rank: ReleaseRank): number | null => {
  if (left === right) return 0
  const a = rank(left)
  const b = rank(right)
  if (a === null || b === null) return null
  return Math.sign(a[0] - b[0] || a[1] - b[1])
}

const regresses = (event: EventArrival, detailsJson: string, rank: ReleaseRank): boolean => {
  const details = readStatusDetails(detailsJson)
  if (details.since !== undefined && event.receivedAt < details.since) return false
  // An event that names no release cannot prove that it is an old one.
  if (event.release === null) return true
  if (details.inRelease !== undefined) return compareReleases(event.release, details.inRelease, rank) !== -1
  if (details.inNextRelease === true && details.currentRelease !== undefined) {
    return compareReleases(event.release, details.currentRelease, rank) === 1
  }
  return true
}

/** Null when the events leave the issue as it is. They are in the order of arrival. */
export const reopeningBy = (
  issue: IssueBefore,
  events: readonly EventArrival[],
  rank: ReleaseRank,
): Reopening | null => {
  if (issue.status === 'unresolved') return null
  if (issue.status === 'resolved') {
    const cause = events.findIndex((event) => regresses(event, issue.statusDetails, rank))
    const event = events[cause]
    if (event === undefined) return null
    return {
      substatus: 'regressed',
      activity: 'set_regression',
      data: event.release === null ? {} : { version: event.release },
      cause,
    }
  }
  const details = readStatusDetails(issue.statusDetails)
  const unarchive = (data: Reopening['data'], cause: number): Reopening => ({
    substatus: 'ongoing',
    activity: 'set_unresolved',
    data,
    cause,
  })
  const { untilTimestamp, untilEvents, untilEventsWindow } = details
  if (untilTimestamp !== undefined) {
    const cause = events.findIndex((event) => event.receivedAt >= untilTimestamp)
    if (cause !== -1) return unarchive({ reason: 'until_timestamp', untilTimestamp }, cause)
  }
  // A rate is looked at by a job, which can ask when they came.
  if (untilEvents === undefined || untilEventsWindow !== undefined) return null
  if (issue.timesSeen + events.length - (details.eventsAtStart ?? 0) >= untilEvents) {
    return unarchive({ reason: 'until_events', untilEvents }, events.length - 1)
  }
  return null
}
