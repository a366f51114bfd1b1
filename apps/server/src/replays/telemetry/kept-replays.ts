import type { ClickHouseClient } from '@clickhouse/client'
import { hexOfUuid, rowsOf } from '../../search/index.ts'
import { uuid } from '../../storage/telemetry/tab-separated.ts'
import { LIMITS } from '../limits.ts'
import type { OwnedProject } from '../replay.ts'
import { millis } from './sql.ts'

/** How much replays take, and which ones are the oldest. */

export interface KeptReplay {
  readonly replayId: string
  readonly startedAt: number
  readonly finishedAt: number
  /** When the last of it came. */
  readonly lastAt: number
  /** Of recordings and videos, as they were sent. */
  readonly bytes: number
}

const OF_PROJECT = 'organization_id = {organization:UInt32} AND project_id = {project:UInt64}'

const parametersOf = ({ organizationId, projectId }: OwnedProject) => ({
  organization: organizationId,
  project: projectId,
})

const SUMMED = `SELECT ${hexOfUuid('replay_id')} AS replayId, ${millis('min(replay_segments.timestamp)')} AS startedAt,
    ${millis('max(ended)')} AS finishedAt, ${millis('max(received)')} AS lastAt, sum(bytes + video_bytes) AS bytes
  FROM replay_segments FINAL`

/** A part of a list that is too long to be held. */
const PAGE = LIMITS.REPLAY_DELETIONS_AT_ONCE

export const createKeptReplays = ({ client }: { readonly client: ClickHouseClient }) => {
  const query = rowsOf(client)
  return {
    /** @param only these; all without */
    sum: async (
      project: OwnedProject,
      only?: readonly string[],
    ): Promise<{ readonly replays: number; readonly bytes: number }> => {
      const [row] = await query<{ replays: number; bytes: number }>(
        `SELECT uniqExact(replay_id) AS replays, sum(bytes + video_bytes) AS bytes
        FROM replay_segments FINAL WHERE ${OF_PROJECT}${only === undefined ? '' : ' AND replay_id IN {ids:Array(UUID)}'}`,
        { ...parametersOf(project), ids: (only ?? []).map(uuid) },
      )
      return row ?? { replays: 0, bytes: 0 }
    },

    /** Those that ended before a moment, oldest first; a page of them. */
    endedBefore: (project: OwnedProject, before: number): Promise<KeptReplay[]> =>
      query<KeptReplay>(
        `${SUMMED} WHERE ${OF_PROJECT} AND replay_id IN (
          SELECT replay_id FROM replay_segments
          WHERE ${OF_PROJECT} AND timestamp < fromUnixTimestamp64Milli({before:Int64})
        )
        GROUP BY replay_id HAVING finishedAt < {before:Int64} ORDER BY startedAt, replay_id LIMIT ${PAGE}`,
        { ...parametersOf(project), before },
      ),

    /** Oldest first, a page of them: those of which nothing has come for some time. */
    oldest: (project: OwnedProject, { quietSince, offset }: { readonly quietSince: number; readonly offset: number }) =>
      query<KeptReplay>(
        `${SUMMED} WHERE ${OF_PROJECT}
        GROUP BY replay_id HAVING lastAt < {quiet:Int64} ORDER BY startedAt, replay_id LIMIT ${PAGE} OFFSET {offset:UInt64}`,
        { ...parametersOf(project), quiet: quietSince, offset },
      ),
  }
}

export type KeptReplays = ReturnType<typeof createKeptReplays>
