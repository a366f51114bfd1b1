import { z } from './zod.ts'
import { date, statsPeriod } from './common.ts'
import { endpoint } from './endpoint.ts'
import { getMe } from './accounts.ts'
import { getProjectEvent, queryEvents, queryEventStats } from './events.ts'
import { createIssueNote, deleteIssues, issueStatus, listIssueNotes, listIssues, updateIssues } from './issues.ts'
import { listEnvironments, listMembers, listTagValuesOfOrganization, listTeams } from './organizations.ts'
import { OUTCOMES } from './receipts.ts'

/**
 * Older and parallel addresses of Sentry's API that scripts and dashboards know. They answer what other endpoints answer;
 * the console does not use them.
 */

export const listProjectIssues = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/issues/',
  query: listIssues.query.omit({ project: true }),
  ok: listIssues.ok,
  summary: 'The issue stream of one project',
  scope: 'event:read',
})

/** Only issues that have this status, when no ids are given. */
const ofStatus = { status: issueStatus.or(z.literal('muted').transform(() => 'ignored' as const)).optional() }

/** Without ids, query and status, a change of the status is for every issue of the project: sentry-cli's `--all`. */
export const updateProjectIssues = endpoint({
  method: 'PUT',
  path: '/projects/{org}/{project}/issues/',
  query: updateIssues.query.omit({ project: true }).extend(ofStatus),
  body: updateIssues.body,
  ok: updateIssues.ok,
  summary: 'Change many issues of one project',
  scope: 'event:write',
})

export const deleteProjectIssues = endpoint({
  method: 'DELETE',
  path: '/projects/{org}/{project}/issues/',
  query: deleteIssues.query.omit({ project: true }).extend(ofStatus),
  ok: deleteIssues.ok,
  summary: 'Delete many issues of one project; may be undone for a while',
  scope: 'event:admin',
})

export const listProjectTagValues = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/tags/{key}/values/',
  query: listTagValuesOfOrganization.query.omit({ project: true, dataset: true }),
  ok: listTagValuesOfOrganization.ok,
  summary: 'Values of one tag in one project',
  scope: 'event:read',
})

export const getAuth = endpoint({
  method: 'GET',
  path: '/auth/',
  ok: getMe.ok,
  summary: "Who is calling: Sentry's older name of /users/me/",
  scope: 'signed-in',
})

export const listProjectEnvironments = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/environments/',
  ok: listEnvironments.ok,
  summary: 'Environments that were seen in one project',
  scope: 'project:read',
})

export const listProjectTeams = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/teams/',
  ok: listTeams.ok,
  summary: 'Teams that have the project',
  scope: 'project:read',
})

export const listProjectMembers = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/members/',
  ok: listMembers.ok,
  summary: 'Members who are in a team of the project',
  scope: 'member:read',
})

export const getOrganizationEvent = endpoint({
  method: 'GET',
  path: '/organizations/{org}/events/{event}/',
  ok: getProjectEvent.ok,
  summary: 'One event, or transaction, named `project:event`',
  scope: 'event:read',
})

const seriesQuery = queryEventStats.query.omit({ field: true })

export const getEventsTimeseries = endpoint({
  method: 'GET',
  path: '/organizations/{org}/events-timeseries/',
  query: seriesQuery.extend({
    /** With `topEvents`: one series for each of the most frequent values of these. */
    groupBy: z.array(z.string().max(500)).max(20).optional(),
  }),
  ok: z.object({
    timeSeries: z.array(
      z.object({
        yAxis: z.string(),
        groupBy: z.array(z.object({ key: z.string(), value: z.unknown() })).optional(),
        /** Milliseconds since the epoch; `incomplete` where rows may still arrive. */
        values: z.array(
          z.object({
            timestamp: z.number(),
            value: z.number().nullable(),
            incomplete: z.boolean(),
            incompleteReason: z.string().optional(),
            comparisonValue: z.number().nullable().optional(),
            sampleCount: z.number().optional(),
            sampleRate: z.number().nullable().optional(),
            confidence: z.enum(['high', 'low']).nullable().optional(),
          }),
        ),
        meta: z.object({
          valueType: z.string(),
          valueUnit: z.string().nullable(),
          interval: z.number(),
          order: z.number().optional(),
          isOther: z.boolean().optional(),
          dataScanned: z.enum(['full', 'partial']).optional(),
        }),
      }),
    ),
    /** Milliseconds since the epoch. */
    meta: z.object({ dataset: z.string(), start: z.number(), end: z.number() }),
  }),
  summary: 'Time series of errors, spans, …, as newer Sentry clients ask for them',
  scope: 'event:read',
})

/** What a query of events and a query of tags have in common. */
const eventScope = queryEventStats.query.pick({
  query: true,
  dataset: true,
  statsPeriod: true,
  start: true,
  end: true,
  project: true,
  environment: true,
})

export const getEventsMeta = endpoint({
  method: 'GET',
  path: '/organizations/{org}/events-meta/',
  query: eventScope,
  ok: z.object({ count: z.number() }),
  summary: 'How many errors, spans, … match a query',
  scope: 'event:read',
})

/** What a player of replays asks of errors: by `replayId:` or `id:`, in all projects. */
export const getReplayEventsMeta = endpoint({
  method: 'GET',
  path: '/organizations/{org}/replays-events-meta/',
  query: eventScope.extend({
    sort: queryEvents.query.shape.sort,
    per_page: queryEvents.query.shape.per_page,
    cursor: queryEvents.query.shape.cursor,
  }),
  ok: z.object({
    data: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        level: z.string(),
        /** Short id. */
        issue: z.string(),
        'issue.id': z.number(),
        'project.name': z.string(),
        'error.type': z.array(z.string()),
        timestamp: date,
      }),
    ),
    meta: z.record(z.string(), z.unknown()),
  }),
  summary: 'Errors as players of replays mark them',
  scope: 'event:read',
})

const validated = z.object({ valid: z.boolean(), error: z.string().nullable() })
const attribute = validated.extend({
  name: z.string(),
  attrType: z.enum(['string', 'number', 'boolean']).nullable(),
})

export const validateEvents = endpoint({
  method: 'GET',
  path: '/organizations/{org}/events/validate/',
  query: eventScope.extend({
    field: z.array(z.string().max(500)).max(20).default([]),
    orderby: z.array(z.string().max(501)).max(4).default([]),
    sort: z.array(z.string().max(501)).max(4).default([]),
  }),
  ok: z.object({
    valid: z.boolean(),
    projects: z.array(validated),
    dataset: z.array(validated.extend({ name: z.string() })),
    environment: z.array(validated),
    field: z.array(attribute),
    query: validated.extend({ fields: z.array(attribute) }),
    orderby: z.array(attribute),
  }),
  summary: 'What of a query of events would be refused, and why',
  scope: 'event:read',
})

export const getEventsFacets = endpoint({
  method: 'GET',
  path: '/organizations/{org}/events-facets/',
  query: eventScope,
  ok: z.array(
    z.object({
      key: z.string(),
      topValues: z.array(z.object({ name: z.string(), value: z.string(), count: z.number() })),
    }),
  ),
  summary: 'Tags of the errors, spans, … that match a query, with their most frequent values',
  scope: 'event:read',
})

export const listIssueComments = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues/{issue}/comments/',
  query: listIssueNotes.query,
  ok: listIssueNotes.ok,
  summary: "Notes on an issue: Sentry's other name of them",
  scope: 'event:read',
})

export const createIssueComment = endpoint({
  method: 'POST',
  path: '/organizations/{org}/issues/{issue}/comments/',
  body: createIssueNote.body,
  ok: createIssueNote.ok,
  summary: "Write a note (201): Sentry's other name of it",
  scope: 'event:write',
})

export const listProjectFilters = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/filters/',
  ok: z.array(z.object({ id: z.string(), active: z.boolean() })),
  summary: 'Which of the inbound filters are on',
  scope: 'project:read',
})

const COLUMNS = ['outcome', 'category', 'reason', 'project'] as const

export const getOrganizationStats = endpoint({
  method: 'GET',
  path: '/organizations/{org}/stats_v2/',
  query: seriesQuery.pick({ statsPeriod: true, start: true, end: true, project: true }).extend({
    interval: statsPeriod.optional(),
    /** `sum(quantity)`, `sum(times_seen)`. */
    field: z.array(z.string().max(40)).max(4).optional(),
    groupBy: z.array(z.enum(COLUMNS)).max(COLUMNS.length).optional(),
    category: z.array(z.string().max(64)).max(40).optional(),
    outcome: z.array(z.enum(OUTCOMES)).max(OUTCOMES.length).optional(),
    reason: z.array(z.string().max(64)).max(40).optional(),
  }),
  ok: z.object({
    start: date,
    end: date,
    intervals: z.array(date),
    groups: z.array(
      z.object({
        by: z.record(z.string(), z.union([z.string(), z.number()])),
        totals: z.record(z.string(), z.number()),
        series: z.record(z.string(), z.array(z.number())),
      }),
    ),
  }),
  summary: 'Outcomes of what was sent, summed by category, outcome, reason or project',
  scope: 'org:read',
})
