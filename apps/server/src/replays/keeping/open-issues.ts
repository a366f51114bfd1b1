import type { ClickHouseClient } from '@clickhouse/client'
import { readReplayEvents, type IssueView } from '../../issues/index.ts'
import { LIMITS } from '../limits.ts'
import type { KeptReplay } from '../telemetry/kept-replays.ts'

/** Which of these replays have errors of an issue that nobody resolved or archived. */
export const linkedToOpenIssues =
  ({ client, issues }: { readonly client: ClickHouseClient; readonly issues: Pick<IssueView, 'records'> }) =>
  async (
    { organizationId, projectId }: { readonly organizationId: number; readonly projectId: number },
    replays: readonly KeptReplay[],
  ): Promise<ReadonlySet<string>> => {
    const reported = await readReplayEvents(client, {
      organizationId,
      projectIds: [projectId],
      replayIds: replays.map(({ replayId }) => replayId),
      from: Math.min(...replays.map(({ startedAt }) => startedAt)) - LIMITS.REPLAY_CLOCK_JUMP_MS,
      to: Math.max(...replays.map(({ finishedAt }) => finishedAt)) + LIMITS.REPLAY_CLOCK_JUMP_MS,
      limit: LIMITS.REPLAY_EVENTS,
    })
    const ids = [...new Set(reported.map(({ issueId }) => Number(issueId)))]
    const known = await issues.records(organizationId, ids)
    const open = new Set(
      known.filter(({ status }) => status === 'unresolved').flatMap(({ id, storedIds }) => [id, ...storedIds]),
    )
    return new Set(reported.filter(({ issueId }) => open.has(Number(issueId))).map(({ replayId }) => replayId))
  }
