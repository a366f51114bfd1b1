import type { ClickHouseClient } from '@clickhouse/client'
import { hexOfNumberOrNone, hexOfUuid } from '../../search/index.ts'
import { LONG_FRAME, LONG_FRAME_OPS, type SpanSums } from '../../traces/index.ts'
import { LIMITS as STORAGE_LIMITS } from '../../storage/limits.ts'
import { LIMITS } from '../limits.ts'
import { FACTS } from '../detectors/index.ts'
import type { LeastSums } from '../needs.ts'
import type { StoredSpan } from '../segment.ts'

const chosen = (map: string): string => `mapFilter((name, value) -> has({facts:Array(String)}, name), spans.${map})`
/** Its end stays: it says whether an SDK cut it. */
const cut = (text: string): string =>
  `if(lengthUTF8(${text}) > {chars:UInt32}, concat(substringUTF8(${text}, 1, {chars:UInt32} - 3), rightUTF8(${text}, 3)), ${text})`

/** What one project sent of a trace. */
export interface TraceOfProject {
  readonly projectId: number
  readonly traceId: string
}

export interface TracedSpans {
  /**
   * Spans of these traces, those of a trace together; of all at most `FINDING_SPANS`, the first. There may be spans that
   * other projects of the list sent of them.
   */
  load(traces: readonly TraceOfProject[], since: number): Promise<readonly StoredSpan[]>
  /** Traces of a project that may have a finding, newest first; one more than `limit` when there are more. */
  candidates(projectId: number, needs: readonly LeastSums[], since: number, limit: number): Promise<readonly string[]>
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
      query: `SELECT ${hexOfNumberOrNone('span_id')} AS id, ${hexOfNumberOrNone('parent_span_id')} AS parentId, ${hexOfNumberOrNone('segment_id')} AS segmentId,
          is_segment AS isSegment, organization_id AS organizationId, project_id AS projectId,
          ${hexOfUuid('trace_id')} AS traceId, op, category, group_text AS text, domain,
          ${cut("if(description = '', name, description)")} AS shown, transaction, platform, sdk_name AS sdkName, environment, release,
          toUnixTimestamp64Milli(timestamp) * 1000 + start_micros AS start, duration,
          mapApply((name, value) -> (name, ${cut('value')}), ${chosen('strings')}) AS strings,
          ${chosen('numbers')} AS numbers, ${chosen('flags')} AS flags
        FROM spans
        WHERE project_id IN {projects:Array(UInt64)} AND trace_id IN {traces:Array(UUID)}
          AND timestamp >= fromUnixTimestamp64Milli({since:Int64})
        ORDER BY project_id, trace_id, timestamp, start_micros, span_id
        LIMIT 1 BY project_id, trace_id, span_id, timestamp
        LIMIT {spans:UInt32}
        SETTINGS max_result_bytes = ${LIMITS.FINDING_READ_BYTES}, result_overflow_mode = 'throw',
          max_execution_time = ${STORAGE_LIMITS.TELEMETRY_READ_SECONDS}, query_plan_execute_functions_after_sorting = 0`,
      query_params: {
        projects: [...new Set(traces.map(({ projectId }) => projectId))],
        traces: [...new Set(traces.map(({ traceId }) => traceId))],
        since,
        facts: FACTS,
        spans: LIMITS.FINDING_SPANS,
        chars: LIMITS.FINDING_READ_CHARS,
      },
      // What goes wrong is known before an answer begins.
      clickhouse_settings: { wait_end_of_query: 1 },
      format: 'JSONEachRow',
    })
    const rows = await result.json<Omit<Row, 'name'> & { readonly shown: string }>()
    return rows.map(({ strings, numbers, flags, shown, ...span }) => ({
      ...span,
      name: shown,
      facts: { ...strings, ...numbers, ...flags },
    }))
  }

/**
 * What the spans of one kind of a trace sum up to, of rows by kind and text; null for what would have to be read of their
 * attributes, which is not asked: who reads the traces again finds out.
 */
const SUMS: Readonly<Record<keyof SpanSums, ((isKind: string) => string) | null>> = {
  count: (isKind) => `sumIf(spans, ${isKind})`,
  alike: (isKind) => `maxIf(spans, ${isKind})`,
  total: (isKind) => `sumIf(total, ${isKind})`,
  longest: (isKind) => `maxIf(longest, ${isKind})`,
  largest: null,
  /** At most all of their time. */
  blocked: (isKind) => `sumIf(total, ${isKind})`,
}

/** A condition for each need, and its parameters. */
const conditionsOf = (needs: readonly LeastSums[]) => {
  const params: Record<string, string | number> = {}
  const conditions = needs.map(({ kind, least }, index) => {
    params[`kind${index}`] = kind
    const isKind = `summed_as = {kind${index}:String}`
    const parts = Object.entries(SUMS).flatMap(([name, sum]) => {
      const value = least[name as keyof SpanSums]
      if (sum === null || value === undefined) return []
      params[`${name}${index}`] = value
      return [`${sum(isKind)} >= {${name}${index}:Float64}`]
    })
    return `(${[`countIf(${isKind}) > 0`, ...parts].join(' AND ')})`
  })
  return { having: conditions.join(' OR '), params }
}

export const createTracedSpans = ({ client }: { readonly client: ClickHouseClient }): TracedSpans => ({
  load: loadFrom(client),

  candidates: async (projectId, needs, since, limit) => {
    if (needs.length === 0) return []
    const { having, params } = conditionsOf(needs)
    const result = await client.query({
      query: `SELECT ${hexOfUuid('trace_id')} AS traceId
        FROM (
          SELECT trace_id, if(op IN {frames:Array(String)}, {frame:String}, category) AS summed_as, group_text,
            count() AS spans, sum(duration) / 1000 AS total, max(duration) / 1000 AS longest, max(timestamp) AS last
          FROM spans
          WHERE project_id = {project:UInt64} AND timestamp >= fromUnixTimestamp64Milli({since:Int64})
            AND summed_as IN {kinds:Array(String)}
          GROUP BY trace_id, summed_as, group_text
        )
        GROUP BY trace_id
        HAVING ${having}
        ORDER BY max(last) DESC LIMIT {limit:UInt32}`,
      query_params: {
        ...params,
        kinds: [...new Set(needs.map(({ kind }) => kind))],
        frames: LONG_FRAME_OPS,
        frame: LONG_FRAME,
        project: projectId,
        since,
        limit: limit + 1,
      },
      format: 'JSONEachRow',
    })
    return (await result.json<{ traceId: string }>()).map(({ traceId }) => traceId)
  },
})
