import { z } from './zod.ts'
import { cursor, date, fileFormat, number, scopeQuery, timeRange } from './common.ts'
import { endpoint } from './endpoint.ts'
import { queryEvents } from './events.ts'

/** What spans and other rows of telemetry have, and which traces have some that match, in the shapes of Sentry's clients. */

const rows = (most: number) =>
  number()
    .pipe(z.int().min(1))
    .transform((wanted) => Math.min(wanted, most))
    .optional()

const attributeScope = {
  /** `spans`, …: what rows are called, or a dataset. */
  itemType: z.string().max(40).optional(),
  dataset: z.string().max(40).optional(),
  substringMatch: z.string().max(200).optional(),
  query: z.string().max(2000).optional(),
  ...scopeQuery,
}

const ATTRIBUTE_TYPES = ['string', 'number', 'boolean'] as const

export const listAttributes = endpoint({
  method: 'GET',
  path: '/organizations/{org}/trace-items/attributes/',
  query: z.object({
    ...attributeScope,
    /** All types when none is named; lists are asked for by clients of Sentry, and no attribute is one here. */
    attributeType: z
      .array(z.enum([...ATTRIBUTE_TYPES, 'array']))
      .max(4)
      .optional(),
    per_page: rows(1000),
  }),
  /** Those that senders made up first. */
  ok: z.array(
    z.object({
      /** As a field is asked for: numbers and truths of senders are `tags[name,number]`. */
      key: z.string(),
      name: z.string(),
      attributeType: z.enum(ATTRIBUTE_TYPES),
      attributeSource: z.object({ source_type: z.enum(['sentry', 'user']) }),
    }),
  ),
  summary: 'Attributes that the rows of a dataset have',
  scope: 'event:read',
})

export const listAttributeValues = endpoint({
  method: 'GET',
  path: '/organizations/{org}/trace-items/attributes/{key}/values/',
  query: z.object({ ...attributeScope, attributeType: z.string().max(20).optional() }),
  ok: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      value: z.string(),
      count: z.number(),
      firstSeen: date,
      lastSeen: date,
    }),
  ),
  summary: 'Values of one attribute, most frequent first',
  scope: 'event:read',
})

const fieldScope = { query: z.string().max(200).optional(), ...scopeQuery }

export const listSpanFields = endpoint({
  method: 'GET',
  path: '/organizations/{org}/spans/fields/',
  query: z.object({
    ...fieldScope,
    dataset: z.string().max(40).optional(),
    type: z.enum(ATTRIBUTE_TYPES).optional(),
  }),
  ok: z.array(z.object({ key: z.string(), name: z.string() })),
  summary: 'Attributes that spans have, in an older shape',
  scope: 'event:read',
})

export const listSpanFieldValues = endpoint({
  method: 'GET',
  path: '/organizations/{org}/spans/fields/{key}/values/',
  query: z.object({ ...fieldScope, dataset: z.string().max(40).optional() }),
  ok: listAttributeValues.ok,
  summary: 'Values of one attribute of spans, in an older shape',
  scope: 'event:read',
})

const ITEM_TYPES = ['str', 'int', 'float', 'bool', 'array'] as const

export const getTraceItem = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/trace-items/{item}/',
  query: z.object({
    item_type: z.string().max(40).default('spans'),
    /** Metrics and log lines need not be of a trace. */
    trace_id: z.string().max(64).default(''),
    timestamp: z.string().max(40).optional(),
  }),
  ok: z.object({
    itemId: z.string(),
    timestamp: date,
    /** Integers are texts, as JSON has no 64 bits. */
    attributes: z.array(z.object({ name: z.string(), type: z.enum(ITEM_TYPES), value: z.unknown() })),
    meta: z.record(z.string(), z.unknown()),
    /** `sampled` is null when the SDK did not say. */
    links: z.array(
      z.object({
        itemId: z.string(),
        traceId: z.string(),
        sampled: z.boolean().nullable(),
        attributes: z.array(z.unknown()),
      }),
    ),
  }),
  summary: 'One span (or other row of telemetry) with all of its attributes',
  scope: 'event:read',
})

export const getAttributeStats = endpoint({
  method: 'GET',
  path: '/organizations/{org}/trace-items/stats/',
  query: z.object({
    statsType: z.array(z.enum(['attributeDistributions'])).min(1),
    itemType: z.string().max(40).default('spans'),
    query: z.string().max(2000).optional(),
    ...scopeQuery,
  }),
  ok: z.object({
    data: z.array(
      z.object({
        attribute_distributions: z.object({
          /** By attribute; how many rows of a sample have each value, most frequent first. */
          data: z.record(z.string(), z.array(z.object({ label: z.string(), value: z.number() }))),
        }),
      }),
    ),
  }),
  summary: 'Which values the attributes of rows have, and how often',
  scope: 'event:read',
})

export const listTraceLogs = endpoint({
  method: 'GET',
  path: '/organizations/{org}/trace-logs/',
  query: z.object({
    traceId: z.array(z.string().max(64)).min(1).max(100),
    orderby: z.array(z.string().max(100)).max(4).default(['-timestamp']),
    query: z.string().max(2000).optional(),
    per_page: rows(1000),
    cursor: z.string().max(2000).optional(),
    ...timeRange,
  }),
  ok: queryEvents.ok,
  summary: 'Log lines of traces, of all projects',
  scope: 'event:read',
})

const heatMapScope = {
  dataset: z.string().max(40).default('spans'),
  /** A number; what the dataset measures when none is named. */
  attribute: z.string().max(500).optional(),
  query: z.string().max(2000).optional(),
  /** `1`: rows alone count, whatever they stand for. */
  disableAggregateExtrapolation: z.string().max(8).optional(),
  ...scopeQuery,
}

export const getHeatMap = endpoint({
  method: 'GET',
  path: '/organizations/{org}/explore/heat-map/',
  query: z.object(heatMapScope),
  ok: z.object({
    attribute: z.string(),
    type: z.string(),
    unit: z.string().nullable(),
    /** Milliseconds, since the epoch and of a step. */
    start: z.number(),
    interval: z.number(),
    steps: z.number(),
    /** Where the time that was asked about ends, or now: the last steps may go on after it. */
    end: z.number(),
    levelsPerDoubling: z.number(),
    /** Step, level, how many: level n has the values from 2^(n/levelsPerDoubling) on. */
    cells: z.array(z.tuple([z.number(), z.number(), z.number()])),
  }),
  summary: 'How often which values of an attribute were, over time: by steps and by halves of a doubling',
  scope: 'event:read',
})

const boxSide = z.object({
  rows: z.number(),
  /** What the rows stand for. */
  things: z.number(),
  /** Rows whose attributes were compared: all, or a sample. */
  looked: z.number(),
})

export const compareBox = endpoint({
  method: 'GET',
  path: '/organizations/{org}/explore/heat-map/box/',
  query: z.object({
    ...heatMapScope,
    /** Values from `from` on, below `to`. */
    from: number(),
    to: number(),
    /** Milliseconds since the epoch. */
    boxStart: number(),
    boxEnd: number(),
  }),
  ok: z.object({
    inside: boxSide,
    outside: boxSide,
    /** How many attributes were compared. */
    attributes: z.number(),
    /** Most telling first: shares of each side that have the value. */
    differences: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        value: z.string(),
        inside: z.number(),
        outside: z.number(),
        /** Other attributes that say the same: the same value, as often on both sides. */
        alike: z.array(z.string()),
      }),
    ),
  }),
  summary: 'What is different about the rows in a box on a heat map: values that are more frequent inside than outside',
  scope: 'event:read',
})

export const findTraces = endpoint({
  method: 'GET',
  path: '/organizations/{org}/traces/',
  query: z.object({
    field: z.array(z.string().max(500)).min(1).max(20),
    /** Each is of spans; a trace has one for each of them. */
    query: z.array(z.string().max(2000)).max(5).optional(),
    maxSpansPerTrace: rows(100),
    per_page: rows(100),
    sort: z.enum(['-timestamp', 'timestamp']).optional(),
    cursor,
    format: fileFormat,
    ...scopeQuery,
  }),
  ok: z.object({
    data: z.array(
      z.object({
        trace: z.string(),
        numSpans: z.number(),
        matchingSpans: z.number(),
        /** Of its root; null when that has not come. */
        name: z.string().nullable(),
        project: z.string().nullable(),
        /** Milliseconds, as `start` and `end` since the epoch. */
        duration: z.number(),
        start: z.number(),
        end: z.number(),
        breakdowns: z.array(
          z.object({
            project: z.string().nullable(),
            sdkName: z.string().nullable(),
            start: z.number(),
            end: z.number(),
            duration: z.number(),
            kind: z.enum(['project', 'missing', 'unknown']),
          }),
        ),
        spans: z.array(z.record(z.string(), z.unknown())),
      }),
    ),
    meta: z.object({ fields: z.record(z.string(), z.string()), units: z.record(z.string(), z.string().nullable()) }),
  }),
  summary: 'Traces that have spans which match, newest first',
  scope: 'event:read',
})
