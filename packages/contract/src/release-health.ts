import { z } from './zod.ts'
import { cursor, date, flag, pageLimit, scopeQuery } from './common.ts'
import { endpoint } from './endpoint.ts'

/** How many sessions of a program ended well, and how many people had them. */

const numbers = z.record(z.string(), z.number().nullable())

export const querySessions = endpoint({
  method: 'GET',
  path: '/organizations/{org}/sessions/',
  query: z.object({
    /** `sum(session)`, `count_unique(user)`, `crash_free_rate(user)`, … */
    field: z.array(z.string().max(60)).min(1).max(20),
    /** `project`, `release`, `environment`, `session.status`. */
    groupBy: z.array(z.string().max(60)).max(4).optional(),
    /** A part of a day; an hour when it is not named. */
    interval: z.string().max(12).optional(),
    query: z.string().max(2000).optional(),
    /** One of the fields; `-` before it puts the largest first. */
    orderBy: z.string().max(60).optional(),
    includeTotals: flag().optional(),
    includeSeries: flag().optional(),
    per_page: pageLimit.optional(),
    cursor,
    ...scopeQuery,
  }),
  ok: z.object({
    start: date,
    end: date,
    query: z.string(),
    /** When each step begins. */
    intervals: z.array(date),
    groups: z.array(
      z.object({
        by: z.record(z.string(), z.union([z.string(), z.number()])),
        totals: numbers.optional(),
        series: z.record(z.string(), z.array(z.number().nullable())).optional(),
      }),
    ),
  }),
  summary: 'Sessions by how they ended, people who had them, and rates without crashes, over time',
  scope: 'project:read',
})
