import type { ClickHouseClient } from '@clickhouse/client'
import { hexOfUuid, rowsOf } from '../../search/index.ts'

/** Something that was reported while a replay was recorded, and that names it. */
export interface ReplayEventRecord {
  readonly projectId: number
  /** 32 hex characters. */
  readonly replayId: string
  readonly eventId: string
  readonly issueId: string
  readonly level: string
  readonly title: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

interface AskedReplays {
  readonly organizationId: number
  readonly projectIds: readonly number[]
  readonly replayIds: readonly string[]
  /** Milliseconds since the epoch: when they were recorded. */
  readonly from: number
  readonly to: number
  /** Of each replay. */
  readonly limit: number
}

/** What names one of these replays, by time. */
export const readReplayEvents = async (
  client: ClickHouseClient,
  { organizationId, projectIds, replayIds, from, to, limit }: AskedReplays,
): Promise<readonly ReplayEventRecord[]> =>
  replayIds.length === 0
    ? []
    : rowsOf(client)<ReplayEventRecord>(
        `SELECT project_id AS projectId, replay_id AS replayId, ${hexOfUuid('event_id')} AS eventId,
          toString(issue_id) AS issueId, level, title, toUnixTimestamp64Milli(timestamp) AS at
        FROM events
        WHERE organization_id = {organization:UInt32} AND project_id IN {projects:Array(UInt64)}
          AND replay_id IN {ids:Array(String)}
          AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp <= fromUnixTimestamp64Milli({to:Int64})
        ORDER BY events.timestamp, events.event_id LIMIT {limit:UInt32} BY project_id, replay_id`,
        { organization: organizationId, projects: projectIds, ids: replayIds, from: Math.max(0, from), to, limit },
      )
