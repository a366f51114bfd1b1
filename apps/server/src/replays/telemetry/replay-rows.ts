import type { ClickHouseClient } from '@clickhouse/client'
import { rowsOf } from '../../search/index.ts'
import type { ReplaysOfProject } from '../replay.ts'
import { uuid } from '../../storage/telemetry/tab-separated.ts'

/** What the deletion of replays asks of their rows, and removes. */

const TABLES = ['replay_texts', 'replay_marks', 'replay_segments'] as const

const OF_REPLAYS =
  'organization_id = {organization:UInt32} AND project_id = {project:UInt64} AND replay_id IN {ids:Array(UUID)}'

const parametersOf = ({ organizationId, projectId, replayIds }: ReplaysOfProject) => ({
  organization: organizationId,
  project: projectId,
  ids: replayIds.map(uuid),
})

export const keysOfReplays = async (
  client: ClickHouseClient,
  replays: ReplaysOfProject,
): Promise<readonly string[]> => {
  const rows = await rowsOf(client)<{ key: string }>(
    `SELECT DISTINCT arrayJoin([blob_key, video_key]) AS key FROM replay_segments WHERE ${OF_REPLAYS} AND key != ''`,
    parametersOf(replays),
  )
  return rows.map(({ key }) => key)
}

/** Tables without a row of them are left alone: each deletion is looked for again and again. */
export const forgetRows = async (client: ClickHouseClient, replays: ReplaysOfProject): Promise<void> => {
  const parameters = parametersOf(replays)
  for (const table of TABLES) {
    const rows = await rowsOf(client)(`SELECT 1 FROM ${table} WHERE ${OF_REPLAYS} LIMIT 1`, parameters)
    if (rows.length === 0) continue
    await client.command({ query: `DELETE FROM ${table} WHERE ${OF_REPLAYS}`, query_params: parameters })
  }
}

/** Deleted rows are only hidden until their part is written anew, which may take weeks: this does it now. */
export const freeRows = async (client: ClickHouseClient): Promise<void> => {
  for (const table of TABLES) {
    await client.command({
      query: `ALTER TABLE ${table} APPLY DELETED MASK`,
      clickhouse_settings: { mutations_sync: '0' },
    })
  }
}
