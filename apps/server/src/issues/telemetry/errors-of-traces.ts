import type { ClickHouseClient } from '@clickhouse/client'
import { hexOfUuid, rowsOf } from '../../search/index.ts'

/** An error that happened in a trace. */
export interface ErrorOfTrace {
  readonly projectId: number
  /** 32 hex characters. */
  readonly traceId: string
  readonly eventId: string
  /** As stored: the issue may have been merged into another since. */
  readonly storedIssueId: number
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Errors of these traces in a time, by when they happened; of each trace at most `limit`, the last. */
export const readErrorsOfTraces = async (
  client: ClickHouseClient,
  asked: {
    readonly projectIds: readonly number[]
    readonly traceIds: readonly string[]
    /** Milliseconds since the epoch. */
    readonly from: number
    readonly to: number
    readonly limit: number
  },
): Promise<readonly ErrorOfTrace[]> =>
  asked.traceIds.length === 0
    ? []
    : rowsOf(client)<ErrorOfTrace>(
        `SELECT project_id AS projectId, trace_id AS traceId, ${hexOfUuid('event_id')} AS eventId,
          issue_id AS storedIssueId, toUnixTimestamp64Milli(timestamp) AS at
        FROM events
        WHERE project_id IN {projects:Array(UInt64)} AND trace_id IN {traces:Array(String)} AND events.type != 'generic'
          AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp <= fromUnixTimestamp64Milli({to:Int64})
        ORDER BY events.timestamp DESC, events.event_id LIMIT {limit:UInt32} BY project_id, trace_id`,
        {
          projects: asked.projectIds,
          traces: asked.traceIds,
          from: Math.max(0, Math.floor(asked.from)),
          to: Math.ceil(asked.to),
          limit: asked.limit,
        },
      )
