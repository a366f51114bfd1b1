import { z } from './zod.ts'
import { cursor, date, fileFormat, id, number, pageLimit, projectFilter, scopeQuery, timeRange } from './common.ts'
import { endpoint } from './endpoint.ts'

/** Traces and their spans, and transactions: what one service did for one request or page. */

const milliseconds = z.number()
/** 0 to 1; null when nothing was counted. */
const share = z.number().nullable()

/** What an SDK measured about one span that has no field of its own. */
export const attribute = z.object({
  name: z.string(),
  type: z.enum(['string', 'number', 'boolean', 'array']),
  value: z.union([z.string(), z.number(), z.boolean(), z.array(z.unknown())]),
})
export type Attribute = z.output<typeof attribute>

/** Bits of `spans.flags`. */
export const SPAN_FLAGS = {
  /** The root of what one service did: a transaction. */
  segment: 1,
  failed: 2,
  /** It names a parent that is not there. */
  orphan: 4,
  /** It was its own ancestor; shown as a root. */
  cycle: 8,
} as const

/**
 * The spans of a trace as columns: entry `i` of every list is about the same span. Depth first, children in the order in
 * which they began, so that the descendants of span `i` are the `descendants[i]` entries behind it.
 */
const spanColumns = z.object({
  id: z.array(z.string()),
  /** Index of the parent; -1 for roots. */
  parent: z.array(z.number()),
  depth: z.array(z.number()),
  descendants: z.array(z.number()),
  /** Microseconds after the start of the trace, as the clock of its service said. */
  start: z.array(z.number()),
  /** Microseconds. */
  duration: z.array(z.number()),
  /** Microseconds of it in which none of its children ran. */
  selfTime: z.array(z.number()),
  /** Microseconds by which it is drawn later (or earlier), because its service's clock differs from its parent's. */
  shift: z.array(z.number()),
  /** Indexes in `words`. */
  op: z.array(z.number()),
  /** What it did, else what it is called. */
  name: z.array(z.number()),
  transaction: z.array(z.number()),
  status: z.array(z.number()),
  /** Index in `projects`. */
  project: z.array(z.number()),
  flags: z.array(z.number()),
})

export const trace = z.object({
  traceId: z.string(),
  /** Of its first span or error. */
  start: date,
  /** From its first to its last moment, as it is drawn. */
  duration: milliseconds,
  projects: z.array(z.object({ id, slug: z.string() })),
  /** Each text of the spans once. */
  words: z.array(z.string()),
  spans: spanColumns,
  /** Errors that name this trace, oldest first. */
  errors: z.array(
    z.object({
      eventId: z.string(),
      issueId: id,
      shortId: z.string(),
      title: z.string(),
      level: z.string(),
      projectId: id,
      timestamp: date,
      /** '' when it names no span. */
      spanId: z.string(),
    }),
  ),
  /** Problems that its spans show. */
  findings: z.array(
    z.object({
      eventId: z.string(),
      issueId: id,
      shortId: z.string(),
      title: z.string(),
      projectId: id,
      /** Spans that are the problem. */
      spanIds: z.array(z.string()),
    }),
  ),
  /** Log lines that name this trace, oldest first. */
  logs: z.array(
    z.object({
      id: z.string(),
      projectId: id,
      timestamp: date,
      level: z.string(),
      /** The beginning. */
      body: z.string(),
      /** '' when it names no span. */
      spanId: z.string(),
    }),
  ),
  /** There are more spans, errors or log lines, which are not shown. */
  truncated: z.boolean(),
})
export type Trace = z.output<typeof trace>

export const getTrace = endpoint({
  method: 'GET',
  path: '/organizations/{org}/traces/{trace}/',
  ok: trace,
  summary: 'All spans of a trace, over all projects, as columns in the order of a waterfall',
  scope: 'event:read',
})

export const span = z.object({
  id: z.string(),
  traceId: z.string(),
  /** '' for roots. */
  parentId: z.string(),
  projectId: id,
  start: date,
  /** The start, in microseconds since the epoch. */
  startMicroseconds: z.number(),
  duration: milliseconds,
  op: z.string(),
  name: z.string(),
  /** What it did, where that says more than the name: a query, an address; else ''. */
  description: z.string(),
  status: z.string(),
  transaction: z.string(),
  isSegment: z.boolean(),
  /** Of a transaction, the id of the event as which it came; '' for other spans, and where it was not kept. */
  eventId: z.string(),
  environment: z.string(),
  release: z.string(),
  sdk: z.string(),
  attributes: z.array(attribute),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string(), attributes: z.array(attribute) })),
  /** Sentences about what was changed or left out when it was stored. */
  notes: z.array(z.string()),
})
export type Span = z.output<typeof span>

export const getSpan = endpoint({
  method: 'GET',
  path: '/organizations/{org}/traces/{trace}/spans/{span}/',
  query: z.object(projectFilter),
  ok: span,
  summary: 'One span with all of its attributes',
  scope: 'event:read',
})

export const TRANSACTION_SORTS = [
  'transaction',
  'count',
  'failureRate',
  'p50',
  'p75',
  'p95',
  'p99',
  'apdex',
  'userMisery',
  'users',
  'total',
] as const

const transactionNumbers = z.object({
  /** How many there were, also those that senders left out. */
  count: z.number(),
  /** From how many that were kept all of this follows. */
  samples: z.number(),
  perMinute: z.number(),
  failureRate: share,
  p50: milliseconds,
  p75: milliseconds,
  p95: milliseconds,
  p99: milliseconds,
  /** With a threshold of `apdexThreshold`. */
  apdex: share,
  users: z.number(),
  userMisery: z.number(),
  /** Of all of them together. */
  total: milliseconds,
})

export const transactionSummary = transactionNumbers.extend({
  transaction: z.string(),
  op: z.string(),
  projectId: id,
  projectSlug: z.string(),
  /** The same for the equally long time before; null when there was none. */
  before: z.object({ count: z.number(), samples: z.number(), p95: milliseconds }).nullable(),
})
export type TransactionSummary = z.output<typeof transactionSummary>

export const listTransactions = endpoint({
  method: 'GET',
  path: '/organizations/{org}/transactions/',
  query: z.object({
    ...scopeQuery,
    /** A search for their roots, by attributes of spans; words are parts of the name, whatever the case. */
    query: z.string().max(2000).optional(),
    /** With `-` for the largest first. */
    sort: z
      .enum(
        TRANSACTION_SORTS.flatMap((name) => [name, `-${name}`] as const),
        { error: `Transactions are sorted by one of: ${TRANSACTION_SORTS.join(', ')}; with - for the largest first.` },
      )
      .optional(),
    cursor,
    limit: pageLimit.optional(),
    format: fileFormat,
  }),
  ok: z.object({ apdexThreshold: milliseconds, transactions: z.array(transactionSummary) }),
  summary: 'Transactions by name: how many, how slow, how many failed',
  scope: 'event:read',
})

export const getTransaction = endpoint({
  method: 'GET',
  path: '/organizations/{org}/transactions/summary/',
  query: z.object({
    ...scopeQuery,
    transaction: z.string().max(400),
    /** Of its root; without it, all. */
    op: z.string().max(128).optional(),
    /** As of the list: only runs that it finds are told of. */
    query: z.string().max(2000).optional(),
    samples: number().pipe(z.int().min(1).max(50)).optional(),
  }),
  ok: z.object({
    apdexThreshold: milliseconds,
    summary: transactionNumbers,
    /** Seconds. */
    interval: z.number(),
    /** `at` in seconds since the epoch; percentiles are null where nothing was counted. The last may not have ended. */
    series: z.array(
      z.object({
        at: z.number(),
        count: z.number(),
        failed: z.number(),
        p50: z.number().nullable(),
        p75: z.number().nullable(),
        p95: z.number().nullable(),
        p99: z.number().nullable(),
      }),
    ),
    /** The slowest, slowest first. */
    slowest: z.array(
      z.object({
        traceId: z.string(),
        spanId: z.string(),
        projectId: id,
        timestamp: date,
        duration: milliseconds,
        status: z.string(),
        release: z.string(),
        user: z.string(),
      }),
    ),
    /** What its spans did, by their operation, largest sum first; the root is not among them. */
    operations: z.array(
      z.object({ op: z.string(), count: z.number(), total: milliseconds, p95: milliseconds, failed: z.number() }),
    ),
  }),
  summary: 'One transaction: percentiles over time, its slowest samples, and what its spans did',
  scope: 'event:read',
})

export const getTraceTree = endpoint({
  method: 'GET',
  path: '/organizations/{org}/trace/{trace}/',
  query: z.object({
    ...timeRange,
    ...projectFilter,
    timestamp: z.string().max(40).optional(),
    limit: number().pipe(z.int().min(1)).optional(),
    errorId: z.string().max(64).optional(),
    additional_attributes: z.array(z.string().max(200)).max(50).optional(),
    include_uptime: z.string().max(8).optional(),
  }),
  /** Spans with `children` and `errors`, and errors that name no span. */
  ok: z.array(z.record(z.string(), z.unknown())),
  summary: 'A trace in Sentry’s shape: roots with their children and errors',
  scope: 'event:read',
})

export const getTraceMeta = endpoint({
  method: 'GET',
  path: '/organizations/{org}/trace-meta/{trace}/',
  query: z.object({ ...timeRange, ...projectFilter, timestamp: z.string().max(40).optional() }),
  ok: z.object({
    logs: z.number(),
    errors: z.number(),
    performance_issues: z.number(),
    span_count: z.number(),
    transaction_child_count_map: z.array(z.object({ 'transaction.event_id': z.string(), 'count()': z.number() })),
    span_count_map: z.record(z.string(), z.number()),
  }),
  summary: 'How many spans and errors a trace has, in Sentry’s shape',
  scope: 'event:read',
})
