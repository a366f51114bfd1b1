import { z } from './zod.ts'
import { cursor, date, environmentFilter, flag, id, pageLimit, scopeQuery } from './common.ts'
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

const conditions = z.object({
  healthy: z.number(),
  errored: z.number(),
  /** An error that nobody handled, of SDKs that tell it from a crash. */
  unhandled: z.number(),
  abnormal: z.number(),
  crashed: z.number(),
})

const share = {
  sessions: z.number(),
  users: z.number(),
  /** Of all releases of these projects together. */
  ofSessions: z.number(),
  ofUsers: z.number(),
}

const stage = z.enum(['low', 'adopted', 'replaced'])

const ends = {
  version: z.string(),
  /** How they ended, in the time that is asked for. */
  sessions: conditions.extend({ total: z.number() }),
  /** People by the worst that they had; 0 in total where nobody is named. */
  users: conditions.extend({ total: z.number() }),
  /** From 0 to 1; null where there is nothing of which it would be a share. */
  crashFreeSessions: z.number().nullable(),
  crashFreeUsers: z.number().nullable(),
  /** Milliseconds, of sessions that ended well and were timed. */
  duration: z.object({ p50: z.number(), p90: z.number() }).nullable(),
}

const health = z.object({
  ...ends,
  /** How much of its projects it is in the last day, and in each environment that has a name. */
  lastDay: z.object({
    ...share,
    environments: z.array(z.object({ ...share, projectId: id, environment: z.string(), stage })),
  }),
})
export type ReleaseHealth = z.output<typeof health>
export type AdoptionStage = z.output<typeof stage>

export const listReleaseHealth = endpoint({
  method: 'GET',
  path: '/organizations/{org}/release-health/',
  query: z.object({
    release: z.array(z.string().max(250)).min(1).max(100),
    ...scopeQuery,
  }),
  /** Of those that had sessions: nothing is known of the others. */
  ok: z.array(health),
  summary: 'How sessions of several releases ended, and how many people run them',
  scope: 'project:read',
})

const course = z.object({
  ...ends,
  /** When its first session began. */
  since: date,
  /** Sessions of each step since then, and how many of them crashed. */
  steps: z.array(z.tuple([z.number(), z.number()])),
})
export type ReleaseCourse = z.output<typeof course>

export const getReleaseHealth = endpoint({
  method: 'GET',
  path: '/organizations/{org}/releases/{version}/health/',
  query: z.object(environmentFilter),
  ok: z.object({
    /** Null where no session of it was sent. */
    release: course.nullable(),
    /** The one before it that had sessions, as it was at the same age; null for none. */
    before: course.nullable(),
    /** Seconds of a step of both. */
    interval: z.number(),
    lastDay: health.shape.lastDay,
    /** Sessions of its projects, up to now: of it, of the one before it, and of all releases together. */
    adoption: z.object({
      start: date,
      interval: z.number(),
      steps: z.array(z.tuple([z.number(), z.number(), z.number()])),
    }),
  }),
  summary: 'How sessions of a release ended, beside those of the release before, and how much of all it became',
  scope: 'project:read',
})
