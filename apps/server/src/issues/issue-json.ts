import type { IssueCounts } from './events.view.ts'
import type { ActivityRecord, AssigneeRecord, IssueRecord, Person, ReleaseRecord } from './issues.view.ts'
import { fillBuckets, type Buckets } from '../search/index.ts'
import type { Marks } from './workflow/marks.store.ts'
import { prioritySentence } from './workflow/priority-points.ts'
import type { StatusDetails, Substatus } from './workflow/status.ts'
import { toDate } from '../lib/instant-text.ts'
import { inboxJson } from './inbox-of-issues.ts'
import { ownerJson, type NamedOwner } from './owners-of-issues.ts'
import { annotationJson, type TicketOfIssue } from './tickets-of-issues.ts'

/** Issues in the documented JSON shape of Sentry's API. */

export const personJson = (person: Person) => ({
  id: String(person.id),
  name: person.name,
  email: person.email,
  username: person.email,
})

export const assigneeJson = (assignee: AssigneeRecord | null) => {
  if (assignee === null) return null
  const { id, name } = assignee
  return assignee.type === 'user'
    ? { type: 'user' as const, id: String(id), name: name || assignee.email, email: assignee.email }
    : { type: 'team' as const, id: String(id), name, slug: assignee.slug }
}

export const statusDetailsJson = (details: StatusDetails, actors: ReadonlyMap<number, Person>) => {
  const actor = details.actorId === undefined ? undefined : actors.get(details.actorId)
  return {
    ...(details.inNextRelease === true ? { inNextRelease: true } : {}),
    ...(details.inRelease === undefined ? {} : { inRelease: details.inRelease }),
    ...(details.untilTimestamp === undefined ? {} : { ignoreUntil: toDate(details.untilTimestamp) }),
    ...(details.untilEvents === undefined ? {} : { ignoreCount: details.untilEvents }),
    ...(details.untilEventsWindow === undefined ? {} : { ignoreWindow: details.untilEventsWindow }),
    ...(details.untilUsers === undefined ? {} : { ignoreUserCount: details.untilUsers }),
    ...(details.untilUsersWindow === undefined ? {} : { ignoreUserWindow: details.untilUsersWindow }),
    ...(actor === undefined ? {} : { actor: personJson(actor) }),
  }
}

export interface IssueJsonContext {
  /** Without a final slash. */
  readonly publicUrl: string
  readonly organizationSlug: string
  readonly actors: ReadonlyMap<number, Person>
  /** Of the caller. */
  readonly marks: Marks
  /** Absent when they were not asked for. */
  readonly counts?: IssueCounts | undefined
  /** People who wrote about it. */
  readonly writers: number
  /** Whether `counts` are of a time range rather than of everything. */
  readonly ranged: boolean
  /** Over the whole life; absent when they were not asked for. */
  readonly lifetime?: { readonly counts: IssueCounts | undefined } | undefined
  readonly series?: { readonly name: string; readonly buckets: Buckets } | undefined
  /** Absent when they were not asked for. */
  readonly owners?: readonly NamedOwner[] | undefined
  /** When it was opened again, for the last time; absent when it was not asked for. */
  readonly cameBack?: { readonly at: number | undefined } | undefined
  readonly tickets?: readonly TicketOfIssue[] | undefined
}

/** Of issues that events from outside opened. */
export const ERROR_CATEGORY = 'error'

export const issueJson = (record: IssueRecord, context: IssueJsonContext) => {
  const { cameBack, counts, lifetime, marks, owners, ranged, series } = context
  return {
    id: String(record.id),
    shareId: null,
    shortId: record.shortId,
    title: record.title,
    culprit: record.culprit,
    permalink: `${context.publicUrl}/organizations/${context.organizationSlug}/issues/${record.id}/`,
    logger: record.logger === '' ? null : record.logger,
    level: record.level,
    status: record.status,
    statusDetails: statusDetailsJson(record.statusDetails, context.actors),
    substatus: record.substatus as Substatus | null,
    isPublic: false,
    platform: record.platform,
    project: {
      id: String(record.project.id),
      name: record.project.name,
      slug: record.project.slug,
      platform: record.project.platform,
    },
    type: record.category === ERROR_CATEGORY ? record.type : 'generic',
    issueType: record.category === ERROR_CATEGORY ? 'error' : record.type,
    issueCategory: record.category,
    metadata: record.metadata,
    numComments: record.notes,
    assignedTo: assigneeJson(record.assignee),
    isBookmarked: marks.bookmarked,
    isSubscribed: marks.subscribed,
    subscriptionDetails: marks.subscribed ? { reason: 'unknown' } : null,
    hasSeen: marks.seen,
    annotations: (context.tickets ?? []).map(annotationJson),
    priority: record.priority,
    priorityLockedAt: record.priorityLockedAt === null ? null : toDate(record.priorityLockedAt),
    priorityReason:
      record.priorityLockedAt !== null || record.priorityReasons.length === 0
        ? null
        : prioritySentence(record.priority, record.priorityReasons),
    isUnhandled: record.unhandled,
    count: String(ranged && counts !== undefined ? counts.events : record.timesSeen),
    userCount: counts?.users ?? 0,
    reporterCount: context.writers,
    firstSeen: toDate(record.firstSeen),
    lastSeen: toDate(record.lastSeen),
    stats: series === undefined ? {} : { [series.name]: fillBuckets(series.buckets, counts?.series ?? new Map()) },
    ...(lifetime === undefined ? {} : { lifetime: lifetimeJson(record, lifetime.counts) }),
    ...(owners === undefined ? {} : { owners: owners.map(ownerJson) }),
    ...(cameBack === undefined ? {} : { inbox: inboxJson(record, cameBack.at) }),
  }
}

/** Every event that was ever counted, also those that are no longer kept. */
export const lifetimeJson = (record: IssueRecord, counts: IssueCounts | undefined) => ({
  count: String(record.timesSeen),
  userCount: counts?.users ?? 0,
  firstSeen: toDate(record.firstSeen),
  lastSeen: toDate(record.lastSeen),
})

/** When the digest noticed an issue is its own business: the activity tells when, and where, it was first seen. */
export const activityOf = (issue: Pick<IssueRecord, 'firstSeen' | 'firstRelease'>, record: ActivityRecord) =>
  activityJson(
    record.type === 'first_seen'
      ? {
          ...record,
          createdAt: issue.firstSeen,
          data: issue.firstRelease === null ? record.data : { ...record.data, version: issue.firstRelease },
        }
      : record,
  )

export const activityJson = (record: ActivityRecord) => ({
  id: String(record.id),
  type: record.type,
  user: record.user === null ? null : personJson(record.user),
  data: record.data,
  dateCreated: toDate(record.createdAt),
})

/** `web@1.2.3+45` → `1.2.3`: what is left when package and build are taken off. */
export const shortVersion = (version: string): string => {
  const at = version.lastIndexOf('@')
  const bare = at === -1 ? version : version.slice(at + 1)
  const plus = bare.indexOf('+')
  const unbuilt = plus > 0 ? bare.slice(0, plus) : bare
  return /^[0-9a-f]{16,}$/i.test(unbuilt) ? unbuilt.slice(0, 12) : unbuilt
}

export const releaseJson = (version: string, known: ReleaseRecord | undefined) => ({
  version,
  shortVersion: shortVersion(version),
  dateCreated: known === undefined ? null : toDate(known.firstSeen),
  dateReleased: known?.dateReleased == null ? null : toDate(known.dateReleased),
})
