import type { ClickHouseClient } from '@clickhouse/client'
import { rowsOf } from '../../search/index.ts'
import type { OwnedReplay } from '../ledger/replay-packs.ts'

/** What the deletion of a replay asks of its rows, and removes. */

const OF_REPLAY = 'organization_id = {organization:UInt32} AND project_id = {project:UInt64} AND replay_id = {id:UUID}'

const parametersOf = ({ organizationId, projectId, replayId }: OwnedReplay) => ({
  organization: organizationId,
  project: projectId,
  id: replayId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
})

/** Blobs of a replay that no other one has. */
export const keysOnlyOf = async (client: ClickHouseClient, replay: OwnedReplay): Promise<readonly string[]> => {
  const rows = await rowsOf(client)<{ key: string }>(
    `WITH keys AS (
      SELECT arrayJoin([blob_key, video_key]) AS key FROM replay_segments WHERE ${OF_REPLAY} AND key != ''
    )
    SELECT DISTINCT key FROM keys WHERE key NOT IN (
      SELECT arrayJoin([blob_key, video_key]) AS key FROM replay_segments
      WHERE organization_id = {organization:UInt32} AND NOT (project_id = {project:UInt64} AND replay_id = {id:UUID})
        AND (blob_key IN keys OR video_key IN keys)
    )`,
    parametersOf(replay),
  )
  return rows.map(({ key }) => key)
}

export const forgetRows = async (client: ClickHouseClient, replay: OwnedReplay): Promise<void> => {
  for (const table of ['replay_texts', 'replay_marks', 'replay_segments']) {
    await client.command({ query: `DELETE FROM ${table} WHERE ${OF_REPLAY}`, query_params: parametersOf(replay) })
  }
}
