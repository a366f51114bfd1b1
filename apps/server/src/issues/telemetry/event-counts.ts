import type { ClickHouseClient } from '@clickhouse/client'
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import { escalationLimit, ESCALATION_WEEKS } from '../workflow/escalation-limit.ts'

/** Counts of events as archived issues are judged by: by when they came, which no clock of a sender moves. */

export interface CountedIssues {
  readonly projectIds: readonly number[]
  /** As stored. */
  readonly issueIds: readonly number[]
}

/** Events by hour since the epoch, of each issue as stored. */
export const hourlyCounts = async (
  client: ClickHouseClient,
  { issueIds, projectIds }: CountedIssues,
  since: number,
): Promise<ReadonlyMap<number, ReadonlyMap<number, number>>> => {
  const result = await client.query({
    query: `SELECT events.issue_id AS id, intDiv(toUnixTimestamp64Milli(events.received), ${HOUR_MS}) AS hour, count() AS events
        FROM events
        WHERE events.project_id IN {projectIds:Array(UInt64)}
          AND events.issue_id IN {issueIds:Array(UInt64)}
          AND events.received >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
        GROUP BY id, hour`,
    query_params: { projectIds: [...new Set(projectIds)], issueIds, since },
    format: 'JSONEachRow',
  })
  const found = new Map<number, Map<number, number>>()
  for (const { id, hour, events } of await result.json<{ id: number; hour: number; events: number }>()) {
    const hours = found.get(id) ?? new Map<number, number>()
    found.set(id, hours)
    hours.set(hour, events)
  }
  return found
}

/** Events and people since then, of these together. */
export const countSince = async (
  client: ClickHouseClient,
  { issueIds, projectIds }: CountedIssues,
  since: number,
): Promise<{ readonly events: number; readonly users: number }> => {
  const result = await client.query({
    query: `SELECT count() AS events, uniqIf(events.user_key, events.user_key != '') AS users
        FROM events
        WHERE events.project_id IN {projectIds:Array(UInt64)}
          AND events.issue_id IN {issueIds:Array(UInt64)}
          AND events.received >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')`,
    query_params: { projectIds: [...new Set(projectIds)], issueIds, since },
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ events: number; users: number }>()
  return row ?? { events: 0, users: 0 }
}

/** Events of the hour that runs, and above how many of them an issue escalates. */
export interface Escalation {
  readonly events: number
  readonly limit: number
}

/** How far counts have to reach back to say what is usual in an hour. */
export const usualSince = (hour: number): number => (hour - 1) * HOUR_MS - ESCALATION_WEEKS * 7 * DAY_MS

/** Of an issue, by the ids under which it is stored. */
export const escalationIn = (
  counts: ReadonlyMap<number, ReadonlyMap<number, number>>,
  storedIds: readonly number[],
  firstSeen: number,
  hour: number,
): Escalation => {
  const hours = new Map<number, number>()
  for (const stored of storedIds) {
    for (const [at, events] of counts.get(stored) ?? []) hours.set(at, (hours.get(at) ?? 0) + events)
  }
  return { events: hours.get(hour) ?? 0, limit: escalationLimit(hours, hour, Math.floor(firstSeen / HOUR_MS)) }
}

export const escalationOf = async (
  client: ClickHouseClient,
  counted: CountedIssues,
  firstSeen: number,
  now: number,
): Promise<Escalation> => {
  const hour = Math.floor(now / HOUR_MS)
  return escalationIn(await hourlyCounts(client, counted, usualSince(hour)), counted.issueIds, firstSeen, hour)
}
