import type { ClickHouseClient } from '@clickhouse/client'
import { OFFENDING_SPANS } from '../event/index.ts'
import { hexOfNumberOrNone, hexOfUuid, hexOfUuidOrNone, numberOfHex, rowsOf } from '../search/index.ts'
import type { TraceSpan } from './arrange.ts'

/** What telemetry knows about traces. Every question names the organisation and projects that the caller may see. */

export interface TraceScope {
  readonly organizationId: number
  readonly projectIds: readonly number[]
  /** 32 hex characters. */
  readonly traceId: string
}

/** A span without its attributes: what a waterfall draws. */
export interface SpanSummary extends TraceSpan {
  readonly segmentId: string
  readonly isSegment: boolean
  readonly op: string
  readonly name: string
  /** What it did, where that says more than the name; else ''. */
  readonly description: string
  readonly transaction: string
  readonly status: string
  readonly sdkName: string
  readonly replayId: string
  /** Of its own profile, and of the profiler that ran meanwhile; '' for none. */
  readonly profileId: string
  readonly profilerId: string
}

/** A span with all that it says. */
export interface StoredSpan extends SpanSummary {
  /** Of a transaction that came as an event, 32 hex characters; else ''. */
  readonly eventId: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  readonly environment: string
  readonly release: string
  readonly sdkVersion: string
  readonly origin: string
  readonly kind: string
  readonly platform: string
  readonly service: string
  readonly method: string
  readonly httpStatus: number
  readonly url: string
  readonly browser: string
  readonly os: string
  readonly device: string
  readonly country: string
  readonly strings: Readonly<Record<string, string>>
  readonly numbers: Readonly<Record<string, number>>
  readonly flags: Readonly<Record<string, boolean>>
  /** JSON texts. */
  readonly lists: Readonly<Record<string, string>>
  /** JSON; '' for none. */
  readonly links: string
  readonly notes: readonly string[]
}

export interface TraceView {
  /** By start; one more than `limit` when there are more. */
  spans(scope: TraceScope, limit: number): Promise<readonly SpanSummary[]>
  span(scope: TraceScope, spanId: string): Promise<StoredSpan | null>
  /** The transaction that came as the event of this id: the newest, if several did. */
  transactionOfEvent(scope: Omit<TraceScope, 'traceId'>, eventId: string): Promise<TransactionPlace | null>
  /** Spans below the root of a transaction, by start. */
  spansOfSegment(scope: TraceScope, segmentId: string, limit: number): Promise<readonly SpanOfSegment[]>
  /** Attributes of these names, by project and id of the span (`keyOfSpan`). */
  attributes(scope: TraceScope, names: readonly string[], limit: number): Promise<ReadonlyMap<string, SpanAttributes>>
  /** Numbers of spans by operation. */
  operations(scope: TraceScope): Promise<ReadonlyMap<string, number>>
  /** By id of each transaction, how many spans it has, its root among them. */
  spansOfSegments(scope: TraceScope, limit: number): Promise<ReadonlyMap<string, number>>
  errors(scope: TraceScope, limit: number): Promise<readonly TraceError[]>
  /** What was found in it: events that nobody sent. */
  occurrences(scope: TraceScope, limit: number): Promise<readonly TraceOccurrence[]>
  countErrors(scope: TraceScope): Promise<number>
  countOccurrences(scope: TraceScope): Promise<number>
}

export interface TransactionPlace {
  readonly projectId: number
  readonly traceId: string
  readonly spanId: string
}

export interface SpanOfSegment extends SpanSummary {
  readonly origin: string
  /** Microseconds in which no child ran. */
  readonly selfTime: number
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export const keyOfSpan = ({ projectId, id }: Pick<SpanSummary, 'projectId' | 'id'>): string => `${projectId} ${id}`

export interface TraceError {
  readonly eventId: string
  readonly projectId: number
  readonly storedIssueId: number
  readonly title: string
  readonly culprit: string
  readonly level: string
  /** Milliseconds since the epoch. */
  readonly timestamp: number
  readonly spanId: string
}

/** Something that was found in spans of the trace. */
export interface TraceOccurrence extends TraceError {
  /** Sentry's number of what it is. */
  readonly typeId: number
  /** Spans that it is about. */
  readonly spanIds: readonly string[]
}

/** JSON numbers are exact to 2^53, which microseconds since the epoch are. */
const START = 'toUnixTimestamp64Milli(timestamp) * 1000 + start_micros'

const SUMMARY = `${hexOfNumberOrNone('span_id')} AS id, ${hexOfNumberOrNone('parent_span_id')} AS parentId, ${hexOfNumberOrNone('segment_id')} AS segmentId,
  project_id AS projectId, is_segment AS isSegment, ${START} AS start, duration, op, name, description, transaction, status,
  sdk_name AS sdkName, replay_id AS replayId,
  strings['sentry.profile_id'] AS profileId, strings['sentry.profiler_id'] AS profilerId,
  concat(toString(project_id), ' ', service, ' ', sdk_name, ' ', if(service = '', strings['service.instance.id'], '')) AS clock,
  kind = 'consumer' OR op = 'queue.process' AS isAsync`

const WHERE = `organization_id = {organization:UInt32} AND project_id IN {projects:Array(UInt64)} AND trace_id = {trace:UUID}`

/** A span that was sent twice is one. */
const ONCE = 'LIMIT 1 BY project_id, span_id, timestamp'

const EVENT = `${hexOfUuid('event_id')} AS eventId, project_id AS projectId, issue_id AS storedIssueId,
  title, culprit, level, toUnixTimestamp64Milli(timestamp) AS timestamp, span_id AS spanId`

const EVENTS_OF_TRACE = `organization_id = {organization:UInt32} AND project_id IN {projects:Array(UInt64)}
  AND trace_id = {trace:String}`

/** What was sent, and what Firsthand found by itself. */
const ERRORS = "type != 'generic'"
const OCCURRENCES = "type = 'generic'"

const paramsOf = ({ organizationId, projectIds, traceId }: TraceScope) => ({
  organization: organizationId,
  projects: projectIds,
  trace: traceId,
})

export const createTraceView = ({ client }: { readonly client: ClickHouseClient }): TraceView => {
  const query = rowsOf(client)
  const countEvents = async (scope: TraceScope, which: string): Promise<number> => {
    const [row] = await query<{ events: number }>(
      `SELECT count() AS events FROM events WHERE ${EVENTS_OF_TRACE} AND ${which}`,
      paramsOf(scope),
    )
    return row?.events ?? 0
  }
  return {
    spans: (scope, limit) =>
      query<SpanSummary>(
        `SELECT ${SUMMARY} FROM spans WHERE ${WHERE} ORDER BY timestamp, start_micros, span_id ${ONCE} LIMIT {limit:UInt32}`,
        { ...paramsOf(scope), limit: limit + 1 },
      ),
    span: async (scope, spanId) => {
      const [row] = await query<StoredSpan>(
        `SELECT ${SUMMARY}, ${hexOfUuidOrNone('event_id')} AS eventId,
          toUnixTimestamp64Milli(received) AS receivedAt, environment, release, sdk_version AS sdkVersion, origin, kind, platform, service,
          http_method AS method, http_status AS httpStatus, url, browser, os, device, country,
          strings, numbers, flags, lists, links, notes
        FROM spans WHERE ${WHERE} AND span_id = ${numberOfHex('{span:String}')} LIMIT 1`,
        { ...paramsOf(scope), span: spanId },
      )
      return row ?? null
    },
    transactionOfEvent: async ({ organizationId, projectIds }, eventId) => {
      const [row] = await query<TransactionPlace>(
        `SELECT project_id AS projectId, ${hexOfUuid('trace_id')} AS traceId, ${hexOfNumberOrNone('span_id')} AS spanId
        FROM spans WHERE organization_id = {organization:UInt32} AND project_id IN {projects:Array(UInt64)}
          AND event_id = {event:UUID} ORDER BY timestamp DESC LIMIT 1`,
        { organization: organizationId, projects: projectIds, event: eventId },
      )
      return row ?? null
    },
    spansOfSegment: (scope, segmentId, limit) =>
      query<SpanOfSegment>(
        `SELECT ${SUMMARY}, origin, self_time AS selfTime FROM spans
        WHERE ${WHERE} AND segment_id = ${numberOfHex('{segment:String}')} AND span_id != segment_id
        ORDER BY timestamp, start_micros, span_id ${ONCE} LIMIT {limit:UInt32}`,
        { ...paramsOf(scope), segment: segmentId, limit },
      ),
    attributes: async (scope, names, limit) => {
      const chosen = (map: string): string => `mapFilter((name, value) -> has({names:Array(String)}, name), ${map})`
      type Row = { id: string; projectId: number; strings: object; numbers: object; flags: object }
      const rows = await query<Row>(
        `SELECT ${hexOfNumberOrNone('span_id')} AS id, project_id AS projectId, ${chosen('spans.strings')} AS strings,
          ${chosen('spans.numbers')} AS numbers, ${chosen('spans.flags')} AS flags
        FROM spans WHERE ${WHERE} ${ONCE} LIMIT {limit:UInt32}`,
        { ...paramsOf(scope), names, limit },
      )
      return new Map(rows.map((row) => [keyOfSpan(row), { ...row.strings, ...row.numbers, ...row.flags }]))
    },
    operations: async (scope) => {
      const rows = await query<{ op: string; spans: number }>(
        `SELECT op, uniqExact(project_id, span_id, timestamp) AS spans FROM spans WHERE ${WHERE} GROUP BY op`,
        paramsOf(scope),
      )
      return new Map(rows.map(({ op, spans }) => [op, spans]))
    },
    spansOfSegments: async (scope, limit) => {
      const rows = await query<{ id: string; spans: number }>(
        `SELECT ${hexOfNumberOrNone('segment_id')} AS id, uniqExact(project_id, span_id, timestamp) AS spans
        FROM spans WHERE ${WHERE} AND segment_id != 0 GROUP BY segment_id ORDER BY segment_id LIMIT {limit:UInt32}`,
        { ...paramsOf(scope), limit },
      )
      return new Map(rows.map(({ id, spans }) => [id, spans]))
    },
    countErrors: (scope) => countEvents(scope, ERRORS),
    countOccurrences: (scope) => countEvents(scope, OCCURRENCES),
    errors: (scope, limit) =>
      query<TraceError>(
        `SELECT ${EVENT}
        FROM events WHERE ${EVENTS_OF_TRACE} AND ${ERRORS}
        ORDER BY events.timestamp, event_id LIMIT {limit:UInt32}`,
        { ...paramsOf(scope), limit },
      ),
    occurrences: (scope, limit) =>
      query<TraceOccurrence>(
        `SELECT ${EVENT}, JSONExtractInt(payload, 'occurrence', 'typeId') AS typeId,
          JSONExtract(payload, 'occurrence', 'evidence', {spans:String}, 'Array(String)') AS spanIds
        FROM events WHERE ${EVENTS_OF_TRACE} AND ${OCCURRENCES}
        ORDER BY events.timestamp, event_id LIMIT {limit:UInt32}`,
        { ...paramsOf(scope), spans: OFFENDING_SPANS, limit },
      ),
  }
}
