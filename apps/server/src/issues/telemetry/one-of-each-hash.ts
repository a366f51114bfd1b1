import type { ClickHouseClient } from '@clickhouse/client'
import { hexOfUuid } from '../../search/index.ts'
import type { EventPlace } from '../events.view.ts'

interface Asked {
  readonly organizationId: number
  readonly projectId: number
  /** '' for any. */
  readonly release: string
  /** Milliseconds since the epoch. */
  readonly since: number
  readonly afterIssueId: number
  readonly limit: number
  /** Hashes of one issue; of more, those that were seen last. */
  readonly perIssue: number
}

/** The newest event of each hash of each issue whose frames source maps or mappings could say more about, by issue. */
export const oneOfEachHash = async (
  client: ClickHouseClient,
  { afterIssueId, limit, organizationId, perIssue, projectId, release, since }: Asked,
): Promise<readonly EventPlace[]> => {
  const result = await client.query({
    query: `SELECT events.issue_id AS issue, JSONExtractString(events.grouping, 'h', 1) AS hash,
  max(events.timestamp) AS last,
  argMax(${hexOfUuid('events.event_id')}, events.timestamp) AS event,
  toUnixTimestamp64Milli(last) AS time
FROM events
WHERE events.organization_id = {organization:UInt32}
  AND events.project_id = {project:UInt64}
  AND events.issue_id > {after:UInt64}
  AND events.timestamp >= fromUnixTimestamp64Milli({since:Int64})
  AND events.platform IN ('javascript', 'node', 'java', 'android')
  ${release === '' ? '' : 'AND events.release = {release:String}'}
GROUP BY issue, hash
ORDER BY issue, last DESC
LIMIT {perIssue:UInt32} BY issue
LIMIT {limit:UInt32}`,
    query_params: {
      organization: organizationId,
      project: projectId,
      after: afterIssueId,
      since,
      release,
      perIssue,
      limit,
    },
    format: 'JSONEachRow',
  })
  const rows = await result.json<{ issue: number; event: string; time: number }>()
  return rows.map(({ event, issue, time }) => ({
    organizationId,
    projectId,
    storedIssueId: issue,
    timestamp: time,
    eventId: event,
  }))
}
