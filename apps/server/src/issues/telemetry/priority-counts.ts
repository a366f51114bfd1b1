import type { ClickHouseClient } from '@clickhouse/client'
import { DAY_MS } from '../../lib/durations.ts'

/** What of the events of an issue makes it urgent. */
export interface PriorityCounts {
  /** Different people of the last week. */
  readonly users: number
  /** Events of the last 24 hours, and of the seven days before them. */
  readonly today: number
  readonly before: number
}

/** By issue. @param standing id under which events are stored → the issue */
export const priorityCounts = async (
  client: ClickHouseClient,
  projectIds: readonly number[],
  standing: ReadonlyMap<number, number>,
  now: number,
): Promise<ReadonlyMap<number, PriorityCounts>> => {
  if (standing.size === 0) return new Map()
  const result = await client.query({
    query: `SELECT transform(events.issue_id, {stored:Array(UInt64)}, {standing:Array(UInt64)}, toUInt64(0)) AS id,
        uniqIf(events.user_key, events.user_key != '' AND events.received >= fromUnixTimestamp64Milli({week:Int64}, 'UTC')) AS users,
        countIf(events.received >= fromUnixTimestamp64Milli({day:Int64}, 'UTC')) AS today,
        countIf(events.received < fromUnixTimestamp64Milli({day:Int64}, 'UTC')) AS before
      FROM events
      WHERE events.project_id IN {projectIds:Array(UInt64)}
        AND events.issue_id IN {stored:Array(UInt64)}
        AND events.received >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
      GROUP BY id`,
    query_params: {
      projectIds: [...new Set(projectIds)],
      stored: [...standing.keys()],
      standing: [...standing.values()],
      day: now - DAY_MS,
      week: now - 7 * DAY_MS,
      since: now - 8 * DAY_MS,
    },
    format: 'JSONEachRow',
  })
  const rows = await result.json<PriorityCounts & { readonly id: number }>()
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}
