import { z } from './zod.ts'
import { date, environmentFilter, fileFormat, id, number, projectFilter, scopeQuery } from './common.ts'
import { endpoint } from './endpoint.ts'
import { attribute } from './traces.ts'

/** Structured log lines: what programs write while they run. */

/** From the least to the most serious. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
const level = z.enum(LOG_LEVELS)
export type LogLevel = z.output<typeof level>

/** Lines of one page, and of what came since the last answer. */
export const LOG_PAGE_MAX = 500
export const LOG_TAIL_MAX = 3000

/** Where a line stands among all: in the order of these texts, lines are in the order of time. */
const place = z.string().max(64)

const search = {
  ...scopeQuery,
  query: z.string().max(2000).optional(),
}

const limitOf = (maximum: number) => number().pipe(z.int().min(1).max(maximum)).optional()

/** A line in a list: the beginning of its body, and what its sender wrote beside it. */
export const logLine = z.object({
  id: z.string(),
  place,
  projectId: id,
  timestamp: date,
  level,
  body: z.string(),
  /** There is more of it. */
  isCut: z.boolean(),
  /** What it has in common with lines like it. */
  pattern: z.string(),
  service: z.string(),
  logger: z.string(),
  /** '' when it belongs to none. */
  traceId: z.string(),
  spanId: z.string(),
  /** Values are cut; what SDKs add by themselves is left out. */
  attributes: z.array(attribute),
})
export type LogLine = z.output<typeof logLine>

export const listLogs = endpoint({
  method: 'GET',
  path: '/organizations/{org}/logs/',
  query: z.object({
    ...search,
    /** Lines older than this place; without it and `after`, the newest. */
    before: place.optional(),
    /** The lines that follow this place. */
    after: place.optional(),
    limit: limitOf(LOG_PAGE_MAX),
    format: fileFormat,
  }),
  ok: z.object({
    /** Newest first. */
    lines: z.array(logLine),
    /** What `before` has to be for those before them; null when there are none. */
    older: place.nullable(),
    /** The same for those after them. */
    newer: place.nullable(),
    /** How far back was looked, when not all of the time was: many lines had to be read for few that match. */
    searchedTo: date.nullable(),
  }),
  summary: 'Log lines that match a search, newest first',
  scope: 'event:read',
})

export const tailLogs = endpoint({
  method: 'GET',
  path: '/organizations/{org}/logs/tail/',
  query: z.object({
    ...projectFilter,
    ...environmentFilter,
    query: search.query,
    /** `next` of the answer before; without it, only `next` is told. */
    after: z.string().max(20).optional(),
    limit: limitOf(LOG_TAIL_MAX),
  }),
  ok: z.object({
    /** Newest first; what came since, also when it was written earlier. */
    lines: z.array(logLine),
    next: z.string(),
    /** So many more came, which are not among them. */
    skipped: z.number(),
  }),
  summary: 'Log lines that came since the last answer',
  scope: 'event:read',
})

const counts = z.object({
  trace: z.number(),
  debug: z.number(),
  info: z.number(),
  warn: z.number(),
  error: z.number(),
  fatal: z.number(),
})
export type LogCounts = z.output<typeof counts>

export const getLogVolume = endpoint({
  method: 'GET',
  path: '/organizations/{org}/logs/volume/',
  query: z.object(search),
  ok: z.object({
    total: counts,
    /** In the equally long time before. */
    before: counts,
    /** Seconds. */
    interval: z.number(),
    /** Seconds since the epoch of the first step. */
    start: z.number(),
    /** Lines by level, in the order of `LOG_LEVELS`, for each step. */
    steps: z.array(z.array(z.number())),
  }),
  summary: 'How many log lines match a search, by level and over time',
  scope: 'event:read',
})

export const getLogFacets = endpoint({
  method: 'GET',
  path: '/organizations/{org}/logs/facets/',
  query: z.object({
    ...search,
    /** Attributes whose values are counted besides the usual ones. */
    attribute: z.array(z.string().max(200)).max(5).optional(),
  }),
  ok: z.object({
    facets: z.array(
      z.object({
        /** As it is searched for. */
        key: z.string(),
        /** Most frequent first, whatever the search asks of this key; lines without a value are not counted. */
        values: z.array(z.object({ value: z.string(), count: z.number() })),
        hasMore: z.boolean(),
      }),
    ),
    /** Attributes of the newest lines, most frequent first. */
    attributes: z.array(z.object({ name: z.string(), type: attribute.shape.type })),
  }),
  summary: 'The values of log lines that match a search, by count',
  scope: 'event:read',
})

export const wholeLog = logLine.extend({
  /** Digits of nanoseconds since the epoch. */
  precise: z.string(),
  severity: z.number(),
  environment: z.string(),
  release: z.string(),
  server: z.string(),
  sdk: z.string(),
  received: date,
  /** Characters of body and attributes. */
  size: z.number(),
  /** Sentences about what was changed or left out when it was stored. */
  notes: z.array(z.string()),
})
export type WholeLog = z.output<typeof wholeLog>

export const getLog = endpoint({
  method: 'GET',
  path: '/organizations/{org}/logs/lines/{log}/',
  ok: wholeLog,
  summary: 'One log line, whole, with all of its attributes',
  scope: 'event:read',
})
