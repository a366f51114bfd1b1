import { z } from './zod.ts'
import { date } from './common.ts'
import { endpoint } from './endpoint.ts'
import { getProjectEvent, queryEventStats } from './events.ts'
import { listIssues } from './issues.ts'
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

export const getOrganizationEvent = endpoint({
  method: 'GET',
  path: '/organizations/{org}/events/{event}/',
  ok: getProjectEvent.ok,
  summary: 'One event, named `project:event`',
  scope: 'event:read',
})

const seriesQuery = queryEventStats.query

export const getEventsTimeseries = endpoint({
  method: 'GET',
  path: '/organizations/{org}/events-timeseries/',
  query: seriesQuery.extend({
    yAxis: z
      .array(z.enum(['count()', 'count_unique(user)']))
      .max(2)
      .optional(),
  }),
  ok: z.object({
    timeSeries: z.array(
      z.object({
        yAxis: z.string(),
        /** Milliseconds since the epoch. */
        values: z.array(z.object({ timestamp: z.number(), value: z.number(), incomplete: z.boolean() })),
        meta: z.object({ valueType: z.string(), valueUnit: z.null(), interval: z.number() }),
      }),
    ),
    /** Milliseconds since the epoch. */
    meta: z.object({ dataset: z.string(), start: z.number(), end: z.number() }),
  }),
  summary: 'Time series of events (errors), as newer Sentry clients ask for them',
  scope: 'event:read',
})

const COLUMNS = ['outcome', 'category', 'reason', 'project'] as const

export const getOrganizationStats = endpoint({
  method: 'GET',
  path: '/organizations/{org}/stats_v2/',
  query: seriesQuery.pick({ statsPeriod: true, start: true, end: true, project: true, interval: true }).extend({
    /** `sum(quantity)` is the only one. */
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
