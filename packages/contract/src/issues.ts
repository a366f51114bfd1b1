import { z } from './zod.ts'
import {
  date,
  empty,
  environmentFilter,
  id,
  number,
  paging,
  projectFilter,
  series,
  statsPeriod,
  timeRange,
} from './common.ts'
import { endpoint } from './endpoint.ts'

export const ISSUE_STATUSES = ['unresolved', 'resolved', 'ignored'] as const
export const ISSUE_SUBSTATUSES = [
  'new',
  'ongoing',
  'regressed',
  'escalating',
  'archived_until_escalating',
  'archived_until_condition_met',
  'archived_forever',
] as const
export const ISSUE_PRIORITIES = ['high', 'medium', 'low'] as const
export const ISSUE_LEVELS = ['fatal', 'error', 'warning', 'info', 'debug'] as const

/**
 * `date` last seen, `new` first seen, `freq` events, `user` users, `harmed` users and those who wrote, `trends` what grew most,
 * `priority` high to low and then last seen.
 */
export const ISSUE_SORTS = ['date', 'new', 'freq', 'user', 'harmed', 'trends', 'priority'] as const

/** `X-Hits` of a list of issues counts up to here. */
export const COUNTED_ISSUES = 1000

/** Orders that Sentry's clients ask for under other names. */
const OTHER_SORTS = { inbox: 'new', recommended: 'trends' } as const
export const issueSort = z.enum(ISSUE_SORTS).or(z.enum(['inbox', 'recommended']).transform((name) => OTHER_SORTS[name]))

export const issueStatus = z.enum(ISSUE_STATUSES)
export const issueSubstatus = z.enum(ISSUE_SUBSTATUSES)
export const issuePriority = z.enum(ISSUE_PRIORITIES)

/**
 * What visitors say has ids of its own among issues: this and the report's id. No issue has so high an id, so that nobody
 * can mean the one and reach the other.
 */
export const REPORT_ID_OFFSET = 1_000_000_000_000

/** Who an issue is assigned to. */
export const actor = z.object({
  type: z.enum(['user', 'team']),
  id,
  name: z.string(),
  email: z.string().optional(),
  /** Teams have one, people do not. */
  slug: z.string().optional(),
})
export type Actor = z.output<typeof actor>

export const person = z.object({ id, name: z.string(), email: z.string(), username: z.string() })

/** Under which condition the status changes by itself. */
export const statusDetails = z.object({
  inNextRelease: z.boolean().optional(),
  inRelease: z.string().optional(),
  inCommit: z.string().optional(),
  /** ISO date until which an archived issue stays archived. */
  ignoreUntil: z.string().nullable().optional(),
  ignoreCount: z.number().nullable().optional(),
  /** Minutes. */
  ignoreWindow: z.number().nullable().optional(),
  ignoreUserCount: z.number().nullable().optional(),
  /** Minutes. */
  ignoreUserWindow: z.number().nullable().optional(),
  /** Of an issue that is archived until it escalates: above so many events in the hour that runs it does. */
  escalatesAbove: z.number().optional(),
  eventsThisHour: z.number().optional(),
  actor: person.nullable().optional(),
})

/** Somebody whose issue it is by a rule, as Sentry says it. */
export const issueOwner = z.object({
  type: z.enum(['ownershipRule', 'codeowners']),
  /** `user:1` or `team:2`. */
  owner: z.string(),
  name: z.string(),
  date_added: date,
  /** The line that decided. */
  rule: z.string(),
})
export type IssueOwner = z.output<typeof issueOwner>

export const issueStats = z.record(z.string(), series)

/** One row of the issue stream. Counts are of the asked time range; `count` is a string, as in Sentry. */
export const issue = z.object({
  id,
  shareId: z.string().nullable(),
  shortId: z.string(),
  title: z.string(),
  culprit: z.string(),
  permalink: z.string(),
  logger: z.string().nullable(),
  level: z.string(),
  status: issueStatus,
  statusDetails,
  substatus: issueSubstatus.nullable(),
  isPublic: z.boolean(),
  platform: z.string(),
  project: z.object({ id, name: z.string(), slug: z.string(), platform: z.string() }),
  type: z.string(),
  issueType: z.string(),
  issueCategory: z.string(),
  /** `{type, value, filename?, function?}` for errors, `{title}` for messages, `{directive, uri}` for CSP. */
  metadata: z.record(z.string(), z.unknown()),
  numComments: z.number(),
  assignedTo: actor.nullable(),
  isBookmarked: z.boolean(),
  isSubscribed: z.boolean(),
  subscriptionDetails: z.object({ reason: z.string() }).nullable(),
  hasSeen: z.boolean(),
  /** Its tickets in issue trackers. */
  annotations: z.array(z.object({ displayName: z.string(), url: z.string() })),
  priority: issuePriority,
  /** When somebody set it: then it stays. */
  priorityLockedAt: date.nullable(),
  /** Why it is what it is, in a sentence; null where somebody set it, or before its points were counted. */
  priorityReason: z.string().nullable().optional(),
  isUnhandled: z.boolean(),
  count: z.string(),
  userCount: z.number(),
  /** People who told us about it, whenever they did; spam does not count. */
  reporterCount: z.number(),
  firstSeen: date,
  lastSeen: date,
  /** Keyed by `groupStatsPeriod` (`24h`, `14d`, or `auto` for the asked range). */
  stats: issueStats,
  /** Counts over the whole life, where the row's may be of a time range; `collapse=lifetime` leaves them out. */
  lifetime: z.object({ count: z.string(), userCount: z.number(), firstSeen: date, lastSeen: date }).optional(),
  /** Whose it was found to be; lists have them with `expand=owners`. */
  owners: z.array(issueOwner).optional(),
  /** Why it waits to be looked at, with `expand=inbox`: 0 it is new, 2 it came back, 5 it escalates; null where it does not. */
  inbox: z.object({ reason: z.number(), reason_details: z.null(), date_added: date }).nullable().optional(),
  /** Where the search was the id of an event: that id. */
  matchingEventId: z.string().optional(),
})
export type Issue = z.output<typeof issue>

export const activity = z.object({
  id,
  /** `first_seen set_resolved set_resolved_in_release set_unresolved set_regression set_ignored assigned unassigned note merge unmerge set_priority archived_growth` */
  type: z.string(),
  /** Null when Firsthand did it by itself. */
  user: person.nullable(),
  data: z.record(z.string(), z.unknown()),
  dateCreated: date,
})
export type Activity = z.output<typeof activity>

export const topValue = z.object({
  key: z.string(),
  name: z.string(),
  value: z.string(),
  count: z.number(),
  firstSeen: date.nullable(),
  lastSeen: date.nullable(),
})

/** Tags that one comparison may ask for. */
export const MAX_COMPARED_TAGS = 30

export const issueTag = z.object({
  key: z.string(),
  name: z.string(),
  totalValues: z.number(),
  uniqueValues: z.number().optional(),
  topValues: z.array(topValue),
})
export type IssueTag = z.output<typeof issueTag>

export const releaseReference = z.object({
  version: z.string(),
  shortVersion: z.string(),
  dateCreated: date.nullable(),
  dateReleased: date.nullable(),
})

export const issueDetail = issue.extend({
  activity: z.array(activity),
  seenBy: z.array(z.unknown()),
  participants: z.array(person),
  pluginActions: z.array(z.unknown()),
  pluginIssues: z.array(z.unknown()),
  pluginContexts: z.array(z.unknown()),
  userReportCount: z.number(),
  tags: z.array(z.object({ key: z.string(), name: z.string(), totalValues: z.number() })),
  firstRelease: releaseReference.nullable(),
  lastRelease: releaseReference.nullable(),
})
export type IssueDetail = z.output<typeof issueDetail>

const searchText = { query: z.string().max(2000).optional() }

export const listIssues = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues/',
  query: z.object({
    /** Sentry's search syntax; absent means `is:unresolved`, empty means everything. */
    ...searchText,
    sort: issueSort.default('date'),
    ...timeRange,
    ...projectFilter,
    ...environmentFilter,
    ...paging,
    /** Only issues with these ids. */
    group: z
      .array(z.string().regex(/^\d{1,16}$/, 'An issue id is a number.'))
      .max(1000)
      .optional(),
    /** Buckets of `stats`: `24h`, `14d`, `auto` (the asked range) or empty for none. */
    groupStatsPeriod: z.string().max(8).optional(),
    /** `1`: a query that is a short id answers that issue alone. */
    shortIdLookup: z.string().max(8).optional(),
    expand: z.array(z.string().max(40)).max(20).optional(),
    collapse: z.array(z.string().max(40)).max(20).optional(),
  }),
  ok: z.array(issue),
  summary: 'The issue stream: search, sort, page (Link header, X-Hits)',
  scope: 'event:read',
})

export const countIssues = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues-count/',
  query: z.object({
    /** Searches, each counted by itself. */
    query: z.array(z.string().max(2000)).min(1).max(20),
    /**
     * Counting stops here, for those who only look: all of them are answered together, some seconds after a change. A search
     * that cannot be asked any more, as its project is gone, has null instead of refusing all.
     */
    upTo: number().pipe(z.int().min(1).max(COUNTED_ISSUES)).optional(),
    ...timeRange,
    ...projectFilter,
    ...environmentFilter,
  }),
  /** By search: everything that matches, which is what a change of all that match would reach. */
  ok: z.record(z.string(), z.number().nullable()),
  summary: 'How many issues match each of some searches, counted to the end',
  scope: 'event:read',
})

/** Which issues a bulk change is for: by `id`, or (without ids) all that match `query`. */
const bulkSelection = z.object({
  id: z
    .array(z.string().regex(/^\d{1,16}$/, 'An issue id is a number.'))
    .max(1000)
    .optional(),
  ...searchText,
  ...timeRange,
  ...projectFilter,
  ...environmentFilter,
})

const minutes = z.int().min(1).max(5_256_000).nullish()
const times = z.int().min(1).max(1_000_000_000).nullish()

/** Until when an issue stays archived. */
const archiveConditions = {
  ignoreDuration: minutes,
  ignoreUntil: z.string().max(40).nullish(),
  ignoreCount: times,
  ignoreWindow: minutes,
  ignoreUserCount: times,
  ignoreUserWindow: minutes,
}

/** In which release an issue counts as resolved: a version, or `latest`. */
const resolveConditions = {
  inNextRelease: z.boolean().nullish(),
  inRelease: z.string().max(250).nullish(),
  /** Refused with a sentence: releases have no commits yet. */
  inCommit: z.union([z.string().max(250), z.looseObject({})]).nullish(),
}

/** What would change nothing is refused, so that nobody believes that it was done. */
const allKnown = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `${issue.keys.map((key) => `"${key}"`).join(', ')} cannot be changed here, so nothing was. Known are: ${Object.keys(shape).join(', ')}.`
        : undefined,
  })

/** Characters of what is said to reporters when an issue is resolved. */
export const TOLD_CHARS = 4000

/** Who is told that an issue is resolved, when and what. */
export const telling = allKnown({
  /**
   * `now` (which is in ten minutes), `release` (when it is first seen), `never`. Without it: with the release in which the issue
   * is resolved, if one is named that was not seen yet; else now, or never, as the project's settings have it.
   */
  when: z.enum(['now', 'release', 'never']).optional(),
  /** Of `when: release`; without it the one in which the issue is resolved. */
  release: z.string().trim().min(1).max(250).optional(),
  /** By language (`pt`); others get the usual text. `{name}`, `{quote}`, `{release}` are filled in. */
  texts: z
    .record(
      z.string().regex(/^[a-z]{2}$/, 'A language is written in two letters: pt.'),
      z.string().trim().min(1).max(TOLD_CHARS),
    )
    .refine((texts) => Object.keys(texts).length <= 20, 'So many languages are not spoken here.')
    .optional(),
  /** Reports whose writers are not told. */
  except: z
    .array(z.string().regex(/^\d{1,15}$/, 'A report id is a number.'))
    .max(1000)
    .optional(),
})
export type Telling = z.output<typeof telling>

export const issueChange = allKnown({
  status: z
    .enum([...ISSUE_STATUSES, 'resolvedInNextRelease', 'reprocessing'])
    // What sentry-cli calls archiving.
    .or(z.literal('muted').transform(() => 'ignored' as const))
    .optional(),
  statusDetails: allKnown({ ...archiveConditions, ...resolveConditions }).nullish(),
  /** Sentry reads these here as well as in `statusDetails`. */
  ...archiveConditions,
  ...resolveConditions,
  /** What sentry-cli calls `ignoreDuration`; it sends null with every change. */
  snoozeDuration: minutes,
  substatus: issueSubstatus.nullable().optional(),
  /** `user:<id>`, `team:<id>`, `team:<slug>`, an e-mail, a user id, `me`; '' or null for nobody. */
  assignedTo: z.string().max(254).nullable().optional(),
  /** Null: as its points say. */
  priority: issuePriority.nullable().optional(),
  /** With a status that is resolved: who of those that wrote is told. */
  tell: telling.optional(),
  hasSeen: z.boolean().optional(),
  isBookmarked: z.boolean().optional(),
  isSubscribed: z.boolean().optional(),
  isPublic: z.literal(false, 'Issues are shown to members only.').optional(),
  /** True merges the selected issues into the one with the most events. */
  merge: z.union([z.boolean(), z.literal(1)]).optional(),
  /** True deletes the issue and drops all its future events. */
  discard: z.boolean().optional(),
})
export type IssueChange = z.output<typeof issueChange>

export const updateIssues = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/issues/',
  query: bulkSelection,
  body: issueChange,
  /** What now holds for all of them; with `merge`, parent and children. Null (204) where there were none. */
  ok: z
    .object({
      status: issueStatus.optional(),
      statusDetails: statusDetails.optional(),
      substatus: issueSubstatus.nullable().optional(),
      assignedTo: actor.nullable().optional(),
      priority: issuePriority.optional(),
      hasSeen: z.boolean().optional(),
      isBookmarked: z.boolean().optional(),
      isSubscribed: z.boolean().optional(),
      isPublic: z.boolean().optional(),
      merge: z.object({ parent: id, children: z.array(id) }).optional(),
      /** Ids of the issues that were changed. */
      changed: z.array(id).optional(),
    })
    .nullable(),
  summary: 'Change many issues: status, assignee, priority, merge',
  scope: 'event:write',
})

export const deleteIssues = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/issues/',
  query: bulkSelection,
  ok: empty,
  summary: 'Delete many issues with their events; may be undone for a while',
  scope: 'event:admin',
})

export const restoreIssues = endpoint({
  method: 'POST',
  path: '/organizations/{org}/issues/restore/',
  body: z.object({
    ids: z
      .array(z.string().regex(/^\d{1,16}$/, 'An issue id is a number.'))
      .min(1)
      .max(1000),
  }),
  ok: z.object({ restored: z.array(id) }),
  summary: 'Undo a deletion that is not yet carried out',
  scope: 'event:admin',
})

export const getIssue = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues/{issue}/',
  query: z.object({
    ...environmentFilter,
    expand: z.array(z.string().max(40)).max(20).optional(),
    collapse: z.array(z.string().max(40)).max(20).optional(),
  }),
  ok: issueDetail,
  summary: 'One issue, by id or short id',
  scope: 'event:read',
})

export const updateIssue = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/issues/{issue}/',
  body: issueChange,
  ok: issueDetail,
  summary: 'Change one issue',
  scope: 'event:write',
})

export const deleteIssue = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/issues/{issue}/',
  ok: empty,
  summary: 'Delete one issue with its events (202); may be undone for a while',
  scope: 'event:admin',
})

export const listIssueTags = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues/{issue}/tags/',
  query: z.object({
    /** Only these keys. */
    key: z.array(z.string().max(200)).max(100).optional(),
    /** Values per key. */
    limit: number().pipe(z.int().min(1).max(100)).optional(),
    ...environmentFilter,
    ...timeRange,
  }),
  ok: z.array(issueTag),
  summary: "Distributions of an issue's tags",
  scope: 'event:read',
})

/** How often an issue's events and the other events of its project have the same values of tags. */
export const tagComparison = z.object({
  /** Events that were looked at: all, or of very many an even choice. */
  events: z.number(),
  otherEvents: z.number(),
  /** How many of them have the value. */
  values: z.array(z.object({ key: z.string(), value: z.string(), count: z.number(), otherCount: z.number() })),
})
export type TagComparison = z.output<typeof tagComparison>

export const compareIssueTags = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues/{issue}/tags-compared/',
  query: z.object({
    key: z.array(z.string().max(200)).min(1).max(MAX_COMPARED_TAGS),
    ...environmentFilter,
    ...timeRange,
  }),
  ok: tagComparison,
  summary: "An issue's most frequent values of some tags, counted among its events and the others of its project",
  scope: 'event:read',
})

export const getIssueTag = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues/{issue}/tags/{key}/',
  query: z.object({ ...environmentFilter, ...timeRange }),
  ok: issueTag,
  summary: 'One tag of an issue with its most frequent values',
  scope: 'event:read',
})

export const listIssueTagValues = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues/{issue}/tags/{key}/values/',
  query: z.object({
    sort: z.enum(['count', 'date', 'age']).default('count'),
    query: z.string().max(200).optional(),
    ...environmentFilter,
    ...timeRange,
    ...paging,
  }),
  ok: z.array(topValue),
  summary: 'All values of one tag of an issue',
  scope: 'event:read',
})

export const listIssueHashes = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues/{issue}/hashes/',
  query: z.object({ full: z.string().max(8).optional(), ...paging }),
  ok: z.array(
    z.object({
      id: z.string(),
      groupingVersion: z.string(),
      dateCreated: date,
      latestEvent: z
        .object({ id, eventID: z.string(), title: z.string(), culprit: z.string(), dateCreated: date })
        .nullable(),
    }),
  ),
  summary: 'The grouping hashes that lead to an issue',
  scope: 'event:read',
})

export const unmergeIssueHashes = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/issues/{issue}/hashes/',
  query: z.object({
    id: z
      .array(z.string().regex(/^[0-9a-f]{32}$/, 'A hash is 32 hexadecimal characters.'))
      .min(1)
      .max(100),
  }),
  ok: empty,
  summary: 'Unmerge: hashes leave the issue and get one of their own',
  scope: 'event:write',
})

export const listIssueActivities = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues/{issue}/activities/',
  /** `truncated`: there are older entries. */
  ok: z.object({ activity: z.array(activity), truncated: z.boolean() }),
  summary: 'What happened to an issue, newest first',
  scope: 'event:read',
})

const noteBody = z.object({ text: z.string().trim().min(1).max(10_000) })

export const listIssueNotes = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues/{issue}/notes/',
  query: z.object({ ...paging }),
  ok: z.array(activity),
  summary: 'Notes on an issue, newest first',
  scope: 'event:read',
})

export const createIssueNote = endpoint({
  method: 'POST',
  path: '/organizations/{org}/issues/{issue}/notes/',
  body: noteBody,
  /** Whom it names by `@handle` or `#team`: `reason` says why nobody is told, where that is so. */
  ok: activity.extend({
    mentions: z
      .array(z.object({ handle: z.string(), name: z.string().nullable(), reason: z.string().nullable() }))
      .optional(),
  }),
  summary: 'Write a note (201); members and teams that it names are told of it',
  scope: 'event:write',
})

export const updateIssueNote = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/issues/{issue}/notes/{note}/',
  body: noteBody,
  ok: activity,
  summary: "Change one's own note",
  scope: 'event:write',
})

export const deleteIssueNote = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/issues/{issue}/notes/{note}/',
  ok: empty,
  summary: "Delete one's own note",
  scope: 'event:write',
})

export const getIssueStats = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues/{issue}/stats/',
  query: z.object({ ...environmentFilter, ...timeRange, interval: statsPeriod.optional() }),
  ok: z.object({ data: series, users: series.optional(), start: date, end: date, intervalSeconds: z.number() }),
  summary: 'Events (and users) of an issue over time',
  scope: 'event:read',
})

export const listIssueStats = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues-stats/',
  query: z.object({
    groups: z
      .array(z.string().regex(/^\d{1,16}$/, 'An issue id is a number.'))
      .min(1)
      .max(100),
    /** Conditions on events: those that meet them are counted apart, as `filtered`. */
    ...searchText,
    groupStatsPeriod: z.string().max(8).optional(),
    ...timeRange,
    ...projectFilter,
    ...environmentFilter,
  }),
  ok: z.array(
    z.object({
      id,
      count: z.string(),
      userCount: z.number(),
      firstSeen: date.nullable(),
      lastSeen: date.nullable(),
      isUnhandled: z.boolean(),
      stats: issueStats,
      lifetime: z.object({ count: z.string(), userCount: z.number(), firstSeen: date, lastSeen: date }).optional(),
      /** Of the events that `query` is about; null where it says nothing of events. */
      filtered: z
        .object({
          count: z.string(),
          userCount: z.number(),
          /** Null where there are none. */
          firstSeen: date.nullable(),
          lastSeen: date.nullable(),
        })
        .nullable(),
    }),
  ),
  summary: 'Counts and sparklines of given issues; and of their events that match a search',
  scope: 'event:read',
})

export const getShortId = endpoint({
  method: 'GET',
  path: '/organizations/{org}/shortids/{shortId}/',
  ok: z.object({
    organizationSlug: z.string(),
    projectSlug: z.string(),
    groupId: id,
    shortId: z.string(),
    group: issue,
  }),
  summary: 'Find an issue by its short id',
  scope: 'event:read',
})

/** What frozen issues are changed to; what is one's own, merging and deleting are not among it. */
const setChange = issueChange
  .omit({
    tell: true,
    merge: true,
    discard: true,
    hasSeen: true,
    isBookmarked: true,
    isSubscribed: true,
    isPublic: true,
  })
  .extend({
    /** With a status that is resolved: `never` tells nobody of those that wrote. Without it, as each project's settings have it. */
    tell: allKnown({ when: z.enum(['now', 'never']) }).optional(),
  })

export const freezeIssues = endpoint({
  method: 'POST',
  path: '/organizations/{org}/issue-sets/',
  /** Everything that matches, as in `listIssues`. */
  body: z.object({
    query: z.string().max(2000),
    /** Of the examples: that of the list which they stand in. */
    sort: issueSort.optional(),
    ...timeRange,
    ...projectFilter,
    ...environmentFilter,
  }),
  ok: z.object({
    id,
    count: z.number(),
    /** Of all of them, how many people wrote about each; they are told when it is resolved. */
    reporterCount: z.number(),
    /** The first of them, in the order that was asked for. */
    examples: z.array(issue),
    /** Until when they can be changed, and the change taken back. */
    expires: date,
  }),
  summary: 'Freeze the issues that match (201), to be changed together: how many, and examples',
  scope: 'event:write',
})

export const applyIssueSet = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/issue-sets/{set}/',
  body: setChange,
  ok: z.object({
    changed: z.number(),
    /** Were deleted or merged since. */
    gone: z.number(),
    undoUntil: date,
  }),
  summary: 'Change frozen issues, exactly those; asked for again, the same change is answered the same',
  scope: 'event:write',
})

export const undoIssueSet = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/issue-sets/{set}/',
  ok: z.object({
    restored: z.number(),
    /** Were changed since, and are left. */
    left: z.number(),
  }),
  summary: 'Take a change of frozen issues back: each is as it was before',
  scope: 'event:write',
})
