import { z } from './zod.ts'
import { date, environmentFilter, fileFormat, id, number, paging, projectFilter, timeRange } from './common.ts'
import { endpoint } from './endpoint.ts'

/** The event in Sentry's API shape: camelCase, the parts of the payload as typed `entries`. */

/** `[line number, source text]`; null where the SDK sent no text. */
const contextLine = z.tuple([z.number(), z.string().nullable()])
const data = z.record(z.string(), z.unknown())
const pairs = z.array(z.tuple([z.string(), z.string()]))

export const frame = z.object({
  filename: z.string().nullable(),
  absPath: z.string().nullable(),
  module: z.string().nullable(),
  package: z.string().nullable(),
  platform: z.string().nullable(),
  instructionAddr: z.string().nullable(),
  symbolAddr: z.string().nullable(),
  function: z.string().nullable(),
  rawFunction: z.string().nullable(),
  context: z.array(contextLine),
  lineNo: z.number().nullable(),
  colNo: z.number().nullable(),
  inApp: z.boolean(),
  vars: data.nullable(),
  sourceLink: z.string().nullable(),
})
export type ApiFrame = z.output<typeof frame>

/** Outermost call first, the throwing frame last. */
export const stacktrace = z.object({
  frames: z.array(frame),
  framesOmitted: z.tuple([z.number(), z.number()]).nullable(),
  registers: data.nullable(),
  hasSystemFrames: z.boolean(),
})
export type ApiStacktrace = z.output<typeof stacktrace>

export const mechanism = z.object({
  type: z.string(),
  handled: z.boolean().nullable(),
  synthetic: z.boolean().nullable().optional(),
  description: z.string().nullable().optional(),
  help_link: z.string().nullable().optional(),
  source: z.string().nullable().optional(),
  exception_id: z.number().nullable().optional(),
  parent_id: z.number().nullable().optional(),
  is_exception_group: z.boolean().nullable().optional(),
  data: data.nullable().optional(),
  meta: data.nullable().optional(),
})

/** Oldest cause first; the last is the exception that was caught. */
/** A number wherever the SDK's is one. */
const threadId = z.union([z.string(), z.number()])

export const exceptionValue = z.object({
  type: z.string().nullable(),
  value: z.string().nullable(),
  module: z.string().nullable(),
  threadId: threadId.nullable(),
  mechanism: mechanism.nullable(),
  stacktrace: stacktrace.nullable(),
  rawStacktrace: stacktrace.nullable(),
})
export type ApiException = z.output<typeof exceptionValue>

export const exceptionEntry = z.object({
  type: z.literal('exception'),
  data: z.object({
    values: z.array(exceptionValue),
    hasSystemFrames: z.boolean(),
    excOmitted: z.tuple([z.number(), z.number()]).nullable(),
  }),
})

export const stacktraceEntry = z.object({ type: z.literal('stacktrace'), data: stacktrace })

export const threadsEntry = z.object({
  type: z.literal('threads'),
  data: z.object({
    values: z.array(
      z.object({
        id: threadId.nullable(),
        name: z.string().nullable(),
        crashed: z.boolean(),
        current: z.boolean(),
        main: z.boolean().nullable(),
        state: z.string().nullable(),
        stacktrace: stacktrace.nullable(),
        rawStacktrace: stacktrace.nullable(),
      }),
    ),
  }),
})

export const messageEntry = z.object({
  type: z.literal('message'),
  data: z.object({ formatted: z.string(), message: z.string().nullable().optional(), params: z.unknown().optional() }),
})

export const breadcrumb = z.object({
  type: z.string(),
  timestamp: date.nullable(),
  level: z.string(),
  message: z.string().nullable(),
  category: z.string().nullable(),
  data: data.nullable(),
  event_id: z.string().nullable(),
})
export type ApiBreadcrumb = z.output<typeof breadcrumb>

export const breadcrumbsEntry = z.object({
  type: z.literal('breadcrumbs'),
  data: z.object({ values: z.array(breadcrumb) }),
})

export const requestEntry = z.object({
  type: z.literal('request'),
  data: z.object({
    url: z.string().nullable(),
    method: z.string().nullable(),
    fragment: z.string().nullable(),
    query: pairs,
    data: z.unknown(),
    inferredContentType: z.string().nullable(),
    cookies: pairs,
    headers: pairs,
    env: data.nullable(),
    apiTarget: z.string().nullable(),
  }),
})
export type ApiRequest = z.output<typeof requestEntry>['data']

/** Browser reports; `data` has the report's fields in snake_case. */
const reportEntry = <const Type extends string>(type: Type) => z.object({ type: z.literal(type), data })

export const debugMetaEntry = z.object({
  type: z.literal('debugmeta'),
  data: z.object({ images: z.array(data) }),
})

export const entry = z.discriminatedUnion('type', [
  exceptionEntry,
  stacktraceEntry,
  threadsEntry,
  messageEntry,
  breadcrumbsEntry,
  requestEntry,
  debugMetaEntry,
  reportEntry('csp'),
  reportEntry('hpkp'),
  reportEntry('expectct'),
  reportEntry('expectstaple'),
  reportEntry('nel'),
])
export type Entry = z.output<typeof entry>

export const eventTag = z.object({ key: z.string(), value: z.string(), query: z.string().optional() })

export const eventUser = z.object({
  id: z.string().nullable(),
  email: z.string().nullable(),
  username: z.string().nullable(),
  name: z.string().nullable(),
  ip_address: z.string().nullable(),
  geo: data.nullable(),
  data: data.nullable(),
})

/** How an event was grouped: the version of the grouping, and whose decision it is. */
export const groupingConfig = z.object({
  id: z.string(),
  /**
   * `stored`: decided when the event was stored, and kept with it. `today`: computed now, by the rules that the project
   * has today; events that were stored before decisions were kept have no other.
   */
  decided: z.enum(['stored', 'today']),
})
export type GroupingConfig = z.output<typeof groupingConfig>

/** A row of an issue's or a project's list of events. */
export const eventSummary = z.object({
  id,
  eventID: z.string(),
  groupID: z.string(),
  projectID: z.string(),
  'event.type': z.string(),
  message: z.string(),
  title: z.string(),
  location: z.string().nullable(),
  culprit: z.string(),
  user: eventUser.nullable(),
  tags: z.array(eventTag),
  platform: z.string(),
  dateCreated: date,
  crashFile: z.null(),
  metadata: data,
})
export type EventSummary = z.output<typeof eventSummary>

/** In Sentry's words: what was noticed, as data and for people to read. */
export const occurrence = z.object({
  id,
  projectId: z.number(),
  eventId: z.string(),
  fingerprint: z.array(z.string()),
  issueTitle: z.string(),
  subtitle: z.string(),
  resourceId: z.null(),
  evidenceData: data,
  evidenceDisplay: z.array(z.object({ name: z.string(), value: z.string(), important: z.boolean() })),
  type: z.number(),
  /** Seconds since the epoch. */
  detectionTime: z.number(),
  level: z.string(),
  culprit: z.string(),
})

export const event = z.object({
  id,
  eventID: z.string(),
  groupID: z.string(),
  projectID: z.string(),
  projectSlug: z.string(),
  type: z.string(),
  title: z.string(),
  message: z.string(),
  location: z.string().nullable(),
  culprit: z.string(),
  level: z.string(),
  logger: z.string(),
  platform: z.string(),
  dist: z.string().nullable(),
  dateCreated: date,
  dateReceived: date,
  size: z.number(),
  entries: z.array(entry),
  tags: z.array(eventTag),
  user: eventUser.nullable(),
  contexts: z.record(z.string(), data),
  /** What the SDK calls `extra`. */
  context: data,
  packages: z.record(z.string(), z.string()),
  sdk: z.object({ name: z.string(), version: z.string() }).nullable(),
  metadata: data,
  /** What was dropped or changed while reading: `{type, message, data: {name?, value?, reason?}}`. */
  errors: z.array(z.object({ type: z.string(), message: z.string(), data })),
  fingerprints: z.array(z.string()),
  groupingConfig,
  release: z
    .object({
      version: z.string(),
      shortVersion: z.string(),
      dateCreated: date.nullable(),
      dateReleased: date.nullable(),
    })
    .nullable(),
  /** What the visitor to whom it happened said about it. */
  userReport: z
    .object({
      id,
      eventID: z.string(),
      name: z.string(),
      email: z.string(),
      comments: z.string(),
      dateCreated: date,
      event: z.object({ id, eventID: z.string() }),
    })
    .nullable(),
  crashFile: z.null(),
  /** What an event shows that is no error: what a visitor said. */
  occurrence: occurrence.nullable(),
  _meta: data,
  /** Neighbours in time within the issue. */
  nextEventID: z.string().nullable(),
  previousEventID: z.string().nullable(),
})
export type ApiEvent = z.output<typeof event>

/** Spans below the root of a transaction, in the words of Sentry's events. */
const spansEntry = z.object({
  type: z.literal('spans'),
  data: z.array(
    z.object({
      trace_id: z.string(),
      span_id: z.string(),
      parent_span_id: z.string().nullable(),
      /** Seconds since the epoch. */
      start_timestamp: z.number(),
      timestamp: z.number(),
      /** Milliseconds in which no span below it ran. */
      exclusive_time: z.number(),
      op: z.string(),
      description: z.string(),
      status: z.string(),
      origin: z.string(),
    }),
  ),
})

/** A transaction, which is kept as spans, as the event that it came as. It is in no issue. */
export const transactionEvent = event
  .pick({
    id: true,
    eventID: true,
    projectID: true,
    projectSlug: true,
    title: true,
    message: true,
    location: true,
    culprit: true,
    platform: true,
    dist: true,
    dateCreated: true,
    dateReceived: true,
    tags: true,
    user: true,
    contexts: true,
    context: true,
    sdk: true,
    metadata: true,
    errors: true,
    release: true,
    userReport: true,
  })
  .extend({
    type: z.literal('transaction'),
    groupID: z.null(),
    entries: z.array(z.discriminatedUnion('type', [spansEntry, requestEntry])),
    /** Seconds since the epoch. */
    startTimestamp: z.number(),
    endTimestamp: z.number(),
    /** The unit is null where what the SDK said of it was not kept. */
    measurements: z.record(z.string(), z.object({ value: z.number(), unit: z.string().nullable() })),
    breakdowns: z.null(),
    occurrence: z.null(),
    nextEventID: z.null(),
    previousEventID: z.null(),
  })
export type ApiTransactionEvent = z.output<typeof transactionEvent>

/** A row of a list; with `full` it is the whole event, but for its neighbours. */
const eventRow = eventSummary.extend(
  event
    .omit({
      id: true,
      eventID: true,
      groupID: true,
      projectID: true,
      title: true,
      message: true,
      location: true,
      culprit: true,
      user: true,
      tags: true,
      platform: true,
      dateCreated: true,
      crashFile: true,
      metadata: true,
      nextEventID: true,
      previousEventID: true,
    })
    .partial().shape,
)

const eventListQuery = z.object({
  query: z.string().max(2000).optional(),
  /** `true`, `1`: whole events with their stack traces, fewer to a page. */
  full: z.string().max(8).optional(),
  ...environmentFilter,
  ...timeRange,
  ...paging,
})

export const listIssueEvents = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues/{issue}/events/',
  query: eventListQuery,
  ok: z.array(eventRow),
  summary: 'Events of an issue, newest first',
  scope: 'event:read',
})

export const getIssueEvent = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues/{issue}/events/{event}/',
  query: z.object({ query: z.string().max(2000).optional(), ...environmentFilter, ...timeRange }),
  ok: event,
  summary: 'One event of an issue: by id, or latest, oldest, recommended',
  scope: 'event:read',
})

export const listProjectEvents = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/events/',
  query: eventListQuery,
  ok: z.array(eventRow),
  summary: 'Events of a project, newest first',
  scope: 'event:read',
})

export const getProjectEvent = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/events/{event}/',
  ok: z.union([event, transactionEvent]),
  summary: 'One event of a project; also a transaction, by the id of the event as which it came',
  scope: 'event:read',
})

export const getProjectEventJson = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/events/{event}/json/',
  ok: data,
  summary: 'One event as it is stored (the payload after normalisation); also a transaction, as its spans tell it',
  scope: 'event:read',
})

export interface ApiGroupingComponent {
  id: string
  name: string | null
  contributes: boolean
  hint: string | null
  values: (string | ApiGroupingComponent)[]
}

export const groupingComponent: z.ZodType<ApiGroupingComponent> = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    contributes: z.boolean(),
    hint: z.string().nullable(),
    values: z.array(z.union([z.string(), z.lazy(() => groupingComponent)])),
  })
  .meta({ id: 'GroupingComponent' })

export const groupingVariant = z.object({
  key: z.string(),
  type: z.string(),
  hash: z.string().nullable(),
  description: z.string(),
  contributes: z.boolean(),
  hint: z.string().nullable(),
  hashMismatch: z.boolean(),
  /** Null when the rules have changed so much since that the parts of the stored hash are no longer known. */
  component: groupingComponent.nullable(),
  config: groupingConfig.optional(),
})
export type ApiGroupingVariant = z.output<typeof groupingVariant>

export const getGroupingInfo = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/events/{event}/grouping-info/',
  query: z.object({
    /** `today`: what the rules of today would decide, in place of what was decided when the event was stored. */
    rules: z.enum(['stored', 'today']).optional(),
  }),
  ok: z.record(z.string(), groupingVariant),
  summary: 'Why an event is in its issue: each grouping variant with what went into its hash',
  scope: 'event:read',
})

export const getEventId = endpoint({
  method: 'GET',
  path: '/organizations/{org}/eventids/{event}/',
  ok: z.object({
    organizationSlug: z.string(),
    projectSlug: z.string(),
    /** Null for a transaction. */
    groupId: id.nullable(),
    eventId: z.string(),
    /** A transaction is whole. */
    event: z.union([eventSummary, transactionEvent]),
  }),
  summary: 'Find an event, or a transaction, by its id in the whole organisation',
  scope: 'event:read',
})

/** A column: an attribute, a function over some, or `equation|…`. A search may stand in a function. */
const column = z.string().max(500)

/** Which things are asked about: `errors`, `spans`, … The server says which there are. */
const dataset = z.string().max(40).default('errors')

const TABLE_ROWS_MAX = 1000

/** How sure a value is that stands for more rows than were kept; null where all of them were. */
const confidence = z.array(z.record(z.string(), z.enum(['high', 'low']).nullable()))

export const queryEvents = endpoint({
  method: 'GET',
  path: '/organizations/{org}/events/',
  query: z.object({
    /** Columns: `title`, `timestamp`, `count()`, `count_unique(user)`, `p95(span.duration)`, tags, … */
    field: z.array(column).min(1).max(20),
    query: z.string().max(2000).optional(),
    /** A field, with `-` for descending. */
    sort: z.array(z.string().max(501)).max(4).optional(),
    dataset,
    /** At most 100 errors, 1000 of anything else. */
    per_page: number()
      .pipe(z.int().min(1))
      .transform((rows) => Math.min(rows, TABLE_ROWS_MAX))
      .optional(),
    /** `1`: rows alone count, whatever they stand for. */
    disableAggregateExtrapolation: z.string().max(8).optional(),
    format: fileFormat,
    ...timeRange,
    ...projectFilter,
    ...environmentFilter,
    ...paging,
    cursor: z.string().max(2000).optional(),
  }),
  ok: z.object({
    data: z.array(data),
    meta: z.object({
      fields: z.record(z.string(), z.string()),
      units: z.record(z.string(), z.string().nullable()),
      /** More issues were merged than are followed: events of the oldest stand under the issue that they were stored for. */
      mergesTruncated: z.boolean().optional(),
      dataset: z.string().optional(),
      isMetricsData: z.boolean().optional(),
      isMetricsExtractedData: z.boolean().optional(),
      /** Why there is nothing in the answer, or in a column: sentences. */
      tips: z.object({ query: z.string().nullable(), columns: z.string().nullable() }).optional(),
      datasetReason: z.string().optional(),
      dataScanned: z.enum(['full', 'partial']).optional(),
      accuracy: z
        .object({
          confidence,
          /** Rows that were kept, and which share of all they are. */
          sampleCount: z.array(z.record(z.string(), z.number())),
          samplingRate: z.array(z.record(z.string(), z.number().nullable())),
        })
        .optional(),
    }),
    confidence: confidence.optional(),
  }),
  summary: 'A table of single things or aggregates: errors, spans, …; as a file with `format`',
  scope: 'event:read',
})

/** One line of a chart. */
const timeSeries = z.object({
  /** `[seconds since the epoch, [{count}]]`; `comparisonCount` is the same, `comparisonDelta` seconds before. */
  data: z.array(
    z.tuple([z.number(), z.array(z.object({ count: z.number(), comparisonCount: z.number().optional() }))]),
  ),
  /** Seconds since the epoch. */
  start: z.number(),
  end: z.number(),
  isMetricsData: z.boolean(),
  /** Place among several, from 0. */
  order: z.number().optional(),
  /** Of series by issue: as of a table. */
  mergesTruncated: z.boolean().optional(),
  meta: z
    .object({
      fields: z.record(z.string(), z.string()),
      units: z.record(z.string(), z.string().nullable()),
      dataset: z.string(),
    })
    .optional(),
})

const TOP_EVENTS_MAX = 10

export const queryEventStats = endpoint({
  method: 'GET',
  path: '/organizations/{org}/events-stats/',
  query: z.object({
    /** Aggregates; absent means `count()`. With several, the answer has one series under each name. */
    yAxis: z.array(column).max(10).optional(),
    /** With `topEvents`: one series for each of the most frequent values of these columns. */
    field: z.array(column).max(20).optional(),
    topEvents: number()
      .pipe(z.int().min(0))
      .transform((wanted) => Math.min(wanted, TOP_EVENTS_MAX))
      .optional(),
    /** One of the axes, with `-` for descending: which values are the top ones. */
    sort: z.array(z.string().max(501)).max(4).optional(),
    /** `1`: no series named `Other` for all that is not among the top. */
    excludeOther: z.string().max(8).optional(),
    query: z.string().max(2000).optional(),
    /** `30m`, `1h`, seconds; a usual one where it cannot be read, or makes too many steps. */
    interval: z.string().max(40).optional(),
    dataset,
    /** Seconds by which the time that is compared with lies before. */
    comparisonDelta: number().pipe(z.int().min(1).max(315_360_000)).optional(),
    disableAggregateExtrapolation: z.string().max(8).optional(),
    ...timeRange,
    ...projectFilter,
    ...environmentFilter,
  }),
  ok: z.union([
    timeSeries,
    z.record(z.string(), z.union([timeSeries, z.record(z.string(), z.union([timeSeries, z.number()]))])),
  ]),
  summary: 'Time series of errors, spans, …: one, or several by aggregate or by most frequent value',
  scope: 'event:read',
})
