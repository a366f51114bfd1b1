import type { ClickHouseClient } from '@clickhouse/client'
import { readReplayEvents, type ReplayEventRecord } from '../issues/index.ts'
import { rowsOf } from '../search/index.ts'
import { createVisitors } from './journeys/visitors.view.ts'
import { LIMITS } from './limits.ts'
import { createLists } from './list/list.view.ts'
import { createParts } from './parts.view.ts'
import { createRecords } from './records.view.ts'
import { createRequestPlaces } from './requests/requests.view.ts'
import type { ReplayRecord, ReplayScope } from './replay.ts'

/** What telemetry knows about replays. Every question names the organisation and projects that the caller may see. */

export type ReplayView = ReturnType<typeof createReplayView>

export const createReplayView = ({ client }: { readonly client: ClickHouseClient }) => {
  const query = rowsOf(client)
  const found = createRecords(query)
  return {
    ...found,
    ...createLists(query, found.records),
    ...createVisitors(query, found.records),
    ...createParts(query),
    ...createRequestPlaces(query),

    /** What was reported and names one of these replays, at the times of these. */
    events: (
      { organizationId, projectIds }: ReplayScope,
      replays: readonly Pick<ReplayRecord, 'finishedAt' | 'replayId' | 'startedAt'>[],
    ): Promise<readonly ReplayEventRecord[]> =>
      readReplayEvents(client, {
        organizationId,
        projectIds,
        replayIds: replays.map(({ replayId }) => replayId),
        from: Math.min(...replays.map(({ startedAt }) => startedAt)) - LIMITS.REPLAY_CLOCK_JUMP_MS,
        to: Math.max(...replays.map(({ finishedAt }) => finishedAt)) + LIMITS.REPLAY_CLOCK_JUMP_MS,
        limit: LIMITS.REPLAY_EVENTS,
      }),
  }
}
