import type { ClickHouseClient } from '@clickhouse/client'
import { LIMITS } from '../limits.ts'
import type { Needs } from '../needs.ts'
import type { StoredSpan } from '../segment.ts'

/** Attributes that rules look at, under today's names. */
const FACTS = [
  'blocked_main_thread',
  'browser.long_animation_frame.blocking_duration',
  'browser.script.blocking_duration',
  'browser.script.source_url',
  'browser.web_vital.fcp.value',
  'code.file.path',
  'code.filepath',
  'code.function',
  'code.function.name',
  'http.decoded_response_content_length',
  'http.request.header.purpose',
  'http.request.prefetch',
  'http.response.body.decoded_size',
  'http.response.body.size',
  'http.response.size',
  'http.response_transfer_size',
  'resource.render_blocking_status',
  'Decoded Body Size',
  'Encoded Body Size',
  'Transfer Size',
]

const HEX = (column: string): string => `if(${column} = 0, '', lower(leftPad(hex(${column}), 16, '0')))`
const chosen = (map: string): string => `mapFilter((name, value) -> has({facts:Array(String)}, name), spans.${map})`

/** What one project sent of a trace. */
export interface TraceOfProject {
  readonly projectId: number
  readonly traceId: string
}

export interface TracedSpans {
  /**
   * Spans of these traces, those of a trace together; of each trace at most `FINDING_SPANS`, the first. There may be spans
   * that other projects of the list sent of them.
   */
  load(traces: readonly TraceOfProject[], since: number): Promise<readonly StoredSpan[]>
  /** Traces of a project that may have a finding, newest first; one more than `limit` when there are more. */
  candidates(projectId: number, needs: Needs, since: number, limit: number): Promise<readonly string[]>
}

type Row = Omit<StoredSpan, 'facts'> & {
  readonly strings: Readonly<Record<string, string>>
  readonly numbers: Readonly<Record<string, number>>
  readonly flags: Readonly<Record<string, boolean>>
}

const loadFrom =
  (client: ClickHouseClient) =>
  async (traces: readonly TraceOfProject[], since: number): Promise<readonly StoredSpan[]> => {
    const result = await client.query({
      query: `SELECT ${HEX('span_id')} AS id, ${HEX('parent_span_id')} AS parentId, ${HEX('segment_id')} AS segmentId,
          is_segment AS isSegment, organization_id AS organizationId, project_id AS projectId,
          replaceAll(toString(trace_id), '-', '') AS traceId, op, category, group_text AS text, domain,
          if(description = '', name, description) AS shown, transaction, platform, sdk_name AS sdkName, environment, release,
          toUnixTimestamp64Milli(timestamp) * 1000 + start_micros AS start, duration,
          ${chosen('strings')} AS strings, ${chosen('numbers')} AS numbers, ${chosen('flags')} AS flags
        FROM spans
        WHERE project_id IN {projects:Array(UInt64)} AND trace_id IN {traces:Array(UUID)}
          AND timestamp >= fromUnixTimestamp64Milli({since:Int64})
        ORDER BY project_id, trace_id, timestamp, start_micros, span_id
        LIMIT 1 BY project_id, trace_id, span_id, timestamp
        LIMIT {spans:UInt32}`,
      query_params: {
        projects: [...new Set(traces.map(({ projectId }) => projectId))],
        traces: [...new Set(traces.map(({ traceId }) => traceId))],
        since,
        facts: FACTS,
        spans: LIMITS.FINDING_SPANS,
      },
      format: 'JSONEachRow',
    })
    const rows = await result.json<Omit<Row, 'name'> & { readonly shown: string }>()
    if (rows.length === LIMITS.FINDING_SPANS && traces.length > 1) {
      const half = Math.ceil(traces.length / 2)
      const load = loadFrom(client)
      return [...(await load(traces.slice(0, half), since)), ...(await load(traces.slice(half), since))]
    }
    return rows.map(({ strings, numbers, flags, shown, ...span }) => ({
      ...span,
      name: shown,
      facts: { ...strings, ...numbers, ...flags },
    }))
  }

export const createTracedSpans = ({ client }: { readonly client: ClickHouseClient }): TracedSpans => ({
  load: loadFrom(client),

  candidates: async (projectId, needs, since, limit) => {
    const total = (category: string): string => `sumIf(total, category = '${category}')`
    const longest = (category: string): string => `maxIf(longest, category = '${category}')`
    const result = await client.query({
      query: `SELECT replaceAll(toString(trace_id), '-', '') AS traceId
        FROM (
          SELECT trace_id, category, group_text, count() AS spans, sum(duration) / 1000 AS total,
            max(duration) / 1000 AS longest, max(timestamp) AS last
          FROM spans
          WHERE project_id = {project:UInt64} AND timestamp >= fromUnixTimestamp64Milli({since:Int64})
            AND (category IN ('db', 'http', 'resource', 'file') OR op IN ('ui.long-animation-frame', 'ui.long-task'))
          GROUP BY trace_id, category, group_text
        )
        GROUP BY trace_id
        HAVING (maxIf(spans, category = 'db') >= {dbAlike:Float64} AND ${total('db')} >= {dbAlikeMs:Float64})
          OR ${longest('db')} >= {dbLongestMs:Float64}
          OR (sumIf(spans, category = 'db') > 1 AND ${total('db')} >= {dbTotalMs:Float64})
          OR (maxIf(spans, category = 'http') >= {httpAlike:Float64} AND ${total('http')} >= {httpAlikeMs:Float64})
          OR (sumIf(spans, category = 'http') >= {httpCount:Float64} AND ${total('http')} >= {httpTotalMs:Float64})
          OR ${longest('http')} >= {httpLongestMs:Float64}
          OR ${longest('resource')} >= {resourceLongestMs:Float64}
          OR ${longest('ui')} >= {frameLongestMs:Float64}
          OR greatest(${total('db')}, ${total('file')}) >= {mainThreadMs:Float64}
        ORDER BY max(last) DESC LIMIT {limit:UInt32}`,
      query_params: { ...needs, project: projectId, since, limit: limit + 1 },
      format: 'JSONEachRow',
    })
    return (await result.json<{ traceId: string }>()).map(({ traceId }) => traceId)
  },
})
