import { compareVersions, readVersion } from '../../lib/release-version.ts'
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

/** Where a release stands by its day among the organisation's: when it was released, else first seen; then by id. Null when unknown. */
export type ReleaseRank = (version: string) => readonly [at: number, id: number] | null

export interface Reopening {
  readonly substatus: 'regressed' | 'ongoing'
  readonly activity: 'set_regression' | 'set_unresolved'
  /** Goes into the activity. */
  readonly data: Readonly<Record<string, string | number>>
  /** Place of the event that was the reason. */
  readonly cause: number
}

/** How two releases compare, and by what. */
type Compared =
  | { readonly order: -1 | 0 | 1; readonly by: 'name' | 'version' | 'date' }
  /** Of another package, whose versions say nothing about this one. */
  | { readonly order: null; readonly by: 'package' }
  /** One of them is not known. */
  | { readonly order: null; readonly by: 'nothing' }

export const compareReleases = (left: string, right: string, rank: ReleaseRank): Compared => {
  if (left === right) return { order: 0, by: 'name' }
  const byVersion = compareVersions(left, right)
  if (byVersion !== null) return { order: byVersion, by: 'version' }
  const [one, other] = [readVersion(left), readVersion(right)]
  if (one.kind === 'version' && other.kind === 'version') return { order: null, by: 'package' }
  const [a, b] = [rank(left), rank(right)]
  if (a === null || b === null) return { order: null, by: 'nothing' }
  return { order: sign(a[0] - b[0] || a[1] - b[1]), by: 'date' }
}

const sign = (difference: number): -1 | 0 | 1 => (difference < 0 ? -1 : difference > 0 ? 1 : 0)

/** What an event of a resolved issue says: null when the issue stays resolved, else what is noted with it. */
const regressionBy = (event: EventArrival, detailsJson: string, rank: ReleaseRank): Reopening['data'] | null => {
  const { currentRelease, inRelease, since } = readStatusDetails(detailsJson)
  if (since !== undefined && event.receivedAt < since) return null
  const { release } = event
  if (inRelease === undefined && currentRelease === undefined) return release === null ? {} : { version: release }
  // As at Sentry: what names no release says nothing about one, and the resolution holds.
  if (release === null) return null
  if (inRelease !== undefined) {
    const { order, by } = compareReleases(release, inRelease, rank)
    if (by !== 'package' && order !== -1) return { version: release, resolved_in: inRelease, compared_by: by }
  }
  // What came as the next one may be a slip or a forgery with a high number: what is newer than the newest of then counts.
  if (currentRelease === undefined) return null
  const { order, by } = compareReleases(release, currentRelease, rank)
  return order === 1 ? { version: release, resolved_in: currentRelease, compared_by: by } : null
}

/** Null when the events leave the issue as it is. They are in the order of arrival. */
export const reopeningBy = (
  issue: IssueBefore,
  events: readonly EventArrival[],
  rank: ReleaseRank,
): Reopening | null => {
  if (issue.status === 'unresolved') return null
  if (issue.status === 'resolved') {
    for (const [cause, event] of events.entries()) {
      const data = regressionBy(event, issue.statusDetails, rank)
      if (data !== null) return { substatus: 'regressed', activity: 'set_regression', data, cause }
    }
    return null
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
